import { isRouteErrorResponse, useMatches } from '@remix-run/react'
import { usePageState } from './use-page-state'

type Handle = { title?: string | ((data: unknown, params: Record<string, string | undefined>) => string) }

/**
 * The title of the document: `<h1> · <brand>`. After a refused form it starts with `Error: `, so that a screen reader reads this first.
 */
export function Title({ brand }: { brand: string }) {
	const matches = useMatches()
	const { errors, answered } = usePageState()
	const problem = errors.map(problemTitle).find(Boolean)
	const titles = matches.map(({ handle, data, params }) => {
		const title = (handle as Handle | undefined)?.title
		return typeof title === 'function' ? title(data, params) : title
	})
	const title = problem ?? titles.findLast(Boolean)
	const hasFormErrors = [...answered, ...matches.map(({ data }) => data)].some(isRefused)
	return <title>{`${hasFormErrors ? 'Error: ' : ''}${title ? `${title} · ` : ''}${brand}`}</title>
}

function problemTitle(error: unknown): string | undefined {
	if (!isRouteErrorResponse(error)) return undefined
	const said: unknown = error.data
	if (typeof said === 'object' && said !== null && 'isMaintenance' in said && said.isMaintenance === true) return 'Under maintenance'
	if (error.status !== 404) return undefined
	// The page exists, but the thing that its address names does not.
	const isMissing = typeof said === 'object' && said !== null && 'isMissing' in said && said.isMissing === true
	return isMissing ? undefined : 'Page not found'
}

function isRefused(data: unknown): boolean {
	return (
		typeof data === 'object' &&
		data !== null &&
		// A form that only gained or lost a row may have messages, which are not shown yet.
		!('isEdit' in data && data.isEdit) &&
		'result' in data &&
		typeof data.result === 'object' &&
		data.result !== null &&
		'error' in data.result &&
		Boolean(data.result.error)
	)
}
