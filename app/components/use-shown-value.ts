import { useEffect, useRef } from 'react'

/**
 * The ref of a field that follows a value of the address. A `key` would do so too, but a new element loses the focus. What was typed before
 * the script loaded stays.
 */
export function useShownValue(value: string) {
	const box = useRef<HTMLInputElement>(null)
	const shown = useRef(value)
	useEffect(() => {
		if (box.current && shown.current !== value) box.current.value = value
		shown.current = value
	}, [value])
	return box
}
