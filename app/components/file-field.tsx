import { useEffect, useState } from 'react'
import { Field, type FieldState } from './form'

type Props = {
	field: FieldState
	label: string
	help?: string
	/** The server's reply, when it refused the form. */
	answer: unknown
}

/**
 * A file that proves something to the broker. A page cannot fill in a file again, so after an error an empty field asks for the file
 * again.
 */
export function FileField({ field, label, help, answer }: Props) {
	// When a script sends the form, the page stays and keeps the file.
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
				(help || isGone) && (
					<>
						{help} {isGone && <b className="text-base-content block">If you selected a file here, select it again: it was not kept.</b>}
					</>
				)
			}
		/>
	)
}
