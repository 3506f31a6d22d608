import { type IpoFacts, type IpoIssue } from '#contract/ipo'
import { withUnread } from '#contract/tolerant'
import { formatDay } from '#contract/values/dates'
import { computeEntryAmount } from '#contract/values/ipo-bid'
import { formatMoment, formatPlainMoment } from '#contract/values/moments'
import { formatRupees, type Paise, toPaise } from '#contract/values/money'
import { now, today } from '~/broker/clock.server'
import { formatUnits } from '~/lib/units'
import { DASH, orDash } from '~/lib/unknown'
import { quantity } from '~/reports/columns.server'
import { type Report } from '~/reports/declaration'
import { type BidEntry, isBidAlive, listWaitingMandates, tellBids } from './bid-table.server'
import { removeLimits } from './category-label'

/** An issue with further facts, and the client's bids for it that count or can still count. */
export type IssueEntry = IpoIssue & { facts?: IpoFacts['issues'][number]; bids?: readonly BidEntry[] }

/** True when the price band is announced, which may be two days before an issue opens. Until then brokers send 0. */
const hasPrice = ({ max_price }: IpoIssue) => max_price > 0

/** `₹ 310.00 to ₹ 327.00`. */
export function formatPriceBand(issue: IpoIssue): string {
	if (!hasPrice(issue)) return 'Not announced'
	const { min_price, max_price } = issue
	const [low, high] = [formatRupees(toPaise(min_price)), formatRupees(toPaise(max_price))]
	return low === high ? low : `${low} to ${high}`
}

/** The same on a line that does not name the band: `Price not announced`. */
export const tellPriceBand = (issue: IpoIssue) => (hasPrice(issue) ? formatPriceBand(issue) : 'Price not announced')

/** Returns the last moment to bid in a category, or in any category when none is given. */
export function formatBidsUntil(issue: IssueEntry, code?: string): string {
	const last = findLastBid(issue, code)
	return last ? formatMoment(last) : formatDay(issue.close_date)
}

function findLastBid({ facts }: IssueEntry, code?: string): string | undefined {
	const moments = (facts?.bids_until ?? []).filter(({ category }) => code === undefined || category === code).map(({ until }) => until)
	return moments.sort().at(-1)
}

export function plainBidsUntil(issue: IssueEntry, code?: string): string {
	const last = findLastBid(issue, code)
	return last ? formatPlainMoment(last) : issue.close_date
}

/** True when the last moment to bid in a category has passed. */
export function isCategoryOver(issue: IssueEntry, code: string): boolean {
	const last = findLastBid(issue, code)
	return last !== undefined && new Date(last) <= now()
}

/** True when a category takes bids now and closes before the others. */
export function closesEarly(issue: IssueEntry, code: string): boolean {
	const last = findLastBid(issue, code)
	return last !== undefined && last !== findLastBid(issue) && !isCategoryOver(issue, code)
}

/**
 * Returns whether an issue takes bids: by its status or, when we do not know that word, by its days. The broker then decides. After its
 * last day an issue is closed, also while the broker still calls it live. Without a price it takes no bids yet.
 */
export function findIssueState(issue: IpoIssue): 'LIVE' | 'UPCOMING' | 'CLOSED' {
	const state = readIssueState(issue)
	return state === 'LIVE' && !hasPrice(issue) ? 'UPCOMING' : state
}

function readIssueState({ status, open_date, close_date }: IpoIssue): 'LIVE' | 'UPCOMING' | 'CLOSED' {
	if (status === 'UPCOMING' || status === 'CLOSED' || (status === 'LIVE' && today() <= close_date)) return status
	return today() < open_date ? 'UPCOMING' : today() > close_date ? 'CLOSED' : 'LIVE'
}

/** Returns `Bids open again at 10:00 on 23/11/2026.`; undefined while bids are accepted, or when the broker did not say. */
export function formatReopening(issue: IssueEntry): string | undefined {
	const from = issue.facts?.bids_from
	return from && findIssueState(issue) === 'LIVE' ? `Bids open again at ${formatMoment(from)}.` : undefined
}

/** True while a bid in this category can be sent. */
export const canBid = (issue: IssueEntry, code: string): boolean =>
	findIssueState(issue) === 'LIVE' && !formatReopening(issue) && !isCategoryOver(issue, code)

