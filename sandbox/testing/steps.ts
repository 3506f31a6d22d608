import { desc, eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { EdisHoldings, PledgeData } from '#contract/depository'
import { Mandates, PayoutTimetable } from '#contract/funds'
import { Withdrawable } from '#contract/ledger'
import { type Books } from '#sandbox/db/open'
import { clients, esigns, ipoApplications, mandates, otpRequests, outbox, payins, pledgeRequests } from '#sandbox/db/schema'
import { wrongCode } from './changes'
import { ACTORS, type Actor, choose, type World } from './world'

/**
 * One thing that somebody does. `pick` chooses among what there is by then (0 to 1), `part` is a share of what there is (above 1: too much),
 * `times` is how often the very same request is sent at once.
 */
export type SequenceStep = { who: Actor; pick: number; part: number; times: number } & (
	| { do: 'pay in' | 'pay out' | 'cancel pay-out' | 'pledge' | 'unpledge' | 'verify' | 'bid' | 'refresh' | 'repeat' }
	| { do: 'ask for a mandate' | 'cancel a mandate' | 'activate' | 'close' | 'enter the code' }
	| { do: 'wait'; minutes: number }
	| { do: 'at the bank'; outcome: 'pay' | 'wait' | 'fail' | 'cancel' | 'other' }
	| { do: 'register'; outcome: 'confirm' | 'refuse' | 'cancel' }
	| { do: 'at the depository'; outcome: 'confirm' | 'cancel' | 'fail' }
	| { do: 'in the UPI app'; outcome: 'approve' | 'decline' | 'other_account' }
	| { do: 'sign'; outcome: 'sign' | 'cancel' | 'fail' }
)

/** Mostly what was begun last. */
const anyPick = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true }))
const shares = { pick: anyPick, part: fc.constantFrom(0.001, 0.1, 0.5, 1, 1.1) }
const common = { who: fc.constantFrom(...ACTORS), times: fc.constantFrom(1, 1, 2, 3), ...shares }
const plain = <Do extends string>(...names: Do[]) => fc.record({ do: fc.constantFrom(...names), ...common })
const ended = <Do extends string, Outcome extends string>(name: Do, ...outcomes: Outcome[]) =>
	fc.record({ do: fc.constant(name), outcome: fc.constantFrom(...outcomes), ...common })
const minutes = fc.constantFrom(1, 31, 6 * 60, 26 * 60, 4 * 24 * 60)

/** Any step; what begins something and what ends it come about as often as each other. */
export const anyStep: fc.Arbitrary<SequenceStep> = fc.oneof(
	{ weight: 8, arbitrary: plain('pay in', 'pay out', 'cancel pay-out', 'pledge', 'unpledge', 'verify', 'bid', 'repeat') },
	{ weight: 2, arbitrary: plain('ask for a mandate', 'cancel a mandate', 'activate', 'close', 'enter the code', 'refresh') },
	{ weight: 2, arbitrary: ended('at the bank', 'pay', 'pay', 'wait', 'fail', 'cancel', 'other') },
	{ weight: 2, arbitrary: ended('at the depository', 'confirm', 'confirm', 'cancel', 'fail') },
	{ weight: 2, arbitrary: ended('in the UPI app', 'approve', 'approve', 'decline', 'other_account') },
	{ weight: 1, arbitrary: ended('register', 'confirm', 'refuse', 'cancel') },
	{ weight: 1, arbitrary: ended('sign', 'sign', 'cancel', 'fail') },
	{ weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes, ...common }) },
)

const of = { who: 'DEMO01', pick: 0, part: 0.1, times: 2 } as const
const next = (minutes: number) => ({ do: 'wait', minutes, ...of }) as const

