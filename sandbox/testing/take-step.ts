import { desc, eq, sql } from 'drizzle-orm'
import { EdisHoldings, PledgeData } from '#contract/depository'
import { Mandates, PayoutTimetable } from '#contract/funds'
import { Withdrawable } from '#contract/ledger'
import { type Books } from '#sandbox/db/open'
import { clients, esigns, ipoApplications, mandates, otpRequests, outbox, payins, pledgeRequests } from '#sandbox/db/schema'
import { type StoredBank } from '#sandbox/modifications/stored'
import { wrongCode } from './changes'
import { type SequenceStep } from './steps'
import { choose, type World } from './world'

/** Symbol, lot and price (rupees) of the issues that are open when the sequence begins. */
const ISSUES = [
	['NOVATEC', 100, 500],
	['KONKANLOG', 100, 150],
	['SAHYAGRO', 45, 320],
] as const

const PERSON = { client_name: 'SOMEBODY', client_email: 'somebody@example.com', client_mobile_no: '9820012345' }
const dataUrl = (path: string) => `${path}${path.includes('?') ? '&' : '?'}source=connect`

type Situation = Pick<SequenceStep, 'who' | 'pick' | 'part' | 'times'> & {
	world: World
	books: Books
	bank: StoredBank
	/** The minutes of a `wait`; else 0. */
	minutes: number
	/** The outcome of a step at another site; else empty. */
	outcome: string
	/** Chooses one of these rows. The newest come first, so that a small `pick` continues with what was started last. */
	chosen: <Row>(rows: Row[]) => Row | undefined
}

