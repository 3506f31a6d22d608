import { type useForm } from '@conform-to/react'
import { AmountField } from '~/components/amount-field'
import { type bankOptions } from '~/components/bank-options'
import { Beside } from '~/components/beside'
import { Empty } from '~/components/empty'
import { Failed, type FailureNotice } from '~/components/failed'
import { RadioField, SelectField, SubmitButton } from '~/components/form'
import { PostForm } from '~/components/post-form'
import { Section } from '~/components/section'

export type MandateTyped = { amount?: string; bank?: string; channel?: string }

type Form = ReturnType<typeof useForm<MandateTyped>>

type Props = {
	/** The heading of the form. */
	title?: string
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

/** NPCI allows a mandate for 40 years at most. */
const UNTIL_CANCELLED = 'It lasts for at most 40 years, until the day shown in the list, or until you cancel it.'
const UNTIL_ENDED = 'It lasts as long as your bank allows, at most 40 years, unless you cancel it at your bank.'

/** The form of a mandate, with how a mandate works. */
export function NewMandate({ title, form, fields, banks, banksFailure, noBank, limit, channels, isListed, action, idempotencyKey }: Props) {
	return (
		<Beside
			title={title}
			summary={
				<Section title="How a mandate works">
					<ul className="list-disc space-y-1 pl-5 text-sm">
						<li>We may debit your bank for what you owe us, up to this amount each time.</li>
						<li>Your bank tells you a day before each debit.</li>
						<li>{isListed ? UNTIL_CANCELLED : UNTIL_ENDED}</li>
					</ul>
				</Section>
			}
		>
			{banks?.length === 0 ? (
				<Empty text={noBank} action={{ href: '/myaccount/bank', label: 'Add a bank account' }} />
			) : banks ? (
				// A full-page post, because the reply redirects to another site or sends a file.
				<PostForm id={form.id} action={action} idempotencyKey={idempotencyKey} noValidate reloadDocument>
					<AmountField field={fields.amount} help={`The most that one debit may take. ${limit ?? ''}`} />
					<SelectField field={fields.bank} label="Bank account" width={24} options={banks} />
					<RadioField field={fields.channel} label="Channel" options={channels} />
					<SubmitButton>Create mandate</SubmitButton>
				</PostForm>
			) : null}
			{banksFailure && <Failed what={BANKS} failure={banksFailure} />}
		</Beside>
	)
}

/** The name of what the form needs, in a sentence. */
export const BANKS = 'Your bank accounts'
