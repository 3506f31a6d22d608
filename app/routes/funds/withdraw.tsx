import { useForm } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { bankChoices, chosenBank } from '~/banks.server'
import { type Broker } from '~/broker/client.server'
import { LedgerCocd } from '~/broker/contract/common'
import { getPayoutTimetable, requestPayout } from '~/broker/funds.server'
import { getDashboardDeductedLedger } from '~/broker/dashboard.server'
import { getBankDetails, ledgersOf } from '~/broker/profile.server'
import { Banner } from '~/components/banner'
import { BridgeTable } from '~/components/bridge-table'
import { Failed } from '~/components/failed'
import { CheckboxField, ErrorSummary, Field, SelectField, SubmitButton } from '~/components/form'
import { Offered } from '~/components/offered'
import { keyOf } from '~/components/once-key'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PostForm } from '~/components/post-form'
import { Section } from '~/components/section'
import { AmountTyped, invalid, readForm } from '~/forms.server'
import { whenOf } from '~/funds.server'
import { retryAfter } from '~/headers.server'
import { formatDay } from '~/lib/days'
import { formatRupees } from '~/lib/money'
import { SEGMENT_NAMES } from '~/lib/segments'
import { log } from '~/log.server'
import { once, onceKey } from '~/once.server'
import { part, wholePage } from '~/parts.server'
import { requestIdOf, requireBroker } from '~/session.server'
import { keepUnsent, takeUnsent } from '~/unsent.server'
import { bridgeOf } from '~/withdrawable.server'

export const handle = { title: 'Funds' }

export const headers = retryAfter

const FORM = 'withdraw'

const Withdrawal = z.object({
	ledgers: z.array(z.enum(LedgerCocd.options)).min(1, 'Select at least one ledger').max(2),
	amount: AmountTyped,
	bank: z.string('Select a bank account'),
})

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const reference = requestIdOf(request)
	const [banks, timetable, bridges, { typed, headers }] = await Promise.all([
		part(getBankDetails(broker), reference),
		part(getPayoutTimetable(broker), reference),
		bridgesOf(broker, reference),
		takeUnsent(request, broker.clientCode),
	])
	const { ledgers = [], open = [] } = timetable.data ?? {}
	const { key } = onceKey(request, FORM, headers)
	return data(
		{
			key,
			banks: banks.data && bankChoices(banks.data),
			banksFailure: banks.failure,
			ledgers: bridges.map(({ cocd, title, rows, mismatch, failure, withdrawable }) => {
				const batch = ledgers.find(({ COCD }) => COCD === cocd)
				return {
					cocd,
					title,
					rows,
					mismatch,
					failure,
					help: [
						withdrawable === undefined ? '' : `${formatRupees(withdrawable)} can be withdrawn.`,
						batch ? `Asked for before ${whenOf(batch.cut_off)}, it is in your bank by ${whenOf(batch.credited_by)}.` : '',
					].join(' '),
				}
			}),
			open: open.map(({ request_id, COCD, amount, credited_by }) => ({
				request_id,
				words: `A payout of ${formatRupees(amount)} from ${SEGMENT_NAMES[COCD]} is in progress. It is in your bank by ${whenOf(credited_by)}.`,
			})),
			all: formatRupees(bridges.reduce((sum, { withdrawable = 0 }) => sum + withdrawable, 0)),
			typed: typed && {
				ledgers: typed.getAll('ledgers').map(String),
				amount: String(typed.get('amount') ?? ''),
				bank: String(typed.get('bank') ?? ''),
			},
		},
		{ headers },
	)
}

async function bridgesOf(broker: Broker, reference: string) {
	const [deducted, cocds] = await Promise.all([part(getDashboardDeductedLedger(broker), reference), ledgersOf(broker)])
	return await Promise.all(
		cocds.map(async (cocd) => {
			const amount = deducted.data && (deducted.data.find(({ COCD }) => COCD === cocd)?.DUE_AMT ?? 0)
			return { cocd, withdrawable: undefined, later: [], ...(await bridgeOf(broker, cocd, amount, reference)) }
		}),
	)
}

export async function action({ request }: ActionFunctionArgs) {
	const form = await readForm(request)
	return await keepUnsent(request, form, async () => {
		const broker = await requireBroker(request)
		const reference = requestIdOf(request)
		const submission = parseWithZod(form, { schema: Withdrawal })
		if (submission.status !== 'success') return invalid(submission)
		const { ledgers, amount, bank: id } = submission.value
		const wrong = (field: string, message: string, status = 400) =>
			data({ result: submission.reply({ fieldErrors: { [field]: [message] } }) }, { status })
		const [banks, held] = await Promise.all([wholePage(getBankDetails(broker), reference), ledgersOf(broker)])
		const bank = chosenBank(banks, id)
		if (!bank) return wrong('bank', 'Select a bank account')
		if (ledgers.some((cocd) => !held.includes(cocd))) return wrong('ledgers', 'Commodity is not active on your account')
		const payout = { ledgers: [...new Set(ledgers)], amount, bank_acno: bank.bank_acno }
		const done = await once(broker, FORM, form, submission, (key) => requestPayout(broker, payout, key))
		if ('again' in done) return await explained(broker, done.again, payout, reference)
		log.info({ event: 'payout_asked', reference }, 'A client asked for a payout')
		return redirect(`/funds/payout?ref=${done.answer.request_id}&new=1`, { status: 303, headers: done.headers })
	})
}