/** One of everything that books something or moves a quantity, so that a test that looks at nothing is seen to. */
export const EVERYTHING: readonly SequenceStep[] = [
	{ do: 'pay in', ...of },
	{ do: 'at the bank', outcome: 'pay', ...of },
	{ do: 'pay out', ...of, part: 1.1 },
	{ do: 'pay out', ...of },
	{ do: 'repeat', ...of, pick: 1 },
	{ do: 'pledge', ...of },
	{ do: 'at the depository', outcome: 'confirm', ...of },
	{ do: 'pledge', ...of, part: 1.1 },
	{ do: 'at the depository', outcome: 'confirm', ...of },
	{ do: 'unpledge', ...of },
	{ do: 'at the depository', outcome: 'confirm', ...of },
	{ do: 'unpledge', ...of, part: 1.1 },
	{ do: 'at the depository', outcome: 'confirm', ...of },
	{ do: 'verify', ...of, part: 1.1 },
	{ do: 'verify', ...of },
	{ do: 'enter the code', ...of, pick: 1 },
	{ do: 'bid', ...of },
	{ do: 'in the UPI app', outcome: 'approve', ...of },
	{ do: 'bid', ...of, who: 'CASH01', pick: 0.5 },
	{ do: 'in the UPI app', outcome: 'decline', ...of },
	{ do: 'ask for a mandate', ...of },
	{ do: 'register', outcome: 'confirm', ...of },
	{ do: 'activate', ...of, who: 'CASH01' },
	{ do: 'sign', outcome: 'sign', ...of },
	next(31),
	{ do: 'refresh', ...of },
	next(4 * 24 * 60),
	{ do: 'refresh', ...of },
	next(8 * 24 * 60),
	{ do: 'repeat', ...of, pick: 0 },
	{ do: 'repeat', ...of, pick: 0.15 },
]

/** Lot and price, in rupees, of the issues that are open when the sequence begins. */
const ISSUES = [
	['NOVATEC', 100, 500],
	['KONKANLOG', 100, 150],
	['SAHYAGRO', 45, 320],
] as const

const PERSON = { client_name: 'SOMEBODY', client_email: 'somebody@example.com', client_mobile_no: '9820012345' }
const dataUrl = (path: string) => `${path}${path.includes('?') ? '&' : '?'}source=connect`

