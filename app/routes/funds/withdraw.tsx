import { useForm } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { LedgerCocd } from '#contract/common'
import { type PayoutTimetable } from '#contract/funds'
import { formatDay } from '#contract/values/dates'
import { formatRupees, formatPlainAmount } from '#contract/values/money'
import { SEGMENT_NAMES } from '#contract/values/segments'
import { type Broker } from '~/broker/client.server'
import { tellDeadline } from '~/broker/clock.server'
import { getPayoutTimetable, requestPayout } from '~/broker/funds.server'
import { findBankDetails, getBankDetails, listClientLedgers } from '~/broker/profile.server'
import { AmountField } from '~/components/amount-field'
import { bankOptions } from '~/components/bank-options'
import { Banner } from '~/components/banner'
import { Beside } from '~/components/beside'
import { Empty } from '~/components/empty'
import { Failed, NothingMoved } from '~/components/failed'
import { FailedParts } from '~/components/failed-parts'
import { ErrorSummary, SelectField, SubmitButton } from '~/components/form'
import { KeyFigures } from '~/components/key-figures'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PostForm } from '~/components/post-form'
import { RestoredFormNotice } from '~/components/restored-form-notice'
import { canReceive, findChosenBank, formatBank, offerBanks } from '~/forms/bank-options.server'
import { withFormRecovery, takeRecoveredForm } from '~/forms/form-recovery.server'
import { invalid, lookUp, replyWith } from '~/forms/form.server'
import { readIdempotencyKey } from '~/forms/idempotency-key'
import { runIdempotent, createIdempotencyKey } from '~/forms/idempotency.server'
import { keepReceipt } from '~/forms/receipt.server'
import { AmountTyped } from '~/forms/typed-fields.server'
import { loadPart, loadSidePart } from '~/http/partial-data.server'
import { loadAgain } from '~/lib/load-again'
import { nameCode, orDash } from '~/lib/unknown'
import { describeOffer, findDebt, listBridges, sumAvailable, tellSum } from '~/reports/withdrawable.server'
import { audit } from '~/session/audit.server'
import { requireBroker } from '~/session/session.server'
import { describeSettlement } from './fund-forms.server'
import { LedgerChoice } from './ledger-choice'
import { NothingToWithdraw } from './nothing-to-withdraw'
import { Bridges, nameLedger } from './withdraw-bridges'

export const handle = { title: 'Funds' }

const FORM = 'withdraw'
const PAGE = '/funds/withdraw'

/** The least amount of a payout, in paise (contract/funds.ts). */
const LEAST = 100

const Withdrawal = z.object({
	ledgers: z.array(z.enum(LedgerCocd.options, 'Select at least one ledger')).min(1, 'Select at least one ledger').max(2),
	amount: AmountTyped.refine((paise) => paise >= LEAST, 'Withdraw at least ₹ 1.00'),
	bank: z.string('Select a bank account'),
})

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const [banks, timetable, bridges, { typed, headers }] = await Promise.all([
		loadPart(broker, getBankDetails(broker)),
		// At a broker without this call the open payouts are unknown, and only the broker refuses a second one.
		loadSidePart(broker, getPayoutTimetable(broker), null),
		listBridges(broker),
		takeRecoveredForm(request, broker.clientCode),
	])
	const { ledgers: batches = [], open = [] } = timetable.data ?? {}
	const ledgers = bridges.map(({ rows, mismatch, failure, linesFailure, isUnderWay, isSame, ...bridge }) => {
		const isPayoutListed = open.some(({ COCD }) => COCD === bridge.cocd)
		const batch = batches.find(({ COCD }) => COCD === bridge.cocd)
		const isOff = isUnderWay || isPayoutListed
		const { can, help } = describeOffer(bridge, batch, isOff)
		return {
			cocd: bridge.cocd,
			title: bridge.title,
			rows: isSame ? rows?.toSpliced(-2, 1) : rows,
			mismatch,
			failure,
			linesFailure,
			can,
			figure: can > 0 ? formatRupees(can) : undefined,
			help,
			isOff,
			isPayoutListed,
		}
	})
	const all = ledgers.filter(({ can }) => can > 0)
	const isKnown = bridges.length > 0 && bridges.every(({ withdrawable }) => withdrawable !== undefined)
	const isFilled = isKnown && all.length > 0 && new URL(request.url).searchParams.get('all') === 'ledgers'
	const { key } = createIdempotencyKey(request, FORM, broker, headers)
	return data(
		{
			key,
			...offerBanks(banks, canReceive),
			ledgers,
			open: listOpen(open),
			openFailure: timetable.failure,
			settlement: describeSettlement(timetable.data?.settles_on),
			// No sum when one ledger is missing.
			most: isKnown && { text: formatRupees(sumAvailable(all)), note: tellSum(bridges, sumAvailable(all)) },
			isAnywhere: all.length > 0 || bridges.some(({ withdrawable }) => withdrawable === undefined),
			addFunds: findDebt(bridges),
			hasBalance: bridges.some(({ ledger }) => (ledger ?? 1) > 0),
			/**
			 * A link that fills the form with the whole amount. The client sees it before sending. The broker refuses it when less is
			 * available by then.
			 */
			fills: isKnown && all.length > 0 ? [{ href: `${PAGE}?all=ledgers`, label: `All: ${formatRupees(sumAvailable(all))}` }] : [],
			isFilled,
			isOffered: typed !== undefined,
			typed: typed
				? {
						ledgers: typed.getAll('ledgers').map(String),
						amount: String(typed.get('amount') ?? ''),
						bank: String(typed.get('bank') ?? ''),
					}
				: { ledgers: all.map(({ cocd }) => String(cocd)), amount: isFilled ? formatPlainAmount(sumAvailable(all)) : '' },
		},
		{ headers },
	)
}

