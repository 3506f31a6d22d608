import { sql } from 'drizzle-orm'
import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { findMarginPercent, findOpenFundings, type FundingMove, listInterestDays } from '#sandbox/rules/mtf'
import { computePercent, computeValue } from '#sandbox/rules/rounding'
import { type Readable, readRows } from './rows'

export type Funding = FundingMove & { symbol: string }

/** All money lent (+) and repaid (-) for margin-funded shares up to a day, oldest first. */
export async function readFundings(books: Readable, client: string, to: Day): Promise<Funding[]> {
	return await readRows<Funding>(
		books,
		sql`SELECT f.instrument, i.symbol, f.day::text AS day, f.amount::float8 AS amount FROM fundings f JOIN instruments i ON i.id = f.instrument
		WHERE f.client = ${client} AND f.day <= ${to} ORDER BY f.day, f.id`,
	)
}

/** Shares that the broker has partly paid for. */
export type FundedPosition = {
	instrument: string
	name: string
	symbol: string
	/** The trade day. */
	boughtOn: Day
	quantity: number
	/** The units whose margin-funding pledge the client has confirmed, delivered or not. */
	confirmed: number
	/** Units delivered and pledged; units not delivered yet; units delivered but not confirmed. */
	pledged: number
	unsettled: number
	unpaid: number
	/** The cost before charges, and its two parts: the amount lent and the client's own. */
	cost: Paise
	funded: Paise
	brought: Paise
	/** The last close in 1/10,000 rupee, and the value at it in paise. */
	close: number
	value: Paise
	/** Per cent of the value that must be the client's own, and that amount in paise. */
	marginPercent: string
	needed: Paise
	/** The client's part at this price: value less loan. Negative when the shares are worth less than the loan. */
	held: Paise
	/** Interest up to this day, posted or not, and the number of days it covers. */
	interest: Paise
	days: number
}

type Traded = {
	instrument: string
	symbol: string
	name: string
	day: Day
	side: string
	quantity: number
	price: number
	close: number
	isSettled: boolean
}

/** Margin-funded positions at the end of a day, by symbol. */
export async function readFundedPositions(books: Readable, client: string, day: Day): Promise<FundedPosition[]> {
	const moves = await readFundings(books, client, day)
	const open = findOpenFundings(moves)
	if (open.size === 0) return []
	const trades = await readRows<Traded>(
		books,
		sql`SELECT t.instrument, i.symbol, i.name, t.day::text AS day, t.side, t.quantity::float8 AS quantity, t.price::float8 AS price,
			(SELECT close FROM prices p WHERE p.instrument = t.instrument AND p.day <= ${day} ORDER BY p.day DESC LIMIT 1)::float8 AS close,
			(SELECT n.settles_on <= ${day} FROM notes n WHERE n.bill_no = t.bill_no) AS "isSettled"
		FROM trades t JOIN instruments i ON i.id = t.instrument WHERE t.client = ${client} AND t.is_mtf AND t.day <= ${day} ORDER BY t.id`,
	)
	const pledges = await readRows<{ instrument: string; quantity: number }>(
		books,
		sql`SELECT instrument, sum(quantity)::float8 AS quantity FROM pledge_movements
		WHERE client = ${client} AND kind = 'MTF' AND day <= ${day} GROUP BY 1`,
	)
	const days = listInterestDays(moves, '', day)
	const positions = [...open].flatMap(([instrument, { funded, since }]): FundedPosition[] => {
		const own = trades.filter((trade) => trade.instrument === instrument && trade.day >= since)
		const bought = own.filter(({ side }) => side === 'B')
		const first = bought[0]
		if (first === undefined) return []
		const quantity = own.reduce((sum, trade) => sum + (trade.side === 'B' ? trade.quantity : -trade.quantity), 0)
		const unsettled = Math.min(
			quantity,
			bought.filter(({ isSettled }) => !isSettled).reduce((sum, trade) => sum + trade.quantity, 0),
		)
		const confirmed = pledges.find((pledge) => pledge.instrument === instrument)?.quantity ?? 0
		const pledged = Math.min(quantity - unsettled, confirmed)
		const boughtQuantity = bought.reduce((sum, trade) => sum + trade.quantity, 0)
		const boughtFor = bought.reduce((sum, trade) => sum + computeValue(trade.quantity, trade.price), 0)
		const cost = quantity === boughtQuantity ? boughtFor : Math.round((boughtFor * quantity) / boughtQuantity)
		const value = computeValue(quantity, first.close)
		const marginPercent = findMarginPercent(instrument)
		const costing = days.filter((each) => each.instrument === instrument && each.day > since)
		return [
			{
				instrument,
				name: first.name,
				symbol: first.symbol,
				boughtOn: since,
				quantity,
				confirmed,
				pledged,
				unsettled,
				unpaid: quantity - unsettled - pledged,
				cost,
				funded,
				brought: cost - funded,
				close: first.close,
				value,
				marginPercent,
				needed: computePercent(value, marginPercent),
				held: value - funded,
				interest: costing.reduce((sum, { interest }) => sum + interest, 0),
				days: costing.length,
			},
		]
	})
	return positions.sort((a, b) => (a.symbol < b.symbol ? -1 : 1))
}

/** A month's margin-funding interest, as posted in the ledger. */
export type InterestPosting = { month: string; voucherNo: string; day: Day; amount: Paise }

/** Vouchers of margin-funding interest, each dated the last day of its month; oldest first. */
export async function readInterestPostings(books: Readable, client: string, from: Day, to: Day): Promise<InterestPosting[]> {
	return await readRows<InterestPosting>(
		books,
		sql`SELECT to_char(v.day, 'YYYY-MM') AS month, v.voucher_no AS "voucherNo", v.day::text AS day, (-p.amount)::float8 AS amount
		FROM postings p JOIN vouchers v ON v.id = p.voucher_id
		WHERE p.account = 'CLIENT' AND p.client = ${client} AND p.day BETWEEN ${from} AND ${to} AND v.narration LIKE 'MTF INTEREST %'
		ORDER BY v.day, v.id`,
	)
}
