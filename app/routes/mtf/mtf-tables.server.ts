import { type MtfDetails, type MtfFacts, type MtfInterest } from '#contract/mtf'
import { unreadIn, withUnread } from '#contract/tolerant'
import { formatDay } from '#contract/values/dates'
import { formatMoment } from '#contract/values/moments'
import { formatAmount, formatRupees, type Paise, toPaise } from '#contract/values/money'
import { formatUnits } from '~/lib/units'
import { sumOrNull } from '~/lib/unknown'
import { findHoldingPage } from '~/reports/addresses.server'
import { average, day, formatAverage, money, price, quantity, text } from '~/reports/columns.server'
import { type Column, type Report } from '~/reports/declaration'

type Position = MtfDetails['positions'][number]
/** A funded position with the facts of the optional operation; null when the broker has none. */
export type FundedRow = Position & { facts: MtfFacts['positions'][number] | null }
type InterestRow = MtfInterest['days'][number]

/** Returns the broker's positions, each with its facts. Two positions in one security have none, because facts name the security only. */
export function joinPositionFacts({ positions }: MtfDetails, facts: MtfFacts | undefined): FundedRow[] {
	const byIsin = new Map(facts?.positions.map((each) => [each.ISIN, each]))
	const isOnly = ({ ISIN }: Position) => positions.filter((each) => each.ISIN === ISIN).length === 1
	const joined = positions.map((position) => ({ ...position, facts: (isOnly(position) && byIsin.get(position.ISIN)) || null }))
	return withUnread(joined, positions, facts?.positions)
}

/** Returns the purchase cost in paise before charges: the funded part and the part of the client. */
const sumPositionCost = ({ FUNDED, CLIENT_MARGIN }: Position): Paise | null => sumOrNull([FUNDED, CLIENT_MARGIN])

/** Returns the value in paise at the last close. */
const findPositionValue = ({ facts, QTY, CLOSE_PRICE }: FundedRow): Paise | null =>
	facts?.VALUE ?? (QTY === null || CLOSE_PRICE === null ? null : toPaise(QTY * CLOSE_PRICE))

export function computeGain(row: FundedRow): Paise | null {
	const [value, cost] = [findPositionValue(row), sumPositionCost(row)]
	return value === null || cost === null ? null : value - cost
}

/**
 * Returns the price in rupees at which a sale today would just cover the cost and the interest so far, before the charges of that sale.
 */
function computeBreakEven(position: Position): number | null {
	const owed = sumOrNull([sumPositionCost(position), position.INTEREST])
	return owed !== null && position.QTY ? Math.ceil(owed / position.QTY) / 100 : null
}

function formatPledge({ facts, QTY }: FundedRow): string | null {
	if (!facts || QTY === null) return null
	if (facts.PLEDGED_QTY >= QTY) return 'Pledged'
	const by = facts.PLEDGE_BY ? `, the rest by ${formatMoment(facts.PLEDGE_BY)}` : ''
	const unsettled = facts.UNSETTLED_QTY ? `; ${facts.UNSETTLED_QTY} unsettled` : ''
	const unpaid = facts.UNPAID_QTY ? `; ${facts.UNPAID_QTY} held as unpaid` : ''
	return `${facts.PLEDGED_QTY} of ${QTY} pledged${by}${unsettled}${unpaid}`
}

/** Returns what a phone has no column for: `400 at ₹ 333.45 · breaks even at ₹ 429.08`. Leaves out what is unknown. */
function tellPurchase(row: FundedRow): string | undefined {
	const breakEven = computeBreakEven(row)
	const units = row.QTY === null ? undefined : formatUnits(row.QTY)
	const bought = units && (row.BUY_RATE === null ? units : `${units} at\u00a0₹\u00a0${formatAverage(row.BUY_RATE)}`)
	return [bought, breakEven !== null && `breaks even at\u00a0₹\u00a0${formatAverage(breakEven)}`].filter(Boolean).join(' · ') || undefined
}

/**
 * Shares that the broker has partly paid. The main columns come first, so that they are seen without scrolling. The sort in the address
 * applies to both tables of the page, so their keys differ.
 */
export const fundedPositions: Report<FundedRow> = {
	title: 'Funded positions',
	tiers: {
		keys: ['name', 'mtm', 'funded'],
		tablet: ['quantity', 'rate', 'price', 'accrued'],
		laptop: ['break-even', 'value', 'days'],
	},
	words: ({ SCRIP_NAME, ISIN }) => `${SCRIP_NAME} ${ISIN}`,
	columns: [
		{
			...text<FundedRow>(
				'name',
				'Name',
				(row) => row.SCRIP_NAME,
				(row) => findHoldingPage(row.ISIN),
			),
			below: tellPurchase,
		},
		quantity('quantity', 'Quantity', (row) => row.QTY),
		average('rate', 'Buy price', (row) => row.BUY_RATE),
		price('price', 'Price', (row) => row.CLOSE_PRICE),
		average('break-even', 'Break-even', computeBreakEven),
		money('mtm', 'MTM', computeGain, { isGain: true, isSummed: true }),
		money('funded', 'Funded', (row) => row.FUNDED, { isSummed: true }),
		quantity('days', 'Days', (row) => row.DAYS),
		money('accrued', 'Interest', (row) => row.INTEREST, { isSummed: true }),
		money('value', 'Value', findPositionValue, { isSummed: true }),
		money('brought', 'Your margin', (row) => row.CLIENT_MARGIN, { isSummed: true }),
		money('held', 'Margin held', (row) => row.facts?.MARGIN_HELD ?? null, { isSummed: true }),
		money('needed', 'Margin needed', (row) => row.facts?.MARGIN_NEEDED ?? null, { isSummed: true }),
		day('bought', 'Bought', (row) => row.facts?.BOUGHT_ON ?? null),
		text('isin', 'ISIN', (row) => row.ISIN),
		text('pledge', 'Pledge', formatPledge),
	],
}