type Again = Extract<Awaited<ReturnType<typeof once>>, { again: unknown }>['again']

/** The broker says no to more than there is; how much there is, and when there is more, is said beside the amount. Never trimmed. */
async function explained(broker: Broker, again: Again, { ledgers, amount }: { ledgers: LedgerCocd[]; amount: number }, reference: string) {
	if (again.init?.status !== 422) return again
	const chosen = (await bridgesOf(broker, reference)).filter(({ cocd }) => ledgers.includes(cocd))
	if (chosen.some(({ withdrawable }) => withdrawable === undefined)) return again
	const most = chosen.reduce((sum, { withdrawable = 0 }) => sum + withdrawable, 0)
	if (amount <= most) return again
	const [next] = chosen.flatMap(({ later }) => later).sort((a, b) => (a.on < b.on ? -1 : 1))
	const soon = next ? ` ${formatRupees(next.amount)} becomes available on ${formatDay(next.on)}.` : ''
	const error = { amount: [`You can withdraw up to ${formatRupees(most)} now.${soon}`] }
	return data({ ...again.data, result: { ...again.data.result, error } }, again.init)
}

export default function Withdraw() {
	const { key, banks, banksFailure, ledgers, open, all, typed } = useLoaderData<typeof loader>()
	const sent = useActionData<typeof action>()
	const [form, fields] = useForm<{ ledgers?: string[]; amount?: string; bank?: string }>({
		id: 'withdraw',
		lastResult: sent?.result,
		defaultValue: { ledgers: [], amount: '', bank: banks?.[0]?.value, ...typed },
	})
	const initial: unknown = fields.ledgers.initialValue
	const chosen = (Array.isArray(initial) ? initial : [initial]).map(String)
	return (
		<>
			<PageTitle title="Funds" note="Withdraw" />
			<ErrorSummary form={form} fields={[{ id: 'ledgers-0', errors: fields.ledgers.errors }, fields.amount, fields.bank]} />
			{open.map(({ request_id, words }) => (
				<Banner key={`${request_id} ${words}`} kind="info">
					{words} <a href={`/funds/payout?ref=${request_id}`}>See it, or cancel it</a>
				</Banner>
			))}
			{typed && <Offered />}
			{banks ? (
				<PostForm id={form.id} action="/funds/withdraw" idempotencyKey={keyOf(sent, key)} noValidate>
					<Ledgers ledgers={ledgers} chosen={chosen} errors={fields.ledgers.errors} />
					<Field
						field={fields.amount}
						label="Amount"
						help={`At most ${all} from all ledgers together. A balance may shrink by charges that are booked before the batch.`}
						inputMode="decimal"
						autoComplete="off"
						width={8}
					/>
					<SelectField field={fields.bank} label="Bank account" width={24} options={banks} />
					<SubmitButton>Withdraw</SubmitButton>
				</PostForm>
			) : (
				<Failed what="Your bank accounts" failure={banksFailure} />
			)}
			{ledgers.map(({ cocd, title, rows, failure, mismatch }) => (
				<Section key={cocd} title={`${title}: what you can withdraw`}>
					{mismatch && <Banner kind="warning">{mismatch}</Banner>}
					{rows ? <BridgeTable caption={`${title}: from ledger to withdrawable`} rows={rows} /> : <Failed what={title} failure={failure} />}
				</Section>
			))}
		</>
	)
}

type Ledger = { cocd: string; title: string; help: string }

function Ledgers({ ledgers, chosen, errors }: { ledgers: readonly Ledger[]; chosen: readonly string[]; errors?: string[] }) {
	return (
		<fieldset className="field" aria-describedby={errors ? 'ledgers-error' : undefined}>
			<legend>Ledgers</legend>
			{ledgers.map(({ cocd, title, help }, at) => (
				<CheckboxField
					key={cocd}
					field={{ id: `ledgers-${at}`, name: 'ledgers', value: cocd, errors: undefined }}
					label={title}
					help={help}
					defaultChecked={chosen.includes(cocd) || ledgers.length === 1}
				/>
			))}
			{errors && (
				<p id="ledgers-error" className="error">
					<span>
						<span className="sr-only">Error: </span>
						{errors.join(' ')}
					</span>
				</p>
			)}
		</fieldset>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="Funds" />
}
