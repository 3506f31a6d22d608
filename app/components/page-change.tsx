import { useLocation, useNavigation } from '@remix-run/react'
import { useEffect, useRef } from 'react'

/** A thin bar at the top while a page or the answer to a form is on its way; CSS shows it after 150 ms, so a quick one does not flicker. */
export function LoadingBar() {
	const { state } = useNavigation()
	return (
		<div className="loading" aria-live="polite">
			{state !== 'idle' && <div className="loading-bar" role="progressbar" aria-label="Loading" />}
		</div>
	)
}

/**
 * After a change of page without a new document the focus goes to the page's heading, which a screen reader then reads. A new sort or
 * search of the same page leaves it where it is, and so does a field that already has it.
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
