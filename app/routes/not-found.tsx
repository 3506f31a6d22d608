import { PageProblem } from '~/components/page-problem'

export const handle = { title: 'Page not found' }

/** A real 404, for `/error404` and for every unknown address. */
export function loader() {
	throw new Response('Page not found', { status: 404 })
}

export default function NotFound() {
	return null
}

export function ErrorBoundary() {
	return <PageProblem />
}
