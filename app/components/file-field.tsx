import { useEffect, useState } from 'react'
import { Field, type FieldState } from './form'

type Props = {
	field: FieldState
	label: string
	help: string
	/** The server's answer to the form, when there is one: it has an error. */
	answer: unknown
}

/** A proof for the broker. No page can fill in a file again: after an error the field says so while it is empty. */
export function FileField({ field, label, help, answer }: Props) {
	// Where a script sends the form the page stays, and the file with it.
	const [isKept, setKept] = useState(false)
	const { id } = field
	useEffect(() => {
		const box = document.getElementById(id)
		setKept(box instanceof HTMLInputElement && Boolean(box.files?.length))
	}, [id])
	const isGone = Boolean(answer) && !isKept
	return (
		<Field
			field={field}
			label={label}
			type="file"
			accept=".pdf,.jpg,.jpeg,.png"
			onChange={({ currentTarget }) => setKept(Boolean(currentTarget.files?.length))}
			help={
				<>
					{help} {isGone && <b className="text-base-content block">Select the file again: it was not kept.</b>}
				</>
			}
		/>
	)
}
