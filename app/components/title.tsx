import { useMatches } from '@remix-run/react'
import { nameProblem } from './page-problem'
import { usePageState } from './use-page-state'

type Handle = { title?: string | ((data: unknown, params: Record<string, string | undefined>) => string) }

/**
 * The title of the document: `<h1> · <brand>`. After a refused form it starts with `Error: `, so that a screen reader reads this first.
 */
export function Title({ brand }: { brand: string }) {
	const matches = useMatches()
	const { errors, answered } = usePageState()
	const titles = matches.map(({ handle, data, params }) => {
		const title = (handle as Handle | undefined)?.title
		return typeof title === 'function' ? title(data, params) : title
	})
	const page = titles.findLast(Boolean)
	// A page below the shell keeps its title when it fails. The shell's own boundary, and those of other pages, have none.
	const shell = matches.find(({ id, data }) => id === 'routes/shell' && data !== undefined)
	const failed = matches.find(({ id }) => id in errors)
	const isInShell = shell !== undefined && failed !== undefined && matches.indexOf(failed) > matches.indexOf(shell)
	const title = failed ? nameProblem(errors[failed.id], isInShell ? page : undefined) : page
	const hasFormErrors = [...answered, ...matches.map(({ data }) => data)].some(isRefused)
	return <title>{`${hasFormErrors ? 'Error: ' : ''}${title ? `${title} · ` : ''}${brand}`}</title>
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