/** Returns each payout in progress once, whatever the number of its ledgers. */
function listOpen(open: PayoutTimetable['open']) {
	return [...new Set(open.map(({ request_id }) => request_id))].map((request_id) => {
		const parts = open
			.filter((part) => part.request_id === request_id)
			.map((part) => ({
				...part,
				words: `${formatRupees(part.amount)} from ${nameCode(SEGMENT_NAMES, part.COCD)}`,
				by: `in your bank by ${tellDeadline(part.credited_by)}`,
			}))
		const [first] = parts
		const canCancel = parts.every(({ can_cancel }) => can_cancel)
		if (first && parts.length === 1)
			return { request_id, canCancel, words: `A payout of ${first.words} is in progress. It is ${first.by}.` }
		const total = formatRupees(parts.reduce((sum, { amount }) => sum + amount, 0))
		return {
			request_id,
			canCancel,
			words: `A payout of ${total} is in progress: ${parts.map(({ words, by }) => `${words}, ${by}`).join('; ')}.`,
		}
	})
}

export async function action({ request }: ActionFunctionArgs) {
	return await withFormRecovery(request, async (form, broker) => {
		const submission = parseWithZod(form, { schema: Withdrawal })
		if (submission.status !== 'success') return invalid(submission)
		const { ledgers, amount, bank: id } = submission.value
		const wrong = (field: string, message: string, status = 400) =>
			data({ result: replyWith(submission, { fieldErrors: { [field]: [message] } }) }, { status })
		const [banks, held] = await Promise.all([lookUp(form, findBankDetails(broker)), listClientLedgers(broker)])
		if (banks.failed) return banks.failed
		const bank = findChosenBank(banks.found, id, canReceive)
		if (!bank) return wrong('bank', 'Select a bank account')
		if (ledgers.some((cocd) => !held.includes(cocd))) return wrong('ledgers', 'Commodity is not active on your account')
		const payout = { ledgers: [...new Set(ledgers)], amount, bank_acno: bank.bank_acno }
		const done = await runIdempotent({ broker, name: FORM, form, submission }, (key) => requestPayout(broker, payout, key))
		if ('again' in done) return await explained(broker, done.again, payout)
		audit('payout_asked', request, broker.clientCode)
		const { request_id } = done.answer
		const lines = [
			{ label: 'Amount', value: orDash(done.answer.amount, formatRupees) },
			{ label: 'To', value: formatBank(bank) },
			{ label: 'Reference', value: request_id },
		]
		const headers = await keepReceipt(broker.clientCode, { kind: 'payout', ref: request_id, lines }, done.headers)
		return redirect(`/funds/payout?ref=${encodeURIComponent(request_id)}`, { status: 303, headers })
	})
}

type Again = Extract<Awaited<ReturnType<typeof runIdempotent>>, { again: unknown }>['again']

/**
 * Explains a refusal of an amount that is too high: the message at the amount says how much is available now, and when there is more.
 * The amount is never reduced.
 */
