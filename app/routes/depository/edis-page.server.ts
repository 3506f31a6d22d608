import { type EdisHolding } from '#contract/depository'
import { type Day, formatDay } from '#contract/values/dates'
import { formatRupees } from '#contract/values/money'
import { nameUnits } from '#contract/values/unit-names'
import { type Broker } from '~/broker/client.server'
import { tellDeadline } from '~/broker/clock.server'
import { getEdisHoldings, listStockVerifications } from '~/broker/depository.server'
import { loadPart, loadSidePart } from '~/http/partial-data.server'
import { computeValue } from '~/lib/margin'
import { formatUnits } from '~/lib/units'
import { arrange, buildTable } from '~/reports/report.server'
import { formatFileAddress, sortText } from '~/reports/view.server'
import { edisHoldings, orderByName, orderEdisHoldings, readPageView, readStock, stockVerifications } from './depository-tables.server'
import { isVerifiable, listLimits, readFilled, showOffer, sumSold, tellNotFree } from './edis-form.server'
import { buildFormTable } from './table-entries.server'

const VERIFY = '/dpprocess'

export type EdisPage = Awaited<ReturnType<typeof loadEdisPage>>

/** Loads what can be verified, as the rows of a form, and what is verified now. */
export async function loadEdisPage(broker: Broker, request: Request) {
	// Also for the dialog over this page: a sort or download there concerns this page.
	const url = new URL(VERIFY + new URL(request.url).search, request.url)
	const [{ data: loaded = [], failure }, told] = await Promise.all([
		loadPart(broker, getEdisHoldings(broker), []),
		loadSidePart(broker, listStockVerifications(broker)),
	])
	const holdings = orderByName(loaded, readStock)
	const maxSecurities = told.data?.max_securities
	const view = readPageView(url, edisHoldings, stockVerifications)
	const filled = readFilled(url.searchParams, holdings, maxSecurities)
	const isFilled = (row: EdisHolding) => filled.isin.includes(row.isin) || filled.qty[row.isin] !== showOffer(row)
	const table = buildFormTable(edisHoldings, orderEdisHoldings(loaded, view), view, isFilled, ['isin'])
	const zeros = listZero(holdings)
	const verified = told.data?.verifications
	const deadline = told.data && tellDeadline(told.data.valid_until)
	// True when the standing instruction (DDPI) covers all units. Without any unit it says nothing.
	const needsNone =
		holdings.some(({ poa_qty }) => poa_qty > 0) &&
		holdings.every(({ free_qty, verified_qty, poa_qty }) => poa_qty >= free_qty + verified_qty)
	/** Sales to verify; with the standing instruction the broker delivers them by itself. */
	const sales = needsNone ? [] : holdings.flatMap(({ sold = [] }) => sold.map(({ trade_date }) => trade_date))
	return {
		failure,
		q: view.q,
		sorted: sortText(view),
		isEmpty: holdings.length === 0,
		canVerify: holdings.some(isVerifiable),
		/** Sales that can still be verified, latest first; each link fills in the form. */
		sold: [...new Set(sales)]
			.sort()
			.reverse()
			.map((day) => ({
				...tellSold(holdings, day, deadline),
				lines: listSold(holdings, day, maxSecurities),
				day: formatDay(day),
				href: `${VERIFY}?select=sold&trade_type=POST&post_trade_date=${day}#verify`,
			})),
		heads: table.heads.map((head) => ({ ...head, from: zeros.includes(head.key) ? ('never' as const) : undefined })),
		unread: table.unread,
		rows: table.rows.map(({ row, cells }) => ({
			isin: row.isin,
			free: row.free_qty + sumSold(row),
			close: row.close_price,
			sold: sumSold(row) > 0 ? formatUnits(sumSold(row)) : undefined,
			notFree: tellNotFree(row, verified),
			limits: listLimits(row),
			cells,
		})),
		foot: table.foot,
		filled,
		needsNone,
		...tellValidity(holdings, deadline, sales.length > 0),
		isTooMany: maxSecurities !== undefined && holdings.length > maxSecurities,
		maxSecurities,
		lastTradeDay: told.data?.trade_days[0],
		tradeDays: told.data?.trade_days.map(formatDay).join(' or '),
		verified: verified && buildTable(stockVerifications, arrange(stockVerifications, verified, view), view, url),
		verifiedFailure: told.failure,
		hasVerified: !told.isAbsent,
		round: nameRound(holdings, verified),
		files: {
			holdings: formatFileAddress('/downloads/depository/holdings', view),
			verified: formatFileAddress('/downloads/depository/verified', view),
		},
	}
}