const voucher: Column<InterestRow> = {
	...text<InterestRow>('voucher', 'In the ledger', (row) => row.VOUCHER_NO),
	cell: ({ VOUCHER_NO }) => (VOUCHER_NO ? { text: VOUCHER_NO, href: formatLedgerPath(VOUCHER_NO) } : 'Not posted yet'),
}

export const interestByDay: Report<InterestRow> = {
	title: 'Interest',
	tiers: { keys: ['date', 'security', 'interest'] },
	words: ({ SYMBOL, ISIN, VOUCHER_NO, DATE }) => `${SYMBOL ?? ''} ${ISIN} ${VOUCHER_NO ?? ''} ${formatDay(DATE)}`,
	columns: [
		day('date', 'Date', (row) => row.DATE),
		text('security', 'Security', (row) => row.SYMBOL),
		money('owed', 'Funded', (row) => row.FUNDED),
		money('interest', 'Interest', (row) => row.INTEREST, { isSummed: true }),
		voucher,
	],
}

function formatLedgerPath(voucherNo: string): string {
	return `/reports/ledger/NSE_CASH?q=${encodeURIComponent(voucherNo)}`
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']

/** `October 2026`. */
function nameMonth(month: string): string {
	return `${MONTHS[Number(month.slice(5, 7)) - 1] ?? ''} ${month.slice(0, 4)}`
}

/** Returns when a month was debited and its vouchers, for two columns, and both in one note for a phone. */
function tellPosting(postings: MtfInterest['postings']) {
	const [first] = postings
	if (!first) return { note: 'Not posted yet: the ledger has it when the month has ended', posted: 'Not posted yet', voucher: '' }
	const [posted, voucher] = [formatDay(first.DATE), postings.map(({ VOUCHER_NO }) => VOUCHER_NO).join(', ')]
	return { note: `Posted on ${posted} · ${voucher}`, posted, voucher }
}

/** Marks a sum of interest of which a day or a posting could not be read. */
export const markIncomplete = ({ days, postings }: MtfInterest) => (unreadIn(days) || unreadIn(postings) ? ' (incomplete)' : '')

/**
 * Returns the interest of each month: the sum of its days in paise, and the debit in the ledger. `isDifferent` when they are not equal
 * to the paisa.
 */
export function sumInterestByMonth(interest: MtfInterest) {
	const { days, postings } = interest
	const sums = new Map<string, Paise>()
	const mark = markIncomplete(interest)
	for (const { DATE, INTEREST } of days) sums.set(DATE.slice(0, 7), (sums.get(DATE.slice(0, 7)) ?? 0) + (INTEREST ?? 0))
	for (const { MONTH } of postings) if (!sums.has(MONTH)) sums.set(MONTH, 0)
	return [...sums]
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([month, counted]) => {
			const posted = postings.filter(({ MONTH }) => MONTH === month)
			const amount = posted.reduce((sum, { AMOUNT }) => sum + AMOUNT, 0)
			return {
				month,
				label: nameMonth(month),
				amount: counted,
				figure: formatRupees(counted) + mark,
				/** For a column whose head has the unit. */
				plain: formatAmount(counted) + mark,
				...tellPosting(posted),
				href: posted[0] && formatLedgerPath(posted[0].VOUCHER_NO),
				isDifferent: mark === '' && posted.length > 0 && amount !== counted,
				isPosted: posted.length > 0,
			}
		})
}

/** Returns the same with the months in between in which nothing was funded, so that no month seems to be missing. */
export function listInterestMonths(interest: MtfInterest) {
	const months = sumInterestByMonth(interest)
	// A day that could not be read may belong to such a month.
	if (markIncomplete(interest)) return months
	return months.flatMap((month, at) => {
		const before = months[at - 1]
		return before ? [...listIdleMonths(before.month, month.month), month] : [month]
	})
}

function listIdleMonths(after: string, until: string) {
	const idle: ReturnType<typeof sumInterestByMonth> = []
	// The months of one year: a broker's odd month must not make a long list.
	for (let month = findNextMonth(after); month < until && idle.length < 12; month = findNextMonth(month))
		idle.push({
			month,
			label: nameMonth(month),
			amount: 0,
			figure: formatRupees(0),
			plain: formatAmount(0),
			note: 'Nothing was funded',
			posted: 'Nothing was funded',
			voucher: '',
			href: undefined,
			isDifferent: false,
			isPosted: false,
		})
	return idle
}

/** `2026-12` gives `2027-01`. */
function findNextMonth(month: string): string {
	const [year = 0, at = 0] = month.split('-').map(Number)
	return at >= 12 ? `${year + 1}-01` : `${year}-${String(at + 1).padStart(2, '0')}`
}
