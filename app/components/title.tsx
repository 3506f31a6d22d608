import { useMatches } from '@remix-run/react'

/** A page names itself in its `handle`; a page that shows a failed form says so first, for those who hear the title. */
export function Title({ brand, hasErrors }: { brand: string; hasErrors?: boolean }) {
	const titles = useMatches().flatMap(({ handle }) => {
		const title = (handle as { title?: unknown } | undefined)?.title
		return typeof title === 'string' ? [title] : []
	})
	return <title suppressHydrationWarning>{[(hasErrors ? 'Error: ' : '') + (titles.at(-1) ?? ''), brand].filter(Boolean).join(' · ')}</title>
}