async function explained(broker: Broker, again: Again, { ledgers, amount }: { ledgers: LedgerCocd[]; amount: number }) {
	if (again.init?.status !== 422) return again
	const chosen = (await listBridges(broker)).filter(({ cocd }) => ledgers.includes(cocd))
	// A payout under way is another reason, and the broker has already stated it.
	if (chosen.some(({ withdrawable, isUnderWay }) => withdrawable === undefined || isUnderWay)) return again
	const most = chosen.reduce((sum, { withdrawable = 0 }) => sum + withdrawable, 0)
	if (amount <= most) return again
	const [next] = chosen.flatMap(({ later }) => later).sort((a, b) => (a.on < b.on ? -1 : 1))
	const soon = next ? ` ${formatRupees(next.amount)} becomes available on ${formatDay(next.on)}.` : ''
	const error = { amount: [`You can withdraw up to ${formatRupees(most)} now.${soon}`] }
	return data({ ...again.data, result: { ...again.data.result, error } }, again.init)
}

const OPEN = 'Your payouts in progress'
const BANKS = 'Your bank accounts'

export const shouldRevalidate = loadAgain

export default function Withdraw() {
	const page = useLoaderData<typeof loader>()
	const {
		key,
		banks: registered,
		banksFailure,
		ledgers,
		open,
		openFailure,
		settlement,
		most,
		isAnywhere,
		fills,
		isFilled,
		isOffered,
		typed,
		noBank,
	} = page
	const sent = useActionData<typeof action>()
	const [form, fields] = useForm<{ ledgers?: string[]; amount?: string; bank?: string }>({
		// A link that fills in the form needs a new form id, because a form keeps its first values.
		id: isFilled ? 'withdraw-all' : 'withdraw',
		lastResult: sent?.result,
		defaultValue: { bank: registered?.[0]?.value, ...typed },
	})
	const banks = bankOptions(registered, fields.bank.initialValue)
	const initial: unknown = fields.ledgers.initialValue
	const chosen = (Array.isArray(initial) ? initial : [initial]).map(String)
	// A form that failed is shown again, also when its own request, whose reply was lost, leaves nothing to withdraw.
	const isShown = isAnywhere || isOffered || sent !== undefined
	return (
		<>
			<PageTitle title="Funds" part="Withdraw" isTabName />
			<ErrorSummary form={form} fields={[{ id: 'ledgers-0', errors: fields.ledgers.errors }, fields.amount, fields.bank]} />
			{most && <KeyFigures figures={[{ label: 'You can withdraw', ...most, isMain: true }]} />}
			{open.map(({ request_id, words, canCancel }) => (
				<Banner key={request_id} kind="info">
					{words} <a href={`/funds/payout?ref=${encodeURIComponent(request_id)}`}>{canCancel ? 'See it, or cancel it' : 'See it'}</a>
				</Banner>
			))}
			<FailedParts parts={listParts(page)} what="What you can withdraw" rest={<NothingMoved />}>
				{openFailure && <Failed what={OPEN} failure={openFailure} />}
				{isOffered && <RestoredFormNotice />}
				<Beside summary={<Bridges ledgers={ledgers} />}>
					{banks?.length === 0 ? (
						<Empty text={noBank} action={{ href: '/myaccount/bank', label: 'Add a bank account' }} />
					) : banks ? (
						<PostForm id={form.id} key={form.id} action={PAGE} idempotencyKey={readIdempotencyKey(sent, key)} noValidate>
							{!isAnywhere && (
								<NothingToWithdraw ledgers={ledgers} isUnderWay={open.length > 0} hasBalance={page.hasBalance} addFunds={page.addFunds} />
							)}
							<fieldset disabled={!isShown} hidden={!isShown} aria-label="Payout" className={isAnywhere ? undefined : 'mt-5'}>
								<LedgerChoice ledgers={ledgers} chosen={chosen} errors={fields.ledgers.errors} />
								<AmountField field={fields.amount} help="Charges booked before the payout is sent can reduce it." links={fills} />
								<SelectField field={fields.bank} label="Bank account" width={24} options={banks} />
								<SubmitButton>Withdraw</SubmitButton>
							</fieldset>
						</PostForm>
					) : null}
					{banksFailure && <Failed what={BANKS} failure={banksFailure} />}
					{settlement && isAnywhere && <p className="prose text-sm">{settlement}</p>}
				</Beside>
			</FailedParts>
		</>
	)
}

type Page = ReturnType<typeof useLoaderData<typeof loader>>

function listParts({ openFailure, banksFailure, ledgers }: Page) {
	const parts = ledgers.flatMap(({ title, failure, linesFailure }) => [
		{ what: nameLedger(title), failure },
		...(linesFailure ? [{ what: `The details of ${title}`, failure: linesFailure }] : []),
	])
	return [{ what: OPEN, failure: openFailure }, { what: BANKS, failure: banksFailure }, ...parts]
}

export function ErrorBoundary() {
	return <PageProblem title="Funds" />
}
