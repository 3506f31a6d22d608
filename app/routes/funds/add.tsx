import { useForm } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { type ClientActionFunctionArgs, redirect as goTo, useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { currentYear } from '#contract/values/financial-year'
import { formatRupees, toPaise } from '#contract/values/money'
import { FUND_SEGMENTS, SEGMENT_BY_LEDGER } from '#contract/values/segments'
import { now } from '~/broker/clock.server'
import { getDashboardLedger } from '~/broker/dashboard.server'
import { createPayinRequest, getPayoutTimetable, listUnauthorizedPayments } from '~/broker/funds.server'
import { getIpoClientDetails } from '~/broker/ipo.server'
import { findBankDetails, getBankDetails, listClientLedgers, listPayinLedgers } from '~/broker/profile.server'
import { ABOVE_BAR, ActionBar } from '~/components/action-bar'
import { AmountField } from '~/components/amount-field'
import { bankOptions } from '~/components/bank-options'
import { Beside } from '~/components/beside'
import { Empty } from '~/components/empty'
import { Failed, NothingMoved } from '~/components/failed'
import { FailedParts } from '~/components/failed-parts'
import { ErrorSummary, Field, RadioField, SelectField, SubmitButton } from '~/components/form'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PostForm } from '~/components/post-form'
import { RestoredFormNotice } from '~/components/restored-form-notice'
import { Section } from '~/components/section'
import { useLive } from '~/components/use-live'
import { findChosenBank, formatBank, offerBanks, writeBankName } from '~/forms/bank-options.server'
import { withFormRecovery, takeRecoveredForm } from '~/forms/form-recovery.server'
import { invalid, lookUp, replyWith } from '~/forms/form.server'
import { readIdempotencyKey } from '~/forms/idempotency-key'
import { runIdempotent, createIdempotencyKey } from '~/forms/idempotency.server'
import { keepReceipt } from '~/forms/receipt.server'
import { allowedAddress } from '~/http/external-redirect.server'
import { loadPart, loadSidePart } from '~/http/partial-data.server'
import { loadAgain } from '~/lib/load-again'
import { tellNoMatch } from '~/lib/no-match'
import { arrange, sortableKeys, buildTable } from '~/reports/report.server'
import { addressWith, readView } from '~/reports/view.server'
import { audit } from '~/session/audit.server'
import { requireBroker } from '~/session/session.server'
import {
	describeSettlement,
	findFundLimits,
	listLedgerBalances,
	offerDebt,
	payinForm,
	suggestAmounts,
	wholeRupees,
} from './fund-forms.server'
import { tellOnHold, unauthorizedReport } from './fund-tables.server'
import { BALANCE, LedgerBalance } from './ledger-balance'
import { keepPaymentPage } from './payment-page.server'
import { findMissing, getPayer } from './payer.server'
import { SegmentChoice } from './segment-choice'
import { OnHold, STRANGERS_LIST, UnregisteredPayments } from './unregistered-payments'

export const handle = { title: 'Funds' }

const FORM = 'pay-in'

/** In rupees. The link of a suggested amount or of a debt opens the page with this amount. */
const Suggestion = z.string().regex(/^\d{1,9}(\.\d{2})?$/)

type Typed = { amount?: string; segment?: string; bank?: string; mode?: string; upi_id?: string }

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const url = new URL(request.url)
	const [banks, ledgers, balances, limits, strangers, timetable, bidder, { typed, headers }] = await Promise.all([
		loadPart(broker, getBankDetails(broker)),
		listPayinLedgers(broker),
		loadSidePart(broker, getDashboardLedger(broker, currentYear(now()))),
		findFundLimits(broker, 'payin'),
		loadSidePart(broker, listUnauthorizedPayments(broker)),
		loadSidePart(broker, getPayoutTimetable(broker), null),
		// Only fills in the UPI ID; without it the client types one.
		loadSidePart(broker, getIpoClientDetails(broker)),
		takeRecoveredForm(request, broker.clientCode),
	])
	const view = readView(url, sortableKeys(unauthorizedReport))
	const { key } = createIdempotencyKey(request, FORM, broker, headers)
	const segment = url.searchParams.get('segment')
	const debt = offerDebt(balances.data, ledgers.ledgers, { segment, limits })
	const suggestion = Suggestion.safeParse(url.searchParams.get('amount')).data
	return data(
		{
			key,
			...offerBanks(banks),
			segments: ledgers.ledgers.map((cocd) => ({ value: SEGMENT_BY_LEDGER[cocd], label: FUND_SEGMENTS[SEGMENT_BY_LEDGER[cocd]] })),
			areSegmentsKnown: ledgers.isKnown,
			balances: balances.data && listLedgerBalances(balances.data),
			balancesFailure: balances.failure,
			debts: debt ? [debt.link] : [],
			suggested: suggestAmounts(limits),
			limits: limits && {
				amount: `From ${wholeRupees(limits.payin_min)} to ${wholeRupees(limits.payin_max)}; by UPI up to ${wholeRupees(limits.upi_max)} a day.`,
			},
			strangers: strangers.data && {
				table: buildTable(unauthorizedReport, arrange(unauthorizedReport, strangers.data, view), view, url),
				// An empty list has no search field.
				search: strangers.data.length > 0 ? view.q : undefined,
				csv: addressWith(url, { page: undefined }, '/downloads/unregistered-payments/csv'),
				empty: view.q ? tellNoMatch(view.q) : 'No payments from unregistered accounts.',
			},
			strangersFailure: strangers.failure,
			onHold: tellOnHold(strangers.data ?? []),
			settlement: describeSettlement(timetable.data?.settles_on),
			settlementFailure: timetable.failure,
			upiId: bidder.data?.upi_id || undefined,
			typed: typed ? (Object.fromEntries(typed) as Typed) : undefined,
			suggestion,
			segment: ledgers.ledgers.map((cocd) => SEGMENT_BY_LEDGER[cocd]).find((each) => each === segment) ?? debt?.segment,
			mode: limits && toPaise(Number(suggestion ?? 0)) > limits.upi_max ? 'netbanking' : 'upi',
		},
		{ headers },
	)
}

