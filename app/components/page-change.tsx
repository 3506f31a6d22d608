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
 * After a page change without a new document, moves the focus to the page's heading, so that a screen reader reads it. A new sort or search
 * of the same page does not move it, and neither does a field that has the focus.
 */
export function useHeadingFocus() {
	const { pathname } = useLocation()
	const shown = useRef(pathname)
	useEffect(() => {
		if (shown.current === pathname) return
		shown.current = pathname
		if (document.activeElement?.matches('main :is(input, select, textarea)')) return
		const heading = document.querySelector<HTMLElement>('main h1')
		heading?.setAttribute('tabindex', '-1')
		heading?.focus({ preventScroll: true })
	}, [pathname])
}