/** How each step is done. A refusal is no failure here: the test checks the book. */
const WAYS: Record<SequenceStep['do'], (at: Situation) => Promise<void> | void> = {
	wait({ minutes, world }) {
		world.wait(minutes)
	},
	async repeat({ pick, world }) {
		await world.repeat(pick)
	},
	async 'pay in'({ who, part, times, world, bank }) {
		const { bank_acno, bank_name, ifsc_code_act } = bank
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
		await world.post(who, '/atompay/v2/Request?payment_type=upi', body, times)
	},
	async 'at the bank'({ times, outcome, chosen, world, books }) {
		const page = chosen(await books.db.select({ token: payins.token }).from(payins).orderBy(desc(payins.asked_at), payins.request_id))
		if (page) await world.press({ path: '/pay', fields: page }, outcome, times)
	},
	async 'pay out'({ who, part, times, world, bank }) {
		const { bank_acno } = bank
		const { balance } = await world.read(who, '/v2/fund/withdrawable-amount?company_code=NSE_CASH', Withdrawable)
		const ledger_balance = Math.max(1, Math.round(balance * part) / 100)
		const body = { client_code: who, checkbox_payout: ['NSE_CASH'], ledger_balance, bank_acno }
		const placed = await world.post(who, '/v1/account_profile/fund_payout', body, times)
		// Simultaneous steps can only make the amount smaller.
		if (placed && ledger_balance * 100 > balance) throw new Error(`${who} was promised ${ledger_balance} of ${balance / 100}`)
	},
	async 'cancel pay-out'({ who, times, chosen, world }) {
		const one = chosen((await world.read(who, '/v1/ours/payout-timetable', PayoutTimetable)).open)
		if (one) await world.post(who, '/v1/ours/cancel-payout', { request_id: one.request_id }, times)
	},
	async 'ask for a mandate'({ who, times, world, bank }) {
		const { bank_acno, bank_name, ifsc_code_act, account_type } = bank
		const details = { bank_acno, ifsc_code: ifsc_code_act, bank_name, account_type }
		const body = { amount: '5000.00', bank_details: details, channel: 'netbanking' }
		await world.post(who, '/v1/account_profile/e_mandate/online', body, times)
	},
	async register({ times, outcome, chosen, world, books }) {
		const page = chosen(
			await books.db.select({ token: mandates.token }).from(mandates).orderBy(desc(mandates.asked_at), mandates.reference),
		)
		if (page) await world.press({ path: '/mandate', fields: page }, outcome, times)
	},
	async 'cancel a mandate'({ who, times, chosen, world }) {
		const one = chosen(await world.read(who, '/v1/ours/mandates', Mandates))
		if (one) await world.post(who, '/v1/ours/cancel-mandate', { reference: one.reference }, times)
	},
	pledge: (at) => movePledge('pledge', at),
	unpledge: (at) => movePledge('unpledge', at),
	async 'at the depository'({ times, outcome, chosen, world, books }) {
		const rows = books.db.select({ response: pledgeRequests.token }).from(pledgeRequests)
		const page = chosen(await rows.orderBy(desc(pledgeRequests.asked_at), pledgeRequests.reference))
		if (page) await world.press({ path: '/depository', fields: page }, outcome, times)
	},
	async verify({ who, part, chosen, world }) {
		const held = chosen(
			(await world.read(who, dataUrl('/edis/edis/v1/edis-holding-data'), EdisHoldings)).filter(({ free_qty }) => free_qty > 0),
		)
		if (!held) return
		const { isin, stock_name, poa_qty, free_qty } = held
		const line = { isin, qty: Math.ceil(free_qty * part), stock_name, poa_qty, free_qty }
		const body = { client_code: who, eDis_type: '2', trade_type: 'PRE', post_trade_date: '', data: [line] }
		await world.ask(who, dataUrl('/edis/edis/v1/edis-stock-verify'), body)
	},
	async 'enter the code'({ who, pick, times, world, books }) {
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
		await world.post(who, dataUrl('/edis/edis/v1/edis-verify-otp'), body, times)
	},
	async bid({ who, pick, part, times, world, books }) {
		const [symbol, lot, price] = choose(ISSUES, pick) ?? ISSUES[0]
		const quantity = lot * Math.ceil(part * 2)
		const [row] = await books.db
			.select({ id: sql<string>`coalesce(profile->'dp_details'->>'cdsl_bo_id', profile->'dp_details'->>'nsdl_bo_id')` })
			.from(clients)
			.where(eq(clients.code, who))
		const body = { symbol, category: 'IND', upi_id: 'somebody@examplebank', quantity, price, amount: quantity * price, BOId: row?.id }
		await world.post(who, dataUrl(`/ipo/v1/bid/bidSubmit?client_code=${who}`), body, times)
	},
	async 'in the UPI app'({ times, outcome, chosen, world, books }) {
		const rows = books.db.select({ token: ipoApplications.mandate_token }).from(ipoApplications)
		const page = chosen(await rows.orderBy(desc(ipoApplications.id)))
		if (page) await world.press({ path: `/upi/${page.token}`, fields: {} }, outcome, times)
	},
	async refresh({ who, pick, world }) {
		await world.refresh(who, pick < 0.5 ? 'NSE' : 'BSE')
	},
	async activate({ who, times, world }) {
		await world.post(who, '/v1/mtf_esign_process', {}, times)
	},
	async close({ who, times, world }) {
		const body = { client_code: who, reason: 'Not trading', clouser_for: 'Trading and Demat' }
		await world.post(who, '/v1/acc-closing-esign-proccess', body, times)
	},
	async sign({ times, outcome, chosen, world, books }) {
		const page = chosen(await books.db.select({ response: esigns.token }).from(esigns).orderBy(desc(esigns.id)))
		if (page) await world.press({ path: '/esign', fields: page }, outcome, times)
	},
}

async function movePledge(action: 'pledge' | 'unpledge', { world, who, part, chosen, times }: Situation): Promise<void> {
	const { filtered_df } = await world.read(who, '/v1/margin_epledge_data', PledgeData)
	const of = action === 'pledge' ? 'FREE_QTY' : 'PLEDGED_QTY'
	const held = chosen(filtered_df.filter((row) => row[of] > 0))
	const data = held && [{ isin: held.ISIN, qty: Math.ceil(held[of] * part) }]
	if (data) await world.post(who, '/v1/margin_epledge', { client_code: who, action, data, confirmation: true }, times)
}

export async function take(world: World, books: Books, step: SequenceStep): Promise<void> {
	const { who, pick, part, times } = step
	// No two things are started at the same moment, so that the newest one is always clear.
	world.wait(1 / 60)
	const bank = world.banks.get(who)
	if (!bank) throw new Error(`${who} has no bank`)
	const chosen = <Row>(rows: Row[]) => choose(rows, pick)
	const said = { minutes: 'minutes' in step ? step.minutes : 0, outcome: 'outcome' in step ? step.outcome : '' }
	await WAYS[step.do]({ world, books, bank, who, pick, part, times, chosen, ...said })
}