export async function action({ request }: ActionFunctionArgs) {
	return await withFormRecovery(request, async (form, broker) => {
		const submission = parseWithZod(form, { schema: payinForm(await findFundLimits(broker, 'payin')) })
		if (submission.status !== 'success') return invalid(submission)
		const { amount, segment, bank: id, mode, upi_id } = submission.value
		const { found, failed } = await lookUp(form, Promise.all([findBankDetails(broker), getPayer(broker)]))
		if (failed) return failed
		const [banks, payer] = found
		const bank = findChosenBank(banks, id)
		const wrong = (field: string, message: string) =>
			data({ result: replyWith(submission, { fieldErrors: { [field]: [message] } }) }, { status: 400 })
		if (!bank) return wrong('bank', 'Select the bank you will pay from')
		const missing = findMissing(payer)
		if (missing) return data({ result: replyWith(submission, { formErrors: [missing] }) }, { status: 422 })
		const held = await listClientLedgers(broker)
		if (!held.some((cocd) => SEGMENT_BY_LEDGER[cocd] === segment)) return wrong('segment', 'Commodity is not active on your account')
		const account = { account_no: bank.bank_acno, bank_name: writeBankName(bank), bank_ifsc: bank.ifsc_code_act }
		const payin = { ...payer, ...account, amount, segment, upi_id: mode === 'upi' ? upi_id : undefined }
		const done = await runIdempotent({ broker, name: FORM, form, submission }, (key) => createPayinRequest(broker, mode, payin, key))
		if ('again' in done) return done.again
		audit('payin_started', request, broker.clientCode)
		const { url_data, request_id } = done.answer
		const page = allowedAddress(broker, url_data)
		if (!page) {
			const formErrors = ['We cannot open the payment page because its address is not approved. Nothing has been paid.']
			return data({ result: replyWith(submission, { formErrors }) }, { status: 502, headers: done.headers })
		}
		await keepPaymentPage(broker.clientCode, request_id, page, done.headers)
		const lines = [
			{ label: 'Amount', value: formatRupees(amount) },
			{ label: 'Segment', value: FUND_SEGMENTS[segment] },
			{ label: 'From', value: formatBank(bank) },
			{ label: 'Reference', value: request_id },
		]
		await keepReceipt(broker.clientCode, { kind: 'payin', ref: request_id, lines }, done.headers)
		// With a script the payment page opens in a new tab, and this tab shows the state of the payment.
		if (form.get('tab') === 'new') return data({ opened: { page, request_id } }, { headers: done.headers })
		return redirect(page, { status: 303, headers: done.headers })
	})
}

