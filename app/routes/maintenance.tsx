import { PageProblem } from '~/components/page-problem'
import { retryAfter } from '~/headers.server'

export const handle = { title: 'Under maintenance' }

export const headers = retryAfter

export function loader() {
	throw Response.json({ isMaintenance: true }, { status: 503, headers: { 'retry-after': '300' } })
}

/** A post that arrives during maintenance is not done, and its answer says so. */
export const action = loader

export default function Maintenance() {
	return null
}

export function ErrorBoundary() {
	return <PageProblem />
}
