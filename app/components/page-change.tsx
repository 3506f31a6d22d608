import { useLocation, useNavigation } from '@remix-run/react'
import { useEffect, useRef } from 'react'

/**
 * A thin bar at the top while a page or the reply to a form is loading. CSS shows it after 150 ms, so that a quick load does not
 * flicker.
 */
export function LoadingBar() {
	const { state } = useNavigation()
	return (
		<div className="print:hidden" aria-live="polite">
			{state !== 'idle' && (
				<div
					className="bg-primary fixed top-0 left-0 z-[1190] h-[3px] w-2/5 opacity-0 [animation:loading-seen_1ms_150ms_forwards,loading-moves_1.2s_ease-in-out_infinite] motion-reduce:w-full"
					role="progressbar"
					aria-label="Loading"
				/>
			)}
		</div>
	)
}

/**
 * After a page change without a new document, moves the focus to the page's heading, so that a screen reader reads it. So does a link to
 * other rows of a table, which scrolls to the top. A new sort or search of the same page does not, and neither does a field that has the
 * focus.
 */
export function useHeadingFocus() {
	const { pathname, search } = useLocation()
	const page = new URLSearchParams(search).get('page')
	const shown = useRef({ pathname, page })
	useEffect(() => {
		const last = shown.current
		if (last.pathname === pathname && last.page === page) return
		shown.current = { pathname, page }
		if (document.activeElement?.matches('main :is(input, select, textarea)')) return
		// A link to the last rows is not on their page, so the focus is lost.
		if (last.pathname === pathname && !document.activeElement?.matches('body, nav[aria-label^="Pages of"] a')) return
		const heading = document.querySelector<HTMLElement>('main h1')
		heading?.setAttribute('tabindex', '-1')
		heading?.focus({ preventScroll: true })
	}, [pathname, page])
}
