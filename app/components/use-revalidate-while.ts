import { useRevalidator } from '@remix-run/react'
import { useEffect } from 'react'

const EVERY_MS = 4000
const LONGEST_MS = 600_000

/**
 * While `isWaiting`, loads the data of the page again: every four seconds while the page is visible, for ten minutes, and each time its
 * window gets the focus.
 */
export function useRevalidateWhile(isWaiting: boolean) {
	const { revalidate } = useRevalidator()
	useEffect(() => {
		if (!isWaiting) return
		const look = () => {
			if (document.visibilityState === 'visible') revalidate()
		}
		const clock = setInterval(look, EVERY_MS)
		const end = setTimeout(() => clearInterval(clock), LONGEST_MS)
		window.addEventListener('focus', look)
		return () => {
			clearInterval(clock)
			clearTimeout(end)
			window.removeEventListener('focus', look)
		}
	}, [isWaiting, revalidate])
}
