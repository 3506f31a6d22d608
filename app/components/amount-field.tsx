import { type ReactNode, useState } from 'react'
import { showAmount } from '~/lib/typed-amount'
import { FieldFrame, useFieldLook } from './field-frame'
import { describeField, type FieldState, Notes, readFieldText } from './form'

/** An amount in rupees, read back beside the field: as it is typed with a script, else on the page after it was sent. */
export function AmountField({ field, help }: { field: FieldState; help?: ReactNode }) {
	const first = readFieldText(field) ?? ''
	const [typed, setTyped] = useState(first)
	const look = useFieldLook()
	return (
		<FieldFrame id={field.id} label="Amount">
			<span className="flex flex-wrap items-center gap-x-3">
				<input
					{...describeField(field, help)}
					name={field.name}
					inputMode="decimal"
					autoComplete="off"
					defaultValue={first}
					className={`${look.input} ${look.widths[8]}`}
					onInput={({ currentTarget }) => setTyped(currentTarget.value)}
				/>{' '}
				{/* Not announced at each key. */}
				<output htmlFor={field.id} aria-live="off" className="figure text-muted">
					{showAmount(typed)}
				</output>
			</span>
			<Notes field={field} help={help} />
		</FieldFrame>
	)
}
