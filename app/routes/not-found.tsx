import { PageProblem } from '~/components/page-problem'

const TITLE = 'Page not found'

export const handle = { title: TITLE }

/** Answers 404 at every unknown address: in the shell for a client, without it for a visitor. */
export function loader() {
	throw new Response(TITLE, { status: 404 })
}

export default function NotFound() {
	return null
}

export function ErrorBoundary() {
	return <PageProblem title={TITLE} />
}
