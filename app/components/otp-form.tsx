import { type SubmissionResult, useForm } from '@conform-to/react'
import { type ReactNode, useEffect, useState } from 'react'
import { Banner } from './banner'
import { FileField } from './file-field'
import { ErrorSummary, Field, type FieldState, SelectField, SubmitButton } from './form'
import { PostForm } from './post-form'
import { useLive } from './use-live'

/** The proofs that the request needs. */
type Proof = {
	/** The kinds of proof, when the client must choose one. */
	types: readonly string[]
	files: readonly { name: string; label: string }[]
	/** Which papers count as a proof. */
	papers?: ReactNode
	/** Why, shown above its fields. */
	why?: string
	/** The reason is a warning. */
	isWarned: boolean
}

type Props = {
	/** The step's id, so that a form of an older step is recognised. */
	step: string
	/** The address where the journey begins. */
	start: string
	/** Idempotency key, when verifying moves money or securities. */
	idempotencyKey?: string
	/** Replaces the text on where the code went and what it looks like. */
	notice?: ReactNode
	/** Where the code was sent and how long it is valid. */
	sentTo: string
	until?: string
	resendAt?: string
	/** Seconds until `resendAt`. */
	resendIn?: number
	attemptsLeft?: number
	needsMicr?: boolean
	proof?: Proof
	result?: SubmissionResult<string[]>
	/** No code can complete the request any more. */
	isOver?: boolean
	/** What is requested, shown above the form. */
	children?: ReactNode
}

type Fields = Record<'otp' | 'micr_code' | 'file_type' | 'file' | 'file2', string>

/** The OTP step of a journey, or its end when no code can complete it any more. */
export function OtpStep({ isOver, children, ...props }: Props) {
	if (!isOver) return <OtpForm {...props}>{children}</OtpForm>
	return (
		<>
			<ErrorSummary form={{ errors: props.result?.error?.[''] ?? undefined }} />
			<p>
				<a href={props.start} className="btn btn-primary">
					Start again
				</a>
			</p>
		</>
	)
}

/** The code and the other fields. Files come last, because they are streamed: the code is checked before their first byte is sent. */
function OtpForm(props: Omit<Props, 'isOver'>) {
	const { step, idempotencyKey, notice, resendAt, resendIn, needsMicr, proof, result, children } = props
	const [form, fields] = useForm<Fields>({ id: 'otp', lastResult: result as SubmissionResult<string[]> })
	const { otp, micr_code, file_type, file, file2 } = fields
	// Clears the refused code. A new page would not hold it; with a script the field would keep it. Only with the reply: the page loads again
	// after it, and the next code may be typed by then.
	const { id } = otp
	const hasResult = Boolean(result)
	useEffect(() => {
		const box = document.getElementById(id)
		if (result && box instanceof HTMLInputElement) box.value = ''
	}, [result, id])
	// A code that was sent is typed next.
	useEffect(() => {
		if (!hasResult) document.getElementById(id)?.focus({ preventScroll: true })
	}, [hasResult, id, resendAt])
	return (
		<>
			<ErrorSummary form={form} fields={[otp, micr_code, file_type, file, file2]} />
			<div className="[&>dl]:mb-6!">{children}</div>
			{notice ?? <SentTo {...props} />}
			<PostForm id={form.id} encType={proof && 'multipart/form-data'} idempotencyKey={idempotencyKey} className="mt-3" noValidate>
				<input type="hidden" name="step" value={step} />
				<Field
					field={otp}
					label="OTP"
					help={notice ? undefined : '6 digits'}
					inputMode="numeric"
					autoComplete="one-time-code"
					maxLength={20}
					width={8}
					defaultValue=""
					required
				/>
				{needsMicr && (
					<Field field={micr_code} label="MICR" help="9 digits, at the foot of a cheque" inputMode="numeric" width={8} required />
				)}
				{proof && <ProofFields {...proof} fields={fields} answer={result} />}
				<SubmitButton>Verify OTP</SubmitButton>
			</PostForm>
			<OtherWays key={`${step} ${resendAt}`} step={step} resendAt={resendAt} resendIn={resendIn} />
		</>
	)
}

type ProofProps = Proof & { fields: Record<'file_type' | 'file' | 'file2', FieldState>; answer: Props['result'] }

function ProofFields({ types, files, papers, why, isWarned, fields, answer }: ProofProps) {
	return (
		<>
			{why && <Banner kind={isWarned ? 'warning' : 'info'}>{why}</Banner>}
			{types.length > 0 && (
				<SelectField
					field={fields.file_type}
					label="Proof type"
					width={24}
					options={[{ value: '', label: 'Select the type of proof' }, ...types.map((type) => ({ value: type, label: type }))]}
				/>
			)}
			{files.map(({ name, label }, at) => (
				<FileField
					key={name}
					field={fields[name === 'file2' ? 'file2' : 'file']}
					label={label}
					help={at === 0 ? `PDF, JPEG or PNG, at most 5 MB${files.length > 1 ? ' each' : ''}, without a password.` : undefined}
					answer={answer}
				/>
			))}
			{papers}
		</>
	)
}

/** Shows the attempts that are left, except after a wrong code, whose error already shows them. */
function SentTo({ sentTo, until, attemptsLeft, result }: Pick<Props, 'sentTo' | 'until' | 'attemptsLeft' | 'result'>) {
	return (
		<p>
			{sentTo}.
			{until && (
				<>
					{' '}
					It is valid until <b className="whitespace-nowrap">{until}</b>.
				</>
			)}
			{attemptsLeft !== undefined &&
				!result?.error?.otp &&
				` You have ${attemptsLeft} ${attemptsLeft === 1 ? 'attempt' : 'attempts'} left.`}
		</p>
	)
}

/** For a client whose code does not work. With a script the wait counts down, and nothing is sent before it ends. */
function OtherWays({ step, resendAt, resendIn }: Pick<Props, 'step' | 'resendAt' | 'resendIn'>) {
	const left = useSecondsLeft(resendAt ? (resendIn ?? 0) : 0)
	const isLive = useLive()
	const mustWait = isLive && left > 0
	return (
		<>
			{/* The links are as high as buttons, so their text is further from the edges of the row. */}
			<div className="mt-2 -mb-2! flex flex-wrap items-center gap-x-5">
				<PostForm className={mustWait ? 'text-muted flex items-baseline gap-1' : undefined}>
					<input type="hidden" name="step" value={step} />
					<input type="hidden" name="intent" value="resend_otp" />
					<SubmitButton kind="link" isOff={mustWait}>
						Resend OTP
					</SubmitButton>
					{mustWait && (
						<span>
							in <span className="figure">{`${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`}</span>
						</span>
					)}
				</PostForm>
				<PostForm>
					<input type="hidden" name="step" value={step} />
					<input type="hidden" name="intent" value="start_again" />
					<SubmitButton kind="link">Start again</SubmitButton>
				</PostForm>
			</div>
			{resendAt && !isLive && <p className="text-muted mt-2 text-xs">You can ask for a new OTP at {resendAt}.</p>}
		</>
	)
}

/** Returns the seconds left. They count down with a script. */
function useSecondsLeft(seconds: number): number {
	const [left, setLeft] = useState(seconds)
	useEffect(() => {
		if (seconds <= 0) return undefined
		const end = Date.now() + seconds * 1000
		const clock = setInterval(() => setLeft(Math.max(0, Math.round((end - Date.now()) / 1000))), 1000)
		return () => clearInterval(clock)
	}, [seconds])
	return left
}
