import { useNavigate } from '@remix-run/react'
import { useEffect } from 'react'

/**
 * Follows the plain links of a page without loading a document. The links work without a script, and one handler costs less than a
 * hundred links that each resolve their own address (docs/decisions/025-one-kind-of-link.md). `data-keep-scroll` on a link keeps the
 * page's scroll position.
 */
export function useLinkInterception(): void {
	const navigate = useNavigate()
	useEffect(() => {
		const follow = (event: MouseEvent) => {
			const link = event.target instanceof Element ? event.target.closest('a') : null
			if (!link?.href || !isPlainClick(event) || event.defaultPrevented || link.target || link.origin !== location.origin) return
			if (link.hash) {
				if (link.closest('[role=alert]') && focusField(link.getAttribute('href')?.slice(1) ?? '')) event.preventDefault()
				return
			}
			// A file is not a page. The page's own address means a reload: the shell too, because another client may have logged in since.
			if (link.pathname.includes('/downloads/') || link.href === location.href) return
			event.preventDefault()
			navigate(link.pathname + link.search, { preventScrollReset: link.dataset.keepScroll !== undefined })
		}
		// React's handlers run first, because React listens on the document since hydration. A click that they prevent is not followed
		// here.
		document.addEventListener('click', follow)
		document.addEventListener('keydown', pressWithSpace)
		return () => {
			document.removeEventListener('click', follow)
			document.removeEventListener('keydown', pressWithSpace)
		}
	}, [navigate])
}

const FIELD = 'input, select, textarea, button'

/**
 * Goes to the field of an error, with its label in view. The address stays: a new one would be a change of page, which drops the errors.
 * False when there is no such field.
 */
function focusField(id: string): boolean {
	const place = document.getElementById(id)
	const field = place?.matches(FIELD) ? place : place?.querySelector<HTMLElement>(FIELD)
	field?.scrollIntoView({ block: 'center' })
	field?.focus({ preventScroll: true })
	return Boolean(field)
}

/** A link that a screen reader calls a button is pressed with the space bar too. */
function pressWithSpace(event: KeyboardEvent) {
	if (event.key !== ' ' || !(event.target instanceof HTMLAnchorElement) || event.target.getAttribute('role') !== 'button') return
	event.preventDefault()
	event.target.click()
}

/** True for a click that opens a link in the same tab. */
export function isPlainClick({
	button,
	metaKey,
	ctrlKey,
	shiftKey,
	altKey,
}: Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>): boolean {
	return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
}
