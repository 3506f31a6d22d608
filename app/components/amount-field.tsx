import { Fragment, type MouseEvent, type ReactNode, useRef, useState } from 'react'
import { showAmount } from '~/lib/typed-amount'
import { FieldFrame, useFieldLook } from './field-frame'
import { describeField, type FieldState, Notes, readFieldText } from './form'
import { InRupees } from './in-rupees'
import { isPlainClick } from './link-interception'

type Props = {
	field: FieldState
	help?: ReactNode
	/** Links that fill in an amount. With a script the field changes at once; without one the page loads again with `?amount=`. */
	suggested?: readonly { label: string; value: string }[]
	/** Links that load the page with the amount and other fields filled in, before the suggested amounts. The page needs a new form then. */
	links?: readonly { label: string; href: string }[]
}

/**
 * A field for an amount in rupees, with the formatted amount beside it. With a script that amount follows the typing; without one it
 * appears when the page loads with an amount.
 */
export function AmountField({ field, help, suggested = [], links = [] }: Props) {
	const first = readFieldText(field) ?? ''
	const [typed, setTyped] = useState(first)
	const input = useRef<HTMLInputElement>(null)
	const look = useFieldLook()
	const type = (event: MouseEvent, value: string) => {
		if (!input.current || !isPlainClick(event)) return
		event.preventDefault()
		input.current.value = value
		input.current.focus()
		setTyped(value)
	}
	return (
		<FieldFrame id={field.id} label="Amount">
			<span className="flex flex-wrap items-center gap-x-3">
				<InRupees>
					<input
						ref={input}
						{...describeField(field, help)}
						name={field.name}
						inputMode="decimal"
						autoComplete="off"
						defaultValue={first}
						className={`${look.input} ${look.widths[8]} ps-7`}
						onInput={({ currentTarget }) => setTyped(currentTarget.value)}
					/>
				</InRupees>{' '}
				{suggested.length === 0 && <Links links={links} />}
				{/* Off, because a screen reader would announce the amount at each key press. */}
				<output htmlFor={field.id} aria-live="off" className="figure text-muted">
					{showAmount(typed)}
				</output>
			</span>
			{suggested.length > 0 && (
				<span className="mt-2 flex flex-wrap gap-2 max-sm:gap-1.5">
					<Links links={links} />
					{suggested.map(({ label, value }) => (
						<Fragment key={value}>
							<a href={`?amount=${value}`} className="btn px-2.5 text-sm max-sm:px-2" onClick={(event) => type(event, value)}>
								{label}
							</a>{' '}
						</Fragment>
					))}
				</span>
			)}
			<Notes field={field} help={help} />
		</FieldFrame>
	)
}

function Links({ links }: Required<Pick<Props, 'links'>>) {
	return links.map(({ label, href }) => (
		<Fragment key={href}>
			<a href={href} data-keep-scroll className="btn px-2.5 text-sm max-sm:px-2">
				{label}
			</a>{' '}
		</Fragment>
	))
}
