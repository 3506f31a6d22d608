import { type RefObject, useEffect, useRef } from 'react'

/**
 * Returns the ref of a field that shows each new default value and stays the same element: React changes only the attribute, and a new
 * `key` makes a new element, which loses the focus. The first value is the document's, where a person may already have typed another.
 */
export function useDefaultValue<T extends HTMLInputElement | HTMLSelectElement>(value: string): RefObject<T> {
	const field = useRef<T>(null)
	const shown = useRef(value)
	useEffect(() => {
		if (shown.current === value || !field.current) return
		shown.current = value
		field.current.value = value
	}, [value])
	return field
}
