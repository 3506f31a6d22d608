import { type SubmissionResult } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { AccountNo, BankAccountType, Ifsc } from '#contract/modifications'
import { unreadIn } from '#contract/tolerant'
import { type Broker, BrokerRefusal } from '~/broker/client.server'
import { changeDefaultBank } from '~/broker/modifications.server'
import { findBankDetails, getBankDetails } from '~/broker/profile.server'
import { Failed } from '~/components/failed'
import { ErrorSummary } from '~/components/form'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { RestoredFormNotice, WaitingOtpNotice } from '~/components/restored-form-notice'
import { findChosenBank } from '~/forms/bank-options.server'
import { withFormRecovery, takeRecoveredForm } from '~/forms/form-recovery.server'
import { invalid, lookUp, unanswered, replyWith, extendReply } from '~/forms/form.server'
import { readIdempotencyKey } from '~/forms/idempotency-key'
import { runIdempotent, createIdempotencyKey } from '~/forms/idempotency.server'
import { createCodeSchema, createTextSchema } from '~/forms/typed-fields.server'
import { readRefresh } from '~/http/hard-refresh.server'
import { loadPart } from '~/http/partial-data.server'
import { tellUnread } from '~/reports/unread.server'
import { audit } from '~/session/audit.server'
import { requireBroker } from '~/session/session.server'
import { redirectWithToast } from '~/session/toast.server'
import { loadAgain } from '~/lib/load-again'
import { listBanks } from './bank-list.server'
import { BankForm, type NewBankTyped, useBankForm } from './bank-form'
import { BankTable } from './bank-table'
import { bankChange, type NewBankDetails } from './change-definitions.server'
import { INVALID_MICR, MicrTyped } from './micr.server'
import { ADD_BANK } from './change-steps'
import { FORM_WIDTH, StepCard } from './step-card'
import { FoldedForm } from './folded-form'
import { WaitingChanges } from './waiting-changes'
import { listWaitingChanges } from './waiting-changes.server'

export const handle = { title: 'Bank accounts', canRefresh: true }

/** `asksMicr`: the broker did not know the IFSC, so the MICR code is required. */
const createNewBank = (asksMicr: boolean) =>
	z
		.object({
			acc_number: createCodeSchema('Enter the account number').pipe(
				createTextSchema(AccountNo, 'Account number must be between 9 and 18 digits'),
			),
			confirm_acc_number: createCodeSchema('Enter the account number again'),
			ifsc_code: createCodeSchema('Enter an IFSC')
				.transform((typed) => typed.toUpperCase())
				.pipe(createTextSchema(Ifsc, 'Enter an IFSC in the correct format, like HDFC0001234')),
			account_type: z.enum(BankAccountType.options, 'Select the account type'),
			set_default: z
				.literal('on')
				.optional()
				.transform((ticked) => ticked === 'on'),
			asks_micr: z.literal('1').optional(),
			micr_code: asksMicr ? MicrTyped : MicrTyped.optional(),
		})
		.refine((typed) => typed.acc_number === typed.confirm_acc_number, {
			path: ['confirm_acc_number'],
			error: 'The account numbers are not the same',
			// Also when another field is wrong, so that one reply says all.
			when: ({ issues }) => !issues.some(({ path }) => /acc_number/.test(String(path?.[0]))),
		})

const DEFAULT = 'default-bank'

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const [banks, waiting, { typed, headers: unsent }, pending] = await Promise.all([
		loadPart(broker, getBankDetails(broker, readRefresh(request))),
		listWaitingChanges(broker, bankChange.kind),
		takeRecoveredForm(request, broker.clientCode),
		bankChange.findPending(request, broker),
	])
	const { key, headers } = createIdempotencyKey(request, DEFAULT, broker, unsent)
	return data(
		{
			key,
			failure: banks.failure,
			unread: tellUnread(banks.data && unreadIn(banks.data)),
			table: banks.data && listBanks(banks.data, new URL(request.url)),
			waiting,
			typed: typed ? (parseWithZod(typed, { schema: createNewBank(false) }).payload as NewBankTyped) : pending && fillAgain(pending),
			isRecovered: typed !== undefined,
			otpAt: pending && !typed ? `${bankChange.path}/otp` : undefined,
		},
		{ headers },
	)
}

/** Returns the form of an account that waits for its OTP, for the back button of the OTP page. */
const fillAgain = ({ acc_number, ifsc_code, account_type, set_default }: z.output<typeof NewBankDetails>): NewBankTyped => ({
	acc_number,
	confirm_acc_number: acc_number,
	ifsc_code,
	account_type,
	...(set_default && { set_default: 'on' }),
})

