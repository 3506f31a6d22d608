import { type SubmissionResult, useForm } from '@conform-to/react'
import { type ReactNode, useEffect } from 'react'
import { ErrorSummary, Field, PasswordField, SubmitButton } from '~/components/form'
import { PostForm } from '~/components/post-form'

type Props = ({ step: 1 } | { step: 2; id: string; until: string; mayResendAt?: string } | { step: 3; id: string; until: string }) & {
	answered?: SubmissionResult<string[]>
}

type Fields = { username?: string; otp?: string; new_password?: string; confirm_password?: string }

/** The step that the client is at: who, the code, the new password. */
export function ForgotPasswordForm({ answered, ...at }: Props) {
	const [form, fields] = useForm<Fields>({ id: `forgot-password-${at.step}`, lastResult: answered as SubmissionResult<string[]> })
	const shown = [[fields.username], [fields.otp], [fields.new_password, fields.confirm_password]][at.step - 1] ?? []
	// A new page would not have the code any more that was refused; a script leaves what was typed where it was.
	const { id } = fields.otp
	useEffect(() => {
		const box = document.getElementById(id)
		if (answered && box instanceof HTMLInputElement) box.value = ''
	}, [answered, id])
	return (
		<>
			<ErrorSummary form={form} fields={shown} />
			<p className="eyebrow">Step {at.step} of 3</p>
			{at.step === 1 && (
				<PostForm id={form.id} noValidate>
					<Intent of="send_otp" />
					<Field
						field={fields.username}
						label="Client code"
						autoComplete="username"
						autoCapitalize="characters"
						spellCheck={false}
						help="We send a code to the mobile number that is registered for it."
						required
					/>
					<SubmitButton>Send OTP</SubmitButton>
				</PostForm>
			)}
			{at.step === 2 && (
				<>
					<p>
						If the client code exists, we have sent a 6-digit code to its registered mobile number. Valid until <b>{at.until}</b>.
					</p>
					<PostForm id={form.id} noValidate>
						<Intent of="verify_otp" step={at.id} />
						<Field
							field={fields.otp}
							label="OTP"
							inputMode="numeric"
							autoComplete="one-time-code"
							maxLength={20}
							width={8}
							defaultValue=""
							required
						/>
						<SubmitButton>Verify OTP</SubmitButton>
					</PostForm>
					<Others step={at.id}>
						<PostForm>
							<Intent of="resend_otp" step={at.id} />
							<SubmitButton kind="link">Resend OTP</SubmitButton>
						</PostForm>
					</Others>
					{at.mayResendAt && <p className="help">You can ask for a new OTP at {at.mayResendAt}.</p>}
				</>
			)}
			{at.step === 3 && (
				<>
					<p>
						The code is right. Choose a new password until <b>{at.until}</b>; every session of yours ends with it.
					</p>
					<PostForm id={form.id} noValidate>
						<Intent of="reset" step={at.id} />
						<PasswordField field={fields.new_password} label="New password" autoComplete="new-password" required />
						<PasswordField field={fields.confirm_password} label="Confirm password" autoComplete="new-password" required />
						<SubmitButton>Change Password</SubmitButton>
					</PostForm>
					<Others step={at.id} />
				</>
			)}
			<p className="mt-4">
				<a href="/login">Back to login</a>
			</p>
		</>
	)
}

function Intent({ of, step }: { of: string; step?: string }) {
	return (
		<>
			<input type="hidden" name="intent" value={of} />
			{step && <input type="hidden" name="step" value={step} />}
		</>
	)
}

function Others({ step, children }: { step: string; children?: ReactNode }) {
	return (
		<div className="actions">
			{children}
			<PostForm>
				<Intent of="start_again" step={step} />
				<SubmitButton kind="link">Start again</SubmitButton>
			</PostForm>
		</div>
	)
}
