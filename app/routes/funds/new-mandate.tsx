import { type useForm } from '@conform-to/react'
import { AmountField } from '~/components/amount-field'
import { type bankOptions } from '~/components/bank-options'
import { Empty } from '~/components/empty'
import { Failed, type FailureNotice } from '~/components/failed'
import { RadioField, SelectField, SubmitButton } from '~/components/form'
import { PostForm } from '~/components/post-form'

export type MandateTyped = { amount?: string; bank?: string; channel?: string }

type Form = ReturnType<typeof useForm<MandateTyped>>

type Props = {
	action: string
	form: Form[0]
	fields: Form[1]
	idempotencyKey: string
	/** Undefined when they could not be loaded. */
	banks: ReturnType<typeof bankOptions>
	banksFailure?: FailureNotice
	noBank: string
	limit?: string
	channels: readonly { value: string; label: string }[]
	/** The broker lists the mandates, so the client can cancel one here. */
	isListed: boolean
}

/** The form of a mandate, and beside it how a mandate works. */
export function NewMandate({ form, fields, banks, banksFailure, noBank, limit, channels, isListed, action, idempotencyKey }: Props) {
	return (
		<>
			<p className="mb-4 max-sm:mb-3 max-sm:text-sm">
				A mandate lets us take what you owe from your bank when it is due, never more than the amount at once.
			</p>
			<div className="grid items-start gap-x-12 gap-y-6 lg:grid-cols-[24rem_minmax(0,1fr)]">
				<div>
					{banks?.length === 0 ? (
						<Empty text={noBank} action={{ href: '/myaccount/bank', label: 'Add a bank account' }} />
					) : banks ? (
						// A full-page post, because the reply redirects to another site or sends a file.
						<PostForm id={form.id} action={action} idempotencyKey={idempotencyKey} noValidate reloadDocument>
							<AmountField field={fields.amount} help={`Maximum per debit. ${limit ?? ''}`} />
							<SelectField field={fields.bank} label="Bank account" width={24} options={banks} />
							<RadioField field={fields.channel} label="Channel" options={channels} />
							<SubmitButton>Create mandate</SubmitButton>
						</PostForm>
					) : null}
					{banksFailure && <Failed what={BANKS} failure={banksFailure} />}
				</div>
				<div className="text-sm">
					<h3 className="mb-1">How it works</h3>
					<ul className="list-disc space-y-1 pl-5">
						<li>Your bank tells you a day before each debit.</li>
						<li>
							{isListed
								? 'It lasts until the date shown in Mandates, or until you cancel it here.'
								: 'It lasts as long as your bank allows, unless you cancel it.'}
						</li>
					</ul>
				</div>
			</div>
		</>
	)
}

export const BANKS = 'Your bank accounts'
