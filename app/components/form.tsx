import { type ComponentPropsWithoutRef, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { FieldFrame, FieldSet, TALL_CHECK, useFieldLook, type Width } from './field-frame'
import { Icon } from './icon'
import { InRupees } from './in-rupees'
import { SendingContext } from './post-form'
import { type Radio, RadioOption } from './radio-option'
import { Spinner } from './spinner'
import { Unbroken } from './unbroken'
import { useLive } from './use-live'
import { useLastAnswer } from './use-page-state'

/** The properties of a field; conform's field metadata has this shape. */
export type FieldState = { id: string; name?: string; errors?: string[]; value?: string; initialValue?: unknown; defaultValue?: unknown }

type Common = { field: FieldState; label: ReactNode; help?: ReactNode; width?: Width }
type Input = Common & Omit<ComponentPropsWithoutRef<'input'>, keyof FieldState | 'width' | 'className'> & { defaultValue?: string }
/** A field with a button beside it, or for an amount in rupees. */
type InputWithButton = Input & { button?: ReactNode; isRupees?: boolean }

/** Returns the attributes that describe an input: its id, the ids of its help and errors, and whether it is invalid. */
export function describeField({ id, errors }: FieldState, help?: ReactNode) {
	const isWrong = Boolean(errors?.length)
	const ids = [help ? `${id}-help` : '', isWrong ? `${id}-error` : ''].filter(Boolean).join(' ')
	return { id, 'aria-invalid': isWrong || undefined, 'aria-describedby': ids || undefined }
}

/** Returns the first value of the field as text; undefined when it has none. */
export function readFieldText(field: FieldState): string | undefined {
	const value = field.defaultValue ?? field.initialValue
	return typeof value === 'string' ? value : undefined
}

/** Help and errors under a field. */
export function Notes({ field, help }: { field: FieldState; help?: ReactNode }) {
	return (
		<>
			{help && (
				<p id={`${field.id}-help`} aria-live="polite" className="text-muted mt-1 text-xs">
					{typeof help === 'string' ? <Unbroken text={help} /> : help}
				</p>
			)}
			<FieldError id={field.id} errors={field.errors} />
		</>
	)
}

/** Classes that draw the browser's file button as a part of the field. */
const FILE =
	'file:border-field file:bg-base-200 pl-0 file:mr-3 file:h-full file:cursor-pointer file:border-0 file:border-r file:px-3.5 file:text-inherit'

export function FieldError({ id, errors, className = 'text-sm' }: Pick<FieldState, 'id' | 'errors'> & { className?: string }) {
	if (!errors?.length) return null
	return (
		<p id={`${id}-error`} className={`text-error mt-1 flex gap-1.5 ${className}`}>
			<Icon name="alert" className="mt-0.75" />
			<span>
				<span className="sr-only">Error: </span>
				<Unbroken text={errors.join(' ')} />
			</span>
		</p>
	)
}

export function Field({ field, label, help, width = 24, defaultValue, button, isRupees, ...input }: InputWithButton) {
	const look = useFieldLook()
	const box = (
		<input
			{...input}
			{...describeField(field, help)}
			name={field.name}
			defaultValue={input.type === 'file' ? undefined : (defaultValue ?? readFieldText(field))}
			className={`${look.input} ${look.widths[width]} ${input.type === 'file' ? FILE : ''} ${isRupees ? 'ps-7' : ''}`}
		/>
	)
	return (
		<FieldFrame id={field.id} label={label}>
			{button ? (
				<span className="flex items-center gap-x-4">
					{box} {button}
				</span>
			) : isRupees ? (
				<InRupees>{box}</InRupees>
			) : (
				box
			)}
			<Notes field={field} help={help} />
		</FieldFrame>
	)
}

/** The server never fills it in. The Show button needs a script, so only a script draws it. */
export function PasswordField({ field, label, help, width = 24, ...input }: Omit<Input, 'type' | 'defaultValue'>) {
	const [isShown, setShown] = useState(false)
	const isLive = useLive()
	// Empties the field after a reply: with a script it would keep its value, unlike a new page.
	const isSending = useContext(SendingContext)
	const box = useRef<HTMLInputElement>(null)
	const wasSent = useRef(false)
	const look = useFieldLook()
	useEffect(() => {
		if (!isSending && wasSent.current && box.current) box.current.value = ''
		wasSent.current = isSending
	}, [isSending])
	return (
		<FieldFrame id={field.id} label={label}>
			<span className={`relative block max-w-full ${look.widths[width]}`}>
				<input
					{...input}
					{...describeField(field, help)}
					ref={box}
					name={field.name}
					type={isShown ? 'text' : 'password'}
					spellCheck={false}
					autoCapitalize="none"
					className="input pr-17"
				/>
				{isLive && (
					<button
						type="button"
						className="text-primary absolute inset-y-px right-px z-1 w-15 cursor-pointer rounded text-xs focus-visible:-outline-offset-3"
						aria-pressed={isShown}
						aria-controls={field.id}
						onClick={() => setShown(!isShown)}
					>
						{isShown ? 'Hide' : 'Show'}
						<span className="sr-only"> password</span>
					</button>
				)}
			</span>
			<Notes field={field} help={help} />
		</FieldFrame>
	)
}

type Choice = { value: string; label: string }
type Select = Common &
	Omit<ComponentPropsWithoutRef<'select'>, keyof FieldState | 'className'> & { options: readonly Choice[]; defaultValue?: string }

export function SelectField({ field, label, help, width = 16, options, defaultValue, ...select }: Select) {
	const look = useFieldLook()
	return (
		<FieldFrame id={field.id} label={label}>
			<select
				{...select}
				{...describeField(field, help)}
				name={field.name}
				defaultValue={defaultValue ?? readFieldText(field)}
				className={`${look.input} ${look.select} ${look.widths[width]}`}
			>
				{options.map((option) => (
					<option key={option.value} value={option.value}>
						{option.label}
					</option>
				))}
			</select>
			<Notes field={field} help={help} />
		</FieldFrame>
	)
}

export function CheckboxField({ field, label, help, width: _, ...input }: Omit<Input, 'defaultValue'>) {
	const look = useFieldLook()
	return (
		<div className={look.box}>
			<label className={`${TALL_CHECK} ${look.check}`} htmlFor={field.id}>
				<input {...input} {...describeField(field, help)} name={field.name} value={field.value ?? 'on'} type="checkbox" />{' '}
				<span>{label}</span>
			</label>
			{/* Below the label, not below the checkbox. */}
			{(help || field.errors) && (
				<div className="-mt-2.5 pl-7">
					<Notes field={field} help={help} />
				</div>
			)}
		</div>
	)
}

type Radios = Omit<Common, 'width'> & { options: readonly Radio[]; defaultValue?: string }

const ROWS: Readonly<Record<number, string>> = { 2: 'flex flex-wrap gap-x-8', 4: 'grid w-fit grid-cols-2 gap-x-8' }

/** A question with few answers, all visible. */
export function RadioField({ field, label, help, options, defaultValue = readFieldText(field) }: Radios) {
	const { id, 'aria-describedby': describedBy, 'aria-invalid': isInvalid = false } = describeField(field, help)
	return (
		<FieldSet legend={label} describedBy={describedBy} isInvalid={isInvalid}>
			{/* Two options without help stand on one line where they fit, four on two lines. */}
			<div className={options.some((option) => option.help) ? undefined : ROWS[options.length]}>
				{options.map((option, index) => (
					// The first option has the field's id, because the error summary links to it.
					<RadioOption
						key={option.value}
						{...option}
						id={index === 0 ? id : `${id}-${index}`}
						name={field.name}
						isChosen={option.value === defaultValue}
					/>
				))}
			</div>
			<Notes field={field} help={help} />
		</FieldSet>
	)
}

type FailedForm = { id?: string; errors?: string[]; allErrors?: Record<string, string[]> }

type Summary = {
	form: FailedForm
	fields?: readonly FieldState[]
	/** Changes with every reply to the form, also when it says the same again. */
	reply?: unknown
}

/** Above the failed form: every message, each a link to its field. A message about no field of the page, such as a hidden one, is text. */
export function ErrorSummary({ form, fields = [], reply }: Summary) {
	const answer = useLastAnswer()
	const region = useRef<HTMLDivElement>(null)
	const named = fields.flatMap(({ id, errors }) => (errors ?? []).map((message) => ({ message, id })))
	const others = Object.entries(form.allErrors ?? {})
		.filter(([name]) => name && !fields.some(({ id }) => id === `${form.id}-${name}`))
		.flatMap(([, messages]) => messages)
		.filter((message) => !named.some((each) => each.message === message))
	const lines = [...(form.errors ?? []), ...others].map((message): { message: string; id?: string } => ({ message })).concat(named)
	const said = lines.map(({ message }) => message).join('\n')
	useEffect(() => {
		if (!said) return
		region.current?.focus()
		// The title from the server may already start with `Error: `. The prefix goes when the summary goes.
		const title = document.title.replace(/^(Error: )+/, '')
		document.title = `Error: ${title}`
		return () => {
			document.title = document.title.replace(/^(Error: )+/, '')
		}
	}, [said, answer, reply])
	if (lines.length === 0) return null
	return (
		<div className="rounded-box border-error bg-base-100 mb-6 border-2 px-5 pt-3.5 pb-4" role="alert" tabIndex={-1} ref={region}>
			<h2 className="mt-0!">There is a problem</h2>
			<ul className="mt-1.5">
				{lines.map(({ message, id }) => (
					<li key={`${id} ${message}`} className="text-error">
						{id ? (
							<a className="inline-block py-1 font-semibold text-inherit" href={`#${id}`}>
								{message}
							</a>
						) : (
							message
						)}
					</li>
				))}
			</ul>
		</div>
	)
}

type Button = Omit<ComponentPropsWithoutRef<'button'>, 'type' | 'className'> & {
	/** One main button per page; `danger` for what cannot be undone; `link` beside a main button. */
	kind?: 'main' | 'plain' | 'danger' | 'link'
	/** Pressing it sends nothing for now: the focus goes to the first field with an error, if there is one. */
	isOff?: boolean
}
/** A button that looks like a link. */
export const LINK = 'link text-primary decoration-primary/40 hover:decoration-current min-h-10 underline-offset-3 in-[.report]:min-h-8'
/** On a phone a main button is as wide as its form, and what else is in its row stands below. */
const MAIN = 'btn btn-primary max-sm:[:is(form,fieldset,.actions)>&]:w-full'
const KINDS = { main: MAIN, plain: 'btn', danger: 'btn btn-error', link: LINK }
const OFF = 'min-h-10 cursor-not-allowed'

/** Shows the sending state only on the button that was pressed. */
export function SubmitButton({ kind = 'main', isOff = false, children, onClick, ...button }: Button) {
	const isSending = useContext(SendingContext)
	const [isPressed, setPressed] = useState(false)
	const isBusy = isSending && isPressed
	useEffect(() => {
		if (!isSending) setPressed(false)
	}, [isSending])
	return (
		<button
			{...button}
			type="submit"
			className={isOff && kind === 'link' ? OFF : KINDS[kind]}
			aria-busy={isBusy || undefined}
			aria-disabled={isSending || isOff || undefined}
			onClick={(event) => {
				if (isOff) {
					event.preventDefault()
					// Shows what must be corrected first.
					return event.currentTarget.form?.querySelector<HTMLElement>('[aria-invalid]:not(fieldset)')?.focus()
				}
				setPressed(true)
				onClick?.(event)
			}}
		>
			{isBusy && <Spinner />}
			{children}
		</button>
	)
}
