import { useRevalidator } from '@remix-run/react'
import { useEffect } from 'react'

const EVERY_MS = 4000
const LONGEST_MS = 600_000

/** Asks again for what the page shows, while something is under way: every four seconds that the page is looked at, for ten minutes, and when a person comes back to it. */
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
