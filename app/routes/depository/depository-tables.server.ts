import { type EdisHolding, type OnePledgeRequest, type PledgeRow, type PledgeTerms, type StockVerifications } from '#contract/depository'
import { unreadIn, withUnread } from '#contract/tolerant'
import { tellDeadline } from '~/broker/clock.server'
import { computeValue } from '~/lib/margin'
import { confirmPath } from '~/lib/sign-pages'
import { formatUnits } from '~/lib/units'
import { DASH, nameCode } from '~/lib/unknown'
import { clampText, moment, money, price, quantity, text } from '~/reports/columns.server'
import { type Column, type Report } from '~/reports/declaration'
import { sortableKeys } from '~/reports/report.server'
import { readView, type View } from '~/reports/view.server'
import { isVerifiable, sumSold } from './edis-form.server'
import { computeOffer } from './pledge-form.server'
import { describePledge, isLate, nameAction } from './pledge-status.server'

/* Tables of the depository pages. The sort in the address applies to both tables of a page, so their keys differ. */

/** Returns the view of a page with two tables, and of their files. */
export const readPageView = <One, Other>(url: URL, one: Report<One>, other: Report<Other>): View =>
	readView(url, [...sortableKeys(one), ...sortableKeys(other)])

type Verified = StockVerifications['verifications'][number]

const TRADE_TYPES = { PRE: 'Pre', POST: 'Post' } as const

/** Holdings that can be verified for a sale. */
export const edisHoldings: Report<EdisHolding> = {
	title: 'Holdings',
	words: ({ stock_name, isin }) => `${stock_name} ${isin}`,
	columns: [
		text('name', 'Name', (row) => row.stock_name),
		text('isin', 'ISIN', (row) => row.isin),
		quantity('free', 'Free', (row) => row.free_qty),
		quantity('held', 'Held', (row) => row.qty),
		quantity('verified', 'Verified', (row) => row.verified_qty),
		quantity('sold', 'Sold', sumSold),
		quantity('ddpi', 'DDPI', (row) => row.poa_qty),
		price('close', 'Close', (row) => row.close_price),
		money('value', 'Value', (row) => computeValue(row.qty, row.close_price), { isSummed: true }),
	],
}

/** Returns the rows in the order of their names. The broker's order follows a symbol that no column shows. */
export function orderByName<Row>(rows: readonly Row[], readName: (row: Row) => string): readonly Row[] {
	const ordered = rows.toSorted((a, b) => readName(a).localeCompare(readName(b), 'en'))
	return withUnread(ordered, rows)
}

/** Puts rows with a lower rank first. A chosen order or a search wins. */
function orderByRank<Row>(rows: readonly Row[], { sort, q }: View, rank: (row: Row) => number): readonly Row[] {
	if (sort || q) return rows
	const ordered = rows.toSorted((a, b) => rank(a) - rank(b))
	return withUnread(ordered, rows)
}

export const readStock = ({ stock_name }: EdisHolding) => stock_name
const readScrip = ({ SCRIP_NAME }: PledgeRow) => SCRIP_NAME

/** Returns the rows as the page and its file show them: sold rows first, rows with nothing to verify last. */
export const orderEdisHoldings = (holdings: readonly EdisHolding[], view: View) =>
	orderByRank(orderByName(holdings, readStock), view, (holding) => (sumSold(holding) > 0 ? 0 : isVerifiable(holding) ? 1 : 2))

/** Returns the rows as the page and its file show them: what gives most margin first. */
export const orderPledgeHoldings = (rows: readonly PledgeRow[], view: View) =>
	orderByRank(orderByName(rows, readScrip), view, (row) => -computeOffer(row))

/** Units that are verified now, and until when. */
export const stockVerifications: Report<Verified> = {
	title: 'Verified',
	words: ({ stock_name, isin }) => `${stock_name} ${isin}`,
	tiers: { keys: ['security', 'quantity', 'until'] },
	columns: [
		text('security', 'Name', (row) => row.stock_name),
		text('of', 'ISIN', (row) => row.isin),
		quantity('quantity', 'Quantity', (row) => row.qty),
		text('type', 'Trade type', (row) => nameCode(TRADE_TYPES, row.trade_type)),
		moment('at', 'Verified at', (row) => row.verified_at),
		moment('until', 'Holds until', (row) => row.valid_until),
	],
}

