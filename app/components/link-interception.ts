import { useNavigate } from '@remix-run/react'
import { type MouseEvent, useCallback } from 'react'

/**
 * For the element around all the plain links of a page: follows them without loading a document. The links stay what they
 * are without a script, and one handler costs the server and the browser less than a hundred that each resolve their own address.
 */
export function useLinkInterception() {
	const navigate = useNavigate()
	return useCallback(
		(event: MouseEvent) => {
			const link = event.target instanceof Element ? event.target.closest('a') : null
			const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
			if (!link || !isPlain || event.defaultPrevented || link.target || link.origin !== location.origin || link.hash) return
			// A file is no page.
			if (link.pathname.startsWith('/downloads/')) return
			event.preventDefault()
			navigate(link.pathname + link.search)
		},
		[navigate],
	)
}
