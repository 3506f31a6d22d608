import { type SubmissionResult, useForm } from '@conform-to/react'
import { Banner } from '~/components/banner'
import { CheckboxField, Field, SelectField, SubmitButton } from '~/components/form'
import { PostForm } from '~/components/post-form'
import { SummaryList } from '~/components/summary-list'
import { Unbroken } from '~/components/unbroken'

type Name = 'acc_number' | 'confirm_acc_number' | 'ifsc_code' | 'account_type' | 'set_default' | 'micr_code' | 'asks_micr'
export type NewBankTyped = Partial<Record<Name, string>>

const KEPT = ['acc_number', 'confirm_acc_number', 'ifsc_code', 'account_type', 'set_default'] as const
const TYPES = [
	{ value: '', label: 'Select the account type' },
	{ value: 'Savings', label: 'Savings' },
	{ value: 'Current', label: 'Current' },
]

const NEXT =
	'We send an OTP to your mobile number, and pay ₹\u00A01 into the account to check the name. If the bank does not confirm it, you also add a cancelled cheque in the next step, and e-sign.'

/** The state of the form: its page shows the errors above the list of accounts. `typed` is what was typed before the session ended. */
export const useBankForm = (result: SubmissionResult<string[]> | undefined, typed: NewBankTyped | undefined) =>
	useForm<NewBankTyped>({ id: 'bank', lastResult: result, defaultValue: typed })

type Props = {
	state: ReturnType<typeof useBankForm>
	/** The typed values, when the broker only asks for the MICR code. */
	micr?: NewBankTyped
}

/** Adds a bank account, or asks only for the MICR code of an account that was already typed. */
export function BankForm({ state: [form, fields], micr }: Props) {
	const { acc_number, confirm_acc_number, ifsc_code, account_type, set_default, micr_code } = fields
	if (micr) {
		return (
			<>
				<Banner kind="warning">The bank is not known by its IFSC alone. Enter the MICR code; everything else is kept.</Banner>
				<SummaryList
					items={[
						{ label: 'Account number', value: `••••••${(micr.acc_number ?? '').trim().slice(-4)}` },
						{ label: 'IFSC', value: micr.ifsc_code?.toUpperCase() },
						{ label: 'Account type', value: micr.account_type },
						{ label: 'Set as default', value: micr.set_default ? 'Yes' : 'No' },
					]}
				/>
				<PostForm id={form.id} action="/myaccount/bank" noValidate>
					{KEPT.map((name) => micr[name] && <input key={name} type="hidden" name={name} value={micr[name]} />)}
					<input type="hidden" name="asks_micr" value="1" />
					<Micr field={micr_code} />
					<div className="actions">
						<SubmitButton>Send OTP</SubmitButton>
						<a href="/myaccount/bank">Start again</a>
					</div>
				</PostForm>
			</>
		)
	}
	return (
		<PostForm id={form.id} action="/myaccount/bank" noValidate>
			<Field
				field={acc_number}
				label="Account number"
				help="9 to 18 digits. The account must be in your name."
				inputMode="numeric"
				width={16}
				required
			/>
			<Field field={confirm_acc_number} label="Confirm account number" inputMode="numeric" width={16} required />
			<Field
				field={ifsc_code}
				label="IFSC"
				help="11 letters and numbers, like HDFC0001234"
				autoCapitalize="characters"
				spellCheck={false}
				width={8}
				required
			/>
			<SelectField field={account_type} label="Account type" options={TYPES} />
			<CheckboxField
				field={set_default}
				label="Set as default"
				help="Payouts then go to this account"
				defaultChecked={set_default.initialValue === 'on'}
			/>
			<p className="text-sm">
				<Unbroken text={NEXT} />
			</p>
			<div className="actions">
				<SubmitButton>Send OTP</SubmitButton>
			</div>
		</PostForm>
	)
}

function Micr({ field }: { field: Parameters<typeof Field>[0]['field'] }) {
	return <Field field={field} label="MICR" help="9 digits, at the foot of a cheque" inputMode="numeric" width={8} required />
}