/**
 * Returns which categories of an issue are offered to a client, those in which bidding has not ended, and whether the issue takes bids.
 * `opens` is the day of the first bids, when it is still to come.
 */
export function describeOpening(issue: IssueEntry, codes: readonly string[]) {
	const offered = issue.categories.map(({ code }) => code).filter((code) => codes.includes(code))
	const open = issue.categories.filter(({ code }) => offered.includes(code) && !isCategoryOver(issue, code))
	const isOver = offered.length > 0 && open.length === 0
	const opens = issue.open_date > today() ? formatDay(issue.open_date) : undefined
	return { offered, open, status: isOver ? 'CLOSED' : findIssueState(issue), opens, reopens: formatReopening(issue) }
}

const formatApplyPath = ({ symbol }: IpoIssue) => `/connect/ipo/${encodeURIComponent(symbol)}`

/** Returns the same text for a list, when it is the same for all its issues. */
export function formatListReopening(issues: readonly IssueEntry[]): string | undefined {
	const words = new Set(issues.map(formatReopening))
	return words.size === 1 ? [...words][0] : undefined
}

/** Returns the paise that the smallest application at the top of the price band blocks; null without a price. */
export function computeLeastAmount(issue: IpoIssue): Paise | null {
	return hasPrice(issue) ? computeEntryAmount(issue.min_bid_qty, issue.max_price) : null
}

/** Returns the least amount as a spreadsheet has it. */
function formatLeast(issue: IpoIssue): string {
	const least = computeLeastAmount(issue)
	return least === null ? '' : String(least / 100)
}

const times = (count: number) => `${count.toFixed(2)}×`

/** Returns the name of a category without its limits. A short name stays on one line. */
function shortenCategory({ label }: IpoIssue['categories'][number]): string {
	const name = removeLimits(label)
	return name.length <= 16 ? name.replaceAll(' ', '\u00A0') : name
}

/** Returns `Individual 3.44× · High net worth 2.10×`, where a figure stays beside its category. */
function subscriptionWords({ subscription, categories }: IpoIssue): string {
	if (!subscription || subscription.length === 0) return DASH
	return (
		subscription
			.flatMap(({ category, times: count }) => {
				const known = categories.find(({ code }) => code === category)
				return known ? [`${shortenCategory(known)}\u00A0${times(count)}`] : []
			})
			.join(' · ') || DASH
	)
}

/** Returns the same for a phone; nothing before the issue opens. */
function listPhoneSubscription(issue: IpoIssue): string[] {
	const words = subscriptionWords(issue)
	return words === DASH ? [] : [`Subscribed: ${words}`]
}

/** Keeps the time and the day of a moment on one line. */
const bindDay = (moment: string) => moment.replaceAll(' ', '\u00A0')

/** Returns the mandates that the client must accept, for a notice above the list. */
export const listMandatesToAccept = (issues: readonly IssueEntry[]) =>
	issues.flatMap(({ name, bids = [] }) =>
		// The list of issues names each one; a row of the bid report may not.
		listWaitingMandates(bids.map((bid) => ({ ...bid, name }))).map(({ number, words }) => ({
			name,
			words,
			href: `/connect/ipo/bids/${encodeURIComponent(number)}`,
		})),
	)

/** Institutions (QIB) have a separate part, which shows the demand for the issue. */
const qibWords = ({ facts }: IssueEntry) => orDash(facts?.qib_times, times)

