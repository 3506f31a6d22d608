import { type SubmissionResult, useForm } from '@conform-to/react'
import { ErrorSummary, PasswordField, SubmitButton } from '~/components/form'
import { OtpStep } from '~/components/otp-form'
import { PostForm } from '~/components/post-form'
import { StepLine } from '~/components/step-line'
import { useRoot } from '~/components/use-root'
import { CONFIRM_HELP } from '~/lib/password-words'
import { CallLine } from './call-line'
import { ClientCodeField } from './client-code-field'

type Props = ({ step: 1 } | { step: 2 | 3; form: { step: string; sentTo: string; until?: string; resendAt?: string } }) & {
	answered?: SubmissionResult<string[]>
}

type Fields = { username?: string; new_password?: string; confirm_password?: string }

/** The current step: the client, the code, or the new password. */
export function ForgotPasswordForm({ answered, ...at }: Props) {
	const [form, fields] = useForm<Fields>({ id: `forgot-password-${at.step}`, lastResult: answered as SubmissionResult<string[]> })
	const { passwordRule } = useRoot().brand
	const shown = at.step === 1 ? [fields.username] : [fields.new_password, fields.confirm_password]
	if (at.step === 2)
		return (
			<>
				<OtpStep
					{...at.form}
					start="/forgot-password"
					result={answered}
					notice={
						<>
							<Step at={2} />
							<p>
								If the client code exists, we have sent a 6-digit OTP to the mobile number registered with us. Valid until{' '}
								<b className="whitespace-nowrap">{at.form.until}</b>.
							</p>
						</>
					}
				/>
				<BackToLogin />
			</>
		)
	return (
		<>
			<ErrorSummary form={form} fields={shown} />
			<Step at={at.step} />
			{at.step === 1 && (
				<PostForm id={form.id} noValidate>
					<Intent of="send_otp" />
					<ClientCodeField field={fields.username} next="We send an OTP to the mobile number registered with us." />
					<SubmitButton>Send OTP</SubmitButton>
				</PostForm>
			)}
			{at.step === 3 && (
				<>
					<p>
						The OTP is right. Choose a new password before <b className="whitespace-nowrap">{at.form.until}</b>. Every device is then logged
						out.
					</p>
					<PostForm id={form.id} noValidate>
						<Intent of="reset" step={at.form.step} />
						<PasswordField field={fields.new_password} label="New password" help={passwordRule} autoComplete="new-password" required />
						<PasswordField
							field={fields.confirm_password}
							label="Confirm password"
							help={CONFIRM_HELP}
							autoComplete="new-password"
							required
						/>
						<SubmitButton>Change Password</SubmitButton>
					</PostForm>
					<div className="actions">
						<PostForm>
							<Intent of="start_again" step={at.form.step} />
							<SubmitButton kind="link">Start again</SubmitButton>
						</PostForm>
					</div>
				</>
			)}
			<BackToLogin />
		</>
	)
}

function Step({ at }: { at: number }) {
	return (
		<p className="text-xs text-muted">
			<StepLine step={at} steps={['client code', 'OTP', 'new password']} />
		</p>
	)
}

function BackToLogin() {
	return (
		<>
			<p className="mt-4">
				<a href="/login">Back to login</a>
			</p>
			<CallLine />
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