/** Returns the whole units that were sold on a day and are not verified, as the form sends them; none when they are too many for one code. */
function listSold(holdings: readonly EdisHolding[], day: Day, most = Infinity) {
	const lines = holdings.flatMap(({ isin, sold = [] }) =>
		sold.filter(({ trade_date, qty }) => trade_date === day && qty >= 1).map(({ qty }) => ({ isin, qty: String(Math.floor(qty)) })),
	)
	return lines.length > most ? [] : lines
}

/**
 * Returns a text that changes after a verification, so that the form does not keep the values it sent. At a broker without the list, only
 * the units show it: free ones become verified, or sold ones are covered.
 */
function nameRound(holdings: readonly EdisHolding[], verified?: readonly { request_id: string }[]): string {
	const total = (count: (row: EdisHolding) => number) => holdings.reduce((sum, row) => sum + count(row), 0)
	const units = [total(({ free_qty }) => free_qty), total(({ verified_qty }) => verified_qty), total(sumSold)]
	return [verified?.length, verified?.[0]?.request_id, ...units].join(' ')
}

/**
 * Returns `Verify 15 shares of Titan Company Ltd., sold on 20/11/2026`; more than two securities with their number, and then each of them.
 * `note`: the value at the last close, what to do by when, and what happens otherwise.
 */
function tellSold(
	holdings: readonly EdisHolding[],
	day: Day,
	deadline: string | undefined,
): { words: string; each?: string; note: string } {
	const sales = holdings.flatMap(({ isin, stock_name, close_price, sold = [] }) =>
		sold
			.filter(({ trade_date }) => trade_date === day)
			.map(({ qty }) => ({ isin, qty, stock_name, value: computeValue(qty, close_price) })),
	)
	const lines = sales.map(
		({ isin, qty, stock_name }, at) => `${formatUnits(qty)}${at === 0 ? ` ${nameUnits(isin, qty)}` : ''} of ${stock_name}`,
	)
	const tell = (what: string) => `Verify ${what}, sold on ${formatDay(day)}`
	const isMany = lines.length > 2
	return {
		words: tell(isMany ? `${lines.length} securities` : lines.join(' and ')),
		each: isMany ? lines.join(', ') : undefined,
		note: `Worth ${formatRupees(sales.reduce((sum, { value }) => sum + value, 0))}. Enter the OTP${deadline ? ` by ${deadline}` : ''}, so that the broker can deliver them. Otherwise the exchange buys them in an auction, at your cost.`,
	}
}

const WITH_SOLD = 'The value counts shares sold but not yet delivered, and not those still to be received.'

/**
 * Returns what a verification is for and until when it is valid, at a broker without the list of verifications not the latter. `otpNote`
 * stands above the form, but not beside sales, which say what to do by when. `tableNote` stands above the button.
 */
function tellValidity(holdings: readonly EdisHolding[], deadline: string | undefined, hasSales: boolean) {
	const until = deadline ? [`A verification made now is valid until ${deadline}.`] : []
	const isSaleFirst = hasSales && holdings.some(isVerifiable)
	const note = [
		...(holdings.some((holding) => sumSold(holding) > 0) ? [WITH_SOLD] : []),
		...(isSaleFirst ? until : []),
		'A split, bonus or the like ends a verification early.',
	]
	return {
		otpNote: isSaleFirst ? undefined : ['Verify shares with an OTP, so that the broker can deliver what you sell.', ...until].join(' '),
		tableNote: note.join(' '),
	}
}

const OFTEN_ZERO: [key: string, get: (row: EdisHolding) => number][] = [
	['verified', (row) => row.verified_qty],
	['sold', sumSold],
	['ddpi', (row) => row.poa_qty],
]

/** Returns the keys of the columns of units that are zero in every row. Only `All columns` shows them. */
const listZero = (holdings: readonly EdisHolding[]): string[] =>
	OFTEN_ZERO.filter(([, get]) => holdings.every((row) => get(row) === 0)).map(([key]) => key)