/** With a script: opens the payment page in a new tab that cannot access this one, and shows the state of the payment here. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
	// It is null when no reply came (lost-replies.ts).
	const sent: Awaited<ReturnType<typeof serverAction<typeof action>>> | null = await serverAction<typeof action>()
	if (!sent || !('opened' in sent)) return sent
	window.open(sent.opened.page, '_blank', 'noopener')
	return goTo(`/funds/return?ref=${encodeURIComponent(sent.opened.request_id)}`)
}

const BANKS = 'Your bank accounts'
const SETTLEMENT = 'The next settlement of your account'

export const shouldRevalidate = loadAgain

export default function AddFunds() {
	const page = useLoaderData<typeof loader>()
	const { banks: registered, banksFailure, suggestion, strangers, strangersFailure, segments, typed, noBank } = page
	const sent = useActionData<typeof action>()
	const [form, fields] = useForm<Typed>({
		// A link that fills in the form needs a new form id, because a form keeps its first values.
		id: suggestion ? `add-funds-${page.segment}-${suggestion.replace('.', '-')}` : 'add-funds',
		lastResult: sent && 'result' in sent ? sent.result : undefined,
		defaultValue: {
			amount: suggestion,
			segment: page.segment ?? segments[0]?.value,
			bank: registered?.[0]?.value,
			mode: page.mode,
			upi_id: page.upiId,
			...typed,
		},
	})
	const banks = bankOptions(registered, fields.bank.initialValue)
	const parts = [
		{ what: BANKS, failure: banksFailure },
		{ what: BALANCE, failure: page.balancesFailure },
		{ what: SETTLEMENT, failure: page.settlementFailure },
		{ what: STRANGERS_LIST, failure: strangersFailure },
	]
	return (
		<>
			<PageTitle title="Funds" part="Add funds" isTabName />
			<ErrorSummary form={form} fields={[fields.amount, fields.segment, fields.bank, fields.mode, fields.upi_id]} />
			{typed && <RestoredFormNotice />}
			<FailedParts parts={parts} what="Your ledgers and banks" rest={<NothingMoved />}>
				<LedgerBalance balances={page.balances} failure={page.balancesFailure} />
				<OnHold words={page.onHold} />
				<Beside summary={<WhatHappens />}>
					{banks?.length === 0 ? (
						<Empty text={noBank} action={{ href: '/myaccount/bank', label: 'Add a bank account' }} />
					) : banks ? (
						<PayinForm key={form.id} form={form} fields={fields} banks={banks} />
					) : null}
					{banksFailure && <Failed what={BANKS} failure={banksFailure} />}
				</Beside>
				<UnregisteredPayments strangers={strangers} failure={strangersFailure} />
			</FailedParts>
		</>
	)
}

/** How the money is paid, and when it can be used. */
function WhatHappens() {
	const { balances, settlement, settlementFailure } = useLoaderData<typeof loader>()
	const hasScript = useLive()
	return (
		<Section title="What happens next">
			<ul className="list-disc space-y-1 pl-5 text-sm">
				<li>{hasScript ? 'You pay in a new tab; this one shows the status.' : 'You pay on the next page, then come back here.'}</li>
				<li>You can use the money today.</li>
				<li>
					You can withdraw it from the next working day.{' '}
					{balances && <a href="/reports/ledger/deducted">How much of your balance can be withdrawn?</a>}
				</li>
				{settlement && <li>{settlement}</li>}
			</ul>
			<p className="prose mt-3 text-xs text-muted">
				Money from an account that is not registered waits: add the account, or it goes back. Net banking takes larger amounts; your bank
				may charge a fee.
			</p>
			{settlementFailure && <Failed what={SETTLEMENT} failure={settlementFailure} />}
		</Section>
	)
}

/** With two segments the form and its bar just fit the screen of a phone or a laptop. */
const SHORT = 'max-sm:mt-1 max-sm:[&>div:not(:last-child)]:mb-3! sm:[&>:is(div,fieldset):not(:last-child)]:mb-3!'

type PayinFormProps = {
	form: ReturnType<typeof useForm<Typed>>[0]
	fields: ReturnType<typeof useForm<Typed>>[1]
	banks: NonNullable<ReturnType<typeof bankOptions>>
}

function PayinForm({ form, fields, banks }: PayinFormProps) {
	const { key, segments, areSegmentsKnown, limits, debts, suggested, upiId } = useLoaderData<typeof loader>()
	const sent = useActionData<typeof action>()
	const hasScript = useLive()
	return (
		<PostForm id={form.id} action="/funds" idempotencyKey={readIdempotencyKey(sent, key)} noValidate className={`${ABOVE_BAR} ${SHORT}`}>
			{hasScript && <input type="hidden" name="tab" value="new" />}
			<AmountField field={fields.amount} help={limits?.amount} links={debts} suggested={suggested} />
			<SegmentChoice
				field={fields.segment}
				segments={segments}
				help={areSegmentsKnown ? undefined : 'Which other segments are active on your account is not known now.'}
			/>
			<SelectField field={fields.bank} label="Bank account" width={24} options={banks} />
			<RadioField
				field={fields.mode}
				label="Mode"
				options={[
					{ value: 'upi', label: 'UPI' },
					{ value: 'netbanking', label: 'Net banking' },
				]}
			/>
			<div className="in-[form:has([value=netbanking]:checked)]:hidden">
				<Field
					field={fields.upi_id}
					label="UPI ID"
					help={upiId ? 'You used this one last for an IPO. You can change it.' : 'For UPI, like name@bank'}
					autoCapitalize="none"
					autoComplete="off"
					spellCheck={false}
					width={24}
				/>
			</div>
			<ActionBar>
				<SubmitButton>Add funds</SubmitButton>
			</ActionBar>
		</PostForm>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="Funds" />
}