/** Does one step. What is refused is refused: the book is what the test looks at. */
export async function take(world: World, books: Books, step: SequenceStep): Promise<void> {
	const { who, pick, part, times } = step
	const { read, post, press, banks } = world
	// No two things are begun in the same moment, so that the newest is always the same one.
	world.wait(1 / 60)
	const bank = banks.get(who)
	if (!bank) throw new Error(`${who} has no bank`)
	const { bank_acno, bank_name, ifsc_code_act, account_type } = bank
	const own = { client_code: who }
	/** The newest rows first, so that a small `pick` goes on with what was begun last. */
	const chosen = <Row>(rows: Row[]) => choose(rows, pick)
	switch (step.do) {
		case 'wait':
			return world.wait(step.minutes)
		case 'repeat':
			return await world.repeat(pick)
		case 'pay in': {
			const amount = Math.round(part * 100_000) / 100 + 1
			const body = {
				account_no: bank_acno,
				bank_name,
				bank_ifsc: ifsc_code_act,
				...PERSON,
				amount,
				segment: 'BSE',
				upi_id: 'somebody@examplebank',
			}
			return void (await post(who, '/atompay/v2/Request?payment_type=upi', body, times))
		}
		case 'at the bank': {
			const page = chosen(await books.db.select({ token: payins.token }).from(payins).orderBy(desc(payins.asked_at), payins.request_id))
			return page && (await press({ path: '/pay', fields: page }, step.outcome, times))
		}
		case 'pay out': {
			const { balance } = await read(who, '/v2/fund/withdrawable-amount?company_code=NSE_CASH', Withdrawable)
			const ledger_balance = Math.max(1, Math.round(balance * part) / 100)
			const body = { ...own, checkbox_payout: ['NSE_CASH'], ledger_balance, bank_acno }
			const placed = await post(who, '/v1/account_profile/fund_payout', body, times)
			// What else is done at the same moment can only make it less.
			if (placed && ledger_balance * 100 > balance) throw new Error(`${who} was promised ${ledger_balance} of ${balance / 100}`)
			return
		}
		case 'cancel pay-out': {
			const one = chosen((await read(who, '/v1/ours/payout-timetable', PayoutTimetable)).open)
			return one && void (await post(who, '/v1/ours/cancel-payout', { request_id: one.request_id }, times))
		}
		case 'ask for a mandate': {
			const details = { bank_acno, ifsc_code: ifsc_code_act, bank_name, account_type }
			const body = { amount: '5000.00', bank_details: details, channel: 'netbanking' }
			return void (await post(who, '/v1/account_profile/e_mandate/online', body, times))
		}
		case 'register': {
			const page = chosen(
				await books.db.select({ token: mandates.token }).from(mandates).orderBy(desc(mandates.asked_at), mandates.reference),
			)
			return page && (await press({ path: '/mandate', fields: page }, step.outcome, times))
		}
		case 'cancel a mandate': {
			const one = chosen(await read(who, '/v1/ours/mandates', Mandates))
			return one && void (await post(who, '/v1/ours/cancel-mandate', { reference: one.reference }, times))
		}
		case 'pledge':
		case 'unpledge': {
			const { filtered_df } = await read(who, '/v1/margin_epledge_data', PledgeData)
			const of = step.do === 'pledge' ? 'FREE_QTY' : 'PLEDGED_QTY'
			const held = chosen(filtered_df.filter((row) => row[of] > 0))
			const data = held && [{ isin: held.ISIN, qty: Math.ceil(held[of] * part) }]
			return data && void (await post(who, '/v1/margin_epledge', { ...own, action: step.do, data, confirmation: true }, times))
		}
		case 'at the depository': {
			const rows = books.db.select({ response: pledgeRequests.token }).from(pledgeRequests)
			const page = chosen(await rows.orderBy(desc(pledgeRequests.asked_at), pledgeRequests.reference))
			return page && (await press({ path: '/depository', fields: page }, step.outcome, times))
		}
		case 'verify': {
			const held = chosen(
				(await read(who, dataUrl('/edis/edis/v1/edis-holding-data'), EdisHoldings)).filter(({ free_qty }) => free_qty > 0),
			)
			if (!held) return
			const { isin, stock_name, poa_qty, free_qty } = held
			const line = { isin, qty: Math.ceil(free_qty * part), stock_name, poa_qty, free_qty }
			const body = { ...own, eDis_type: '2', trade_type: 'PRE', post_trade_date: '', data: [line] }
			return await world.ask(who, dataUrl('/edis/edis/v1/edis-stock-verify'), body)
		}
		case 'enter the code': {
			const [asked] = await books.db
				.select()
				.from(otpRequests)
				.where(eq(otpRequests.client, who))
				.orderBy(desc(otpRequests.created_at))
				.limit(1)
			const its = books.db
				.select()
				.from(outbox)
				.where(sql`client = ${who} AND subject = 'OTP'`)
			const [message] = await its.orderBy(desc(outbox.id)).limit(1)
			const code = /^\d{6}/.exec(message?.body ?? '')?.[0]
			if (!asked || !code) return
			const body = { otp: pick < 0.2 ? wrongCode(code) : code, request_id: asked.id }
			return void (await post(who, dataUrl('/edis/edis/v1/edis-verify-otp'), body, times))
		}
		case 'bid': {
			const [symbol, lot, price] = choose(ISSUES, pick) ?? ISSUES[0]
			const quantity = lot * Math.ceil(part * 2)
			const [row] = await books.db
				.select({ id: sql<string>`coalesce(profile->'dp_details'->>'cdsl_bo_id', profile->'dp_details'->>'nsdl_bo_id')` })
				.from(clients)
				.where(eq(clients.code, who))
			const body = { symbol, category: 'IND', upi_id: 'somebody@examplebank', quantity, price, amount: quantity * price, BOId: row?.id }
			return void (await post(who, dataUrl(`/ipo/v1/bid/bidSubmit?client_code=${who}`), body, times))
		}
		case 'in the UPI app': {
			const rows = books.db.select({ token: ipoApplications.mandate_token }).from(ipoApplications)
			const page = chosen(await rows.orderBy(desc(ipoApplications.id)))
			return page && (await press({ path: `/upi/${page.token}`, fields: {} }, step.outcome, times))
		}
		case 'refresh':
			return void (await world.refresh(who, pick < 0.5 ? 'NSE' : 'BSE'))
		case 'activate':
			return void (await post(who, '/v1/mtf_esign_process', {}, times))
		case 'close': {
			const body = { ...own, reason: 'Not trading', clouser_for: 'Trading and Demat' }
			return void (await post(who, '/v1/acc-closing-esign-proccess', body, times))
		}
		case 'sign': {
			const page = chosen(await books.db.select({ response: esigns.token }).from(esigns).orderBy(desc(esigns.id)))
			return page && (await press({ path: '/esign', fields: page }, step.outcome, times))
		}
	}
}