/** Securities that are pledged or can be pledged. `cash`: ISINs that count as cash; undefined when the broker did not say. */
export function pledgeHoldings(cash: PledgeTerms['cash_equivalents'] | undefined): Report<PledgeRow> {
	return {
		title: 'Margin pledge',
		words: ({ SCRIP_NAME, ISIN }) => `${SCRIP_NAME} ${ISIN}`,
		columns: [
			text('name', 'Name', (row) => row.SCRIP_NAME),
			text('isin', 'ISIN', (row) => row.ISIN),
			quantity('free', 'Free', (row) => row.FREE_QTY),
			quantity('pledged', 'Pledged', (row) => row.PLEDGED_QTY),
			haircut,
			money('gives', 'Gives', computeOffer, { isSummed: true }),
			money('margin', 'Margin', (row) => row.MARGIN, { isSummed: true }),
			price('close', 'Close', (row) => row.CLOSE_PRICE),
			// Not only of the free units, unlike what they give.
			money('value', 'Value', (row) => row.VALUE, { isSummed: true }),
			...(cash ? [text<PledgeRow>('kind', 'Kind', ({ ISIN }) => (cash.includes(ISIN) ? 'Cash' : 'Non-cash'))] : []),
		],
	}
}

const haircut: Column<PledgeRow> = {
	key: 'haircut',
	label: 'Haircut',
	align: 'right',
	cell: (row) => `${row.HAIRCUT} %`,
	plain: (row) => String(row.HAIRCUT),
	sortBy: (row) => row.HAIRCUT,
}

/** Returns the sum over the lines of a request; null when one of them could not be read. */
const sumLines = ({ lines }: OnePledgeRequest, read: (line: OnePledgeRequest['lines'][number]) => number) =>
	unreadIn(lines) ? null : lines.reduce((sum, line) => sum + read(line), 0)
const listNames = ({ lines }: OnePledgeRequest) => lines.map(({ qty, stock_name }) => `${formatUnits(qty)} ${stock_name}`).join(', ')

const securities: Column<OnePledgeRequest> = {
	...text<OnePledgeRequest>('securities', 'Securities', listNames),
	cell: (row) =>
		row.lines.length > 1 && !unreadIn(row.lines)
			? { text: `${row.lines.length} securities`, note: listNames(row) }
			: row.lines.map(({ stock_name }) => stock_name).join(', ') || DASH,
}

/** The status. A phone has no column for the deadline, so it stands below the status. */
const state: Column<OnePledgeRequest> = {
	...text<OnePledgeRequest>('status', 'Status', (row) => describePledge(row).status),
	cell: (row) => {
		const { status, mark } = describePledge(row)
		return {
			text: status,
			status: mark,
			phoneNote: row.esign_response ? `${isLate(row) ? 'Was due by' : 'Confirm by'} ${tellDeadline(row.confirm_by)}` : undefined,
		}
	},
}

/** The client can confirm a request as long as the broker has one to open. */
const next: Column<OnePledgeRequest> = {
	key: 'next',
	label: 'What next',
	cell: (row) =>
		row.esign_response ? { text: 'Confirm', href: confirmPath(row.request_id), isButton: true, which: row.request_id } : DASH,
	plain: (row) => (row.esign_response ? 'Confirm' : ''),
}

/** The client's pledge and release requests; each links to its page. */
export const pledgeRequestsReport: Report<OnePledgeRequest> = {
	title: 'Pledge requests',
	words: (row) => `${row.request_id} ${listNames(row)} ${row.lines.map(({ isin }) => isin).join(' ')} ${describePledge(row).status}`,
	tiers: { keys: ['reference', 'status', 'next'], tablet: ['request', 'securities', 'units'], laptop: ['counts', 'confirm'] },
	columns: [
		{
			...text<OnePledgeRequest>('reference', 'Reference', (row) => row.request_id),
			// A phone has no column for the securities.
			cell: (row) => ({ text: row.request_id, href: confirmPath(row.request_id), phoneNote: clampText(listNames(row)) }),
		},
		text('request', 'Request', nameAction),
		securities,
		quantity('units', 'Quantity', (row) => sumLines(row, ({ qty }) => qty)),
		money('counts', 'Margin', (row) => sumLines(row, ({ margin }) => margin)),
		state,
		next,
		moment('asked', 'Asked at', (row) => row.asked_at),
		moment('confirm', 'Confirm by', (row) => (row.esign_response ? row.confirm_by : null)),
	],
}
