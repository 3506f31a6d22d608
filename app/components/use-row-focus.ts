import { type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the focus in a form whose rows are field groups. A new row's first field gets it, and after a removal the button that adds a row:
 * the button that was pressed may be gone.
 */
export function useRowFocus(add: RefObject<HTMLButtonElement | null>, formId: string, rows: number): void {
	const shown = useRef(rows)
	useEffect(() => {
		const before = shown.current
		shown.current = rows
		if (rows > before) document.querySelector<HTMLElement>(`#${formId} fieldset:nth-of-type(${rows}) :is(input, select)`)?.focus()
		if (rows < before) add.current?.focus()
	}, [add, formId, rows])
}