export async function action({ request }: ActionFunctionArgs) {
	return await withFormRecovery(request, async (form, broker) => {
		if (form.get('intent') === 'make_default') return await makeDefault(request, broker, form)
		const submission = parseWithZod(form, { schema: createNewBank(form.has('asks_micr')) })
		const typed = submission.payload as NewBankTyped
		if (submission.status !== 'success') {
			const isMicrAlone = typed.asks_micr === '1' && Object.keys(submission.error ?? {}).every((name) => name === 'micr_code')
			return extendReply(invalid(submission), { micr: isMicrAlone ? typed : undefined })
		}
		const { acc_number, ifsc_code, account_type, set_default, micr_code } = submission.value
		try {
			return await bankChange.start(request, broker, { acc_number, ifsc_code, account_type, set_default, micr_code })
		} catch (error) {
			if (error instanceof BrokerRefusal && error.message === INVALID_MICR)
				return data({ result: replyWith(submission, { fieldErrors: { micr_code: [INVALID_MICR] } }), micr: typed }, { status: 422 })
			return await unanswered(submission, error)
		}
	})
}

async function makeDefault(request: Request, broker: Broker, form: FormData) {
	const submission = parseWithZod(form, { schema: z.object({ bank: z.string() }) })
	const banks = await lookUp(form, findBankDetails(broker))
	if (banks.failed) return extendReply(banks.failed, { isDefault: true })
	const bank = findChosenBank(banks.found, String(form.get('bank')))
	const unchanged = (message: string, status: number) =>
		data({ result: replyWith(submission, { formErrors: [message] }), isDefault: true }, { status })
	if (!bank) return unchanged('That account is not in the list any more. Choose again.', 400)
	if (!bank.micr_code) return unchanged('The MICR code of this account is not known. Contact support.', 422)
	const { bank_acno: acc_no, bank_name, micr_code, ifsc_code_act: ifsc_code } = bank
	const done = await runIdempotent({ broker, name: DEFAULT, form, submission }, (key) =>
		changeDefaultBank(broker, { acc_no, bank_name, micr_code, ifsc_code }, key),
	)
	if ('again' in done) return extendReply(done.again, { isDefault: true })
	audit('default_bank_changed', request, broker.clientCode)
	const toast = { kind: 'success', message: 'Default bank changed successfully' } as const
	return await redirectWithToast('/myaccount/bank', toast, { headers: done.headers })
}

export const shouldRevalidate = loadAgain

export default function Bank() {
	const { table, unread, failure, waiting, typed, isRecovered, otpAt, key } = useLoaderData<typeof loader>()
	const answered = useActionData<typeof action>()
	const ofTable = answered && 'isDefault' in answered ? answered : undefined
	const ofForm = answered && !('isDefault' in answered) ? answered : undefined
	const state = useBankForm(ofForm?.result as SubmissionResult<string[]> | undefined, typed)
	const [newBank, { acc_number, confirm_acc_number, ifsc_code, account_type, set_default, micr_code }] = state
	const hasBanks = table && table.banks.length > 0
	const micr = ofForm && 'micr' in ofForm ? ofForm.micr : undefined
	const form = (
		<>
			{isRecovered && <RestoredFormNotice />}
			{otpAt && <WaitingOtpNotice href={otpAt} />}
			<BankForm state={state} micr={micr} />
		</>
	)
	return (
		<>
			<PageTitle title="Bank accounts" />
			{/* Above the list: it must be in the first screen of a phone. */}
			<ErrorSummary
				form={ofTable ? { errors: ofTable.result.error?.[''] ?? undefined } : newBank}
				fields={micr ? [micr_code] : [acc_number, confirm_acc_number, ifsc_code, account_type, set_default, micr_code]}
			/>
			<WaitingChanges changes={waiting} isMain={hasBanks} />
			{table ? (
				<BankTable {...table} unread={unread} idempotencyKey={readIdempotencyKey(ofTable, key)} />
			) : (
				<div className={FORM_WIDTH}>{failure && <Failed what="Your bank accounts" failure={failure} isPage />}</div>
			)}
			{hasBanks ? (
				<FoldedForm label={ADD_BANK} isOpen={typed !== undefined || ofForm !== undefined}>
					<StepCard step={1} change="bank">
						{form}
					</StepCard>
				</FoldedForm>
			) : (
				<StepCard step={1} change="bank" title={ADD_BANK}>
					{form}
				</StepCard>
			)}
		</>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="Bank accounts" />
}
