import { type LoaderFunctionArgs, redirectDocument } from '@remix-run/node'
import { PageProblem } from '~/components/page-problem'
import { retryAfter } from '~/http/retry-after.server'
import { ownPath } from '~/lib/own-path'

/** Shown at any requested address, where a script would look for that page's modules and find none. */
export const handle = { title: 'Under maintenance', hasNoScripts: true }

export const headers = retryAfter

export function loader({ request }: LoaderFunctionArgs) {
	// Set by server/maintenance.ts when a script requested a page's data: it must load the page itself.
	const at = request.headers.get('x-maintenance-at')
	if (at) throw redirectDocument(ownPath(at, '/'))
	throw Response.json({ isMaintenance: true }, { status: 503, headers: { 'retry-after': '300' } })
}

/** A post during maintenance is not done, and its reply says so. */
export const action = loader

export default function Maintenance() {
	return null
}

export function ErrorBoundary() {
	return <PageProblem />
}