export const ipoIssuesReport: Report<IssueEntry> = {
	title: 'Issues',
	tiers: {
		keys: ['issue', 'apply'],
		tablet: ['band', 'minimum', 'until'],
		// Without the lot, so that the client's bid has room below the name.
		laptop: ['subscription'],
	},
	words: ({ symbol, name }) => `${symbol} ${name}`,
	columns: [
		{
			key: 'issue',
			label: 'Issue',
			// On a phone the name also has what hidden columns show.
			cell: (issue) => ({
				note: tellBids(issue.bids ?? []).join('. ') || undefined,
				text: issue.name,
				href: formatApplyPath(issue),
				phoneLead: `Minimum ${orDash(computeLeastAmount(issue), formatRupees)}\nCloses ${bindDay(formatBidsUntil(issue))}`,
				phoneNote: [`${tellPriceBand(issue)}, lot\u00A0${formatUnits(issue.lot_size)}`, ...listPhoneSubscription(issue)].join('\n'),
			}),
			plain: ({ name }) => name,
			sortBy: ({ name }) => name,
		},
		{
			key: 'band',
			label: 'Price band',
			// Right-aligned cells do not wrap: half a price would be read wrongly.
			align: 'right',
			cell: formatPriceBand,
			plain: formatPriceBand,
			sortBy: ({ max_price }) => max_price,
		},
		quantity('lot', 'Lot', ({ lot_size }) => lot_size),
		{
			key: 'minimum',
			label: 'Minimum amount',
			align: 'right',
			cell: (issue) => orDash(computeLeastAmount(issue), formatRupees),
			plain: formatLeast,
			sortBy: (issue) => computeLeastAmount(issue) ?? 0,
		},
		{
			key: 'until',
			label: 'Bid until',
			cell: (issue) => bindDay(formatBidsUntil(issue)),
			plain: (issue) => plainBidsUntil(issue),
			sortBy: (issue) => plainBidsUntil(issue),
		},
		{
			key: 'mandate',
			label: 'Accept mandate until',
			cell: ({ upi_cut_off }) => orDash(upi_cut_off, (moment) => bindDay(formatMoment(moment))),
			plain: ({ upi_cut_off }) => (upi_cut_off === null ? '' : formatPlainMoment(upi_cut_off)),
			sortBy: ({ upi_cut_off }) => upi_cut_off ?? '',
		},
		{
			key: 'subscription',
			label: 'Subscribed',
			cell: subscriptionWords,
			plain: (issue) => subscriptionWords(issue).replaceAll('\u00A0', ' '),
		},
		{
			key: 'dates',
			label: 'Dates',
			cell: ({ open_date, close_date }) => `${formatDay(open_date)} to ${formatDay(close_date)}`,
			plain: ({ open_date, close_date }) => `${open_date} to ${close_date}`,
			sortBy: ({ close_date }) => close_date,
		},
		{
			key: 'qib',
			label: 'QIB',
			cell: qibWords,
			plain: ({ facts }) => ((facts?.qib_times ?? null) === null ? '' : String(facts?.qib_times)),
			sortBy: ({ facts }) => facts?.qib_times ?? -1,
		},
		{
			key: 'listing',
			label: 'Listing',
			cell: ({ facts }) => (facts ? formatDay(facts.listing_date) : DASH),
			plain: ({ facts }) => facts?.listing_date ?? '',
			sortBy: ({ facts }) => facts?.listing_date ?? '',
		},
		// Last, after the dates that decide it.
		{
			key: 'apply',
			label: 'Apply',
			cell: offerNext,
			plain: (issue) => offerNext(issue).text.replace('\u00A0', ' '),
		},
	],
}

/** Returns what the client can do with an issue, as a link if it can be done now. */
function offerNext(issue: IssueEntry) {
	const { open_date, bids: [bid] = [] } = issue
	// A bid whose mandate waits stands before the others. The notice above the list says what to do with it.
	const [mandate] = listMandatesToAccept([issue])
	const seen = mandate?.href ?? (bid && `/connect/ipo/bids/${encodeURIComponent(bid.application_no)}`)
	// A second application is refused, and the name of the issue still leads to its page.
	if (seen) return { text: 'See bid', href: seen, isButton: true }
	const state = findIssueState(issue)
	if (state === 'LIVE') return { text: 'Apply', href: formatApplyPath(issue), isButton: true }
	return state === 'UPCOMING'
		? ({ text: `Opens on ${formatDay(open_date)}`, status: 'waiting' } as const)
		: ({ text: 'Closed', status: 'over' } as const)
}

/** Returns the issues of a list, each with its facts if the broker gave them, and with the client's bids. */
export function joinIssueFacts(issues: readonly IpoIssue[], facts: IpoFacts | undefined, bids: readonly BidEntry[] = []): IssueEntry[] {
	const joined = issues.map((issue) => ({
		...issue,
		facts: facts?.issues.find(({ symbol }) => symbol === issue.symbol),
		bids: bids.filter((bid) => bid.symbol === issue.symbol && isBidAlive(bid)),
	}))
	return withUnread(joined, issues, facts?.issues)
}
