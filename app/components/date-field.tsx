import { type RefObject, useEffect, useRef } from 'react'
import { parseDay } from '#contract/values/typed-day'
import { showDay, toIsoDay } from '~/lib/typed-days'
import { FieldFrame, useFieldLook } from './field-frame'
import { describeField, type FieldState, Notes, readFieldText } from './form'
import { Icon } from './icon'
import { useDefaultValue } from './use-default-value'
import { useLive } from './use-live'

type Props = {
	field: FieldState
	label: string
	help?: string
	/** As typed, or as an ISO date. */
	defaultValue?: string
	required?: boolean
	/** Gets the field's value as an ISO date, or '' while it is not a date. */
	onDay?: (day: string) => void
}

/**
 * A day as DD/MM/YYYY whatever the browser's language; the browser's own date field shows another order in some languages. The calendar
 * button needs a script.
 */
export function DateField({ field, label, help, defaultValue, required, onDay }: Props) {
	const calendar = useRef<HTMLInputElement>(null)
	const isLive = useLive()
	const look = useFieldLook()
	const { name } = field
	const typed = showDay(defaultValue ?? readFieldText(field) ?? '')
	const text = useDefaultValue<HTMLInputElement>(typed)

	useIsoInAddress(text, name)

	function open() {
		if (!text.current || !calendar.current) return
		calendar.current.value = toIsoDay(text.current.value)
		calendar.current.showPicker()
	}
	function take(input: HTMLInputElement | null, day: string) {
		if (!input || !day) return
		input.value = showDay(day)
		input.focus()
		onDay?.(day)
	}

	return (
		<FieldFrame id={field.id} label={label}>
			<span className="relative block w-38 max-w-full max-sm:w-41">
				<input
					{...describeField(field, help)}
					ref={text}
					name={name}
					defaultValue={typed}
					inputMode="numeric"
					autoComplete="off"
					placeholder="DD/MM/YYYY"
					maxLength={20}
					required={required}
					className={`${look.input} ${isLive ? 'pr-10' : ''}`}
					onChange={({ target }) => onDay?.(parseDay(target.value) ?? '')}
					// A phone's number pad has no slash, so a date may be typed without one.
					onBlur={({ target }) => (target.value = showDay(toIsoDay(target.value)))}
				/>
				{isLive && (
					<>
						<input
							ref={calendar}
							type="date"
							tabIndex={-1}
							aria-hidden="true"
							className="pointer-events-none absolute inset-y-0 right-0 w-10 opacity-0"
							onChange={({ target }) => take(text.current, target.value)}
						/>
						<button
							type="button"
							className="text-muted absolute inset-y-px right-px grid w-10 cursor-pointer place-items-center"
							onClick={open}
						>
							<Icon name="calendar" />
							<span className="sr-only">Calendar: {label}</span>
						</button>
					</>
				)}
			</span>
			<Notes field={field} help={help} />
		</FieldFrame>
	)
}

/** A form that makes an address sends the day as an ISO day. Without a script it sends what was typed, which the server reads too. */
function useIsoInAddress(input: RefObject<HTMLInputElement | null>, name: string | undefined) {
	useEffect(() => {
		const form = input.current?.form
		if (!name || form?.method !== 'get') return undefined
		const send = ({ formData }: FormDataEvent) => formData.set(name, toIsoDay(input.current?.value ?? ''))
		form.addEventListener('formdata', send)
		return () => form.removeEventListener('formdata', send)
	}, [input, name])
}
