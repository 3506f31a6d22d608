import { type LoaderFunctionArgs, redirectDocument } from '@remix-run/node'
import { PageProblem } from '~/components/page-problem'
import { ownPath } from '~/lib/own-path'

/** Shown at any address. Without scripts, because a script would look for the modules of that address and not find them. */
export const handle = { title: 'Under maintenance', hasNoScripts: true }

export function loader({ request }: LoaderFunctionArgs) {
	// Set by server/maintenance.ts when a script requested the data of a page. The browser must then load the page itself.
	const at = request.headers.get('x-maintenance-at')
	if (at) throw redirectDocument(ownPath(at, '/'))
	throw Response.json({ isMaintenance: true }, { status: 503, headers: { 'retry-after': '300' } })
}

/** A post during maintenance is not executed, and its reply says so. */
export const action = loader

export default function Maintenance() {
	return null
}

export function ErrorBoundary() {
	return <PageProblem />
}
