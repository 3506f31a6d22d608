import { PageProblem } from '~/components/page-problem'

export const handle = { title: 'Page not found' }

/** Answers 404 at `/error404` and at every unknown address. */
export function loader() {
	throw new Response('Page not found', { status: 404 })
}

export default function NotFound() {
	return null
}

export function ErrorBoundary() {
	return <PageProblem />
}
