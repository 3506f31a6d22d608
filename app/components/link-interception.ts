import { useNavigate } from '@remix-run/react'
import { type MouseEvent, useCallback } from 'react'

/**
 * Set on the element around all plain links of a page: follows them without loading a document. The links work without a script, and one
 * handler costs less than a hundred links that each resolve their own address.
 */
export function useLinkInterception() {
	const navigate = useNavigate()
	return useCallback(
		(event: MouseEvent) => {
			const link = event.target instanceof Element ? event.target.closest('a') : null
			const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
			if (!link || !isPlain || event.defaultPrevented || link.target || link.origin !== location.origin || link.hash) return
			// A file is not a page.
			if (link.pathname.startsWith('/downloads/')) return
			event.preventDefault()
			navigate(link.pathname + link.search)
		},
		[navigate],
	)
}
