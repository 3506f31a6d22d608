import { type IpoClient } from '#contract/ipo'
import { formatDay } from '#contract/values/dates'
import { computeBidAmount, type BidsTyped, findCategory, type CheckedBids } from '#contract/values/ipo-bid'
import { formatMoment } from '#contract/values/moments'
import { formatRupees, type Paise, toPaise } from '#contract/values/money'
import { maskPan } from '~/lib/masks'
import { DASH, orDash } from '~/lib/unknown'
import { webAddress } from '~/lib/web-address'
import { money, text } from '~/reports/columns.server'
import { buildSmallTable } from '~/reports/report.server'
import { labelCategory } from './category-label'
import {
	formatPriceBand,
	formatBidsUntil,
	plainBidsUntil,
	type IssueEntry,
	computeLeastAmount,
	closesEarly,
	isCategoryOver,
} from './issue-table.server'
import { nameCategory, type UsedCategory } from './used-categories.server'

const grouped = new Intl.NumberFormat('en-IN')
/** Returns a price in rupees as text that keeps the currency sign and the figure on one line. */
const rupees = (price: number) => formatRupees(toPaise(price)).replace(' ', '\u00A0')

type Line = { label: string; value: string; href?: string }

/** Returns until when the mandate of a bid must be accepted, for beside the amount that it blocks. */
export const tellMandate = ({ upi_cut_off }: Pick<IssueEntry, 'upi_cut_off'>) =>
	upi_cut_off === null ? undefined : `With UPI, accept the mandate by ${formatMoment(upi_cut_off)}.`

/** Returns the facts of an issue as lines, with its deadlines. */
export function listIssueFacts(issue: IssueEntry): Line[] {
	const { facts, lot_size, min_bid_qty, open_date, close_date } = issue
	const least = computeLeastAmount(issue)
	const lines: (Line | undefined)[] = [
		{ label: 'Symbol and exchange', value: `${issue.symbol}, ${issue.exchange}${facts ? `, ${facts.kind}` : ''}` },
		{ label: 'Price band', value: formatPriceBand(issue) + (least === null ? '' : `, in steps of ${rupees(issue.tick_size)}`) },
		{
			label: 'Lot',
			value: `${grouped.format(lot_size)} shares; at least ${grouped.format(min_bid_qty)}${least === null ? '' : ` (${formatRupees(least)})`}`,
		},
		{ label: 'Open', value: `${formatDay(open_date)} to ${formatDay(close_date)}` },
		{ label: 'Accept the UPI mandate', value: orDash(issue.upi_cut_off, (moment) => `By ${formatMoment(moment)}, or the bid is void`) },
		facts && { label: 'Allotment', value: formatDay(facts.allotment_date) },
		facts && { label: 'Refund / unblocking', value: formatDay(facts.refund_date) },
		facts && { label: 'Listing', value: formatDay(facts.listing_date) },
		{ label: 'Face value', value: orDash(issue.face_value, rupees) },
		{ label: 'Issue size', value: orDash(issue.issue_size_cr, (crores) => `₹ ${grouped.format(crores)} crore`) },
		facts && { label: 'Registrar', value: facts.registrar },
		issue.prospectus_url ? { label: 'Prospectus', value: 'Red herring prospectus', href: webAddress(issue.prospectus_url) } : undefined,
	]
	return lines.filter((line) => line !== undefined)
}

type Category = IssueEntry['categories'][number]

/** Returns a table of the categories: how much each may bid, and until when. */
export function categoryTable(issue: IssueEntry, url: URL) {
	return buildSmallTable<Category>(
		'Categories',
		[
			{
				...text<Category>('category', 'Category', (row) => labelCategory(issue.categories, row).replace('₹ ', '₹\u00a0')),
				below: ({ code }) => `Bid until ${formatBidsUntil(issue, code)}`,
			},
			money('least', 'From', (row) => row.min_amount),
			money('most', 'To', (row) => row.max_amount),
			text('cutoff', 'Cut-off', (row) => (row.cut_off_allowed ? 'Yes' : 'No')),
			{
				key: 'discount',
				label: 'Discount a share',
				align: 'right',
				cell: ({ discount }) => (discount > 0 ? rupees(discount) : DASH),
				plain: ({ discount }) => String(discount),
				sortBy: ({ discount }) => discount,
			},
			{
				...text<Category>('until', 'Bid until', ({ code }) => formatBidsUntil(issue, code)),
				sortBy: ({ code }) => plainBidsUntil(issue, code),
			},
		],
		issue.categories,
		{ hasTotals: false, order: { url, name: 'categories' } },
	)
}

const LAKH: Paise = 100_000_00

/** Returns whole lakhs as the broker's names of categories write them: `₹ 2 lakh`. */
const formatLakh = (paise: Paise) => (paise % LAKH === 0 ? `₹\u00a0${paise / LAKH} lakh` : formatRupees(paise))

type UsedCategories = ReadonlyMap<string, UsedCategory>

/** Returns notes for choosing a category. `codes` are the categories in which the broker lists the client, `used` those already used. */
export function describeCategories(issue: IssueEntry, codes: readonly string[], used: UsedCategories): string | undefined {
	const individual = findCategory(issue, 'IND')
	const listNames = (isOne: (code: string) => boolean) =>
		issue.categories.filter(({ code }) => isOne(code)).map(({ code }) => nameCategory(issue, code))
	const closed = listNames((code) => !codes.includes(code))
	const ended = listNames((code) => codes.includes(code) && isCategoryOver(issue, code))
	const notes = [
		individual && codes.includes('HNI') && !isCategoryOver(issue, 'HNI') && !used.has('HNI')
			? `Above ${formatLakh(individual.max_amount)} choose ${nameCategory(issue, 'HNI')}: such a bid cannot be lowered or withdrawn.`
			: '',
		...codes
			.filter((code) => closesEarly(issue, code) && !used.has(code))
			.map((code) => `${nameCategory(issue, code)} closes at ${formatBidsUntil(issue, code)}.`),
		ended.length > 0 ? `Bidding has ended in: ${ended.join(', ')}.` : '',
		closed.length > 0 && codes.length > 0 ? `Not open to you: ${closed.join(', ')}.` : '',
	]
	return notes.filter(Boolean).join(' ') || undefined
}

/**
 * Returns the first values of the bid form: as typed before the session ended, or as reviewed, or one minimum bid at the top of the
 * price band. The category that the portal chooses is never one of the used ones.
 */
export function createInitialBid(
	issue: IssueEntry,
	client: IpoClient,
	typed: BidsTyped | undefined,
	draft: CheckedBids | undefined,
	used: UsedCategories,
): BidsTyped {
	if (typed) return typed
	const open = issue.categories.filter(({ code }) => client.categories.includes(code) && !isCategoryOver(issue, code) && !used.has(code))
	// Most bids are those of individuals. After an application only reserved categories are left, which nobody should bid in by oversight.
	const first = open.find(({ code }) => code === 'IND') ?? (open.length === 1 && used.size === 0 ? open[0] : undefined)
	if (draft)
		return {
			category: used.has(draft.category) ? first?.code : draft.category,
			BOId: draft.boId,
			upi_id: draft.upiId,
			bids: draft.bids.map(({ quantity, price, cut_off }) => ({
				quantity: String(quantity),
				price: String(price),
				cut_off: cut_off ? 'on' : undefined,
			})),
		}
	const { min_bid_qty, max_price } = issue
	return {
		category: first?.code,
		BOId: client.BOId[0]?.id,
		upi_id: client.upi_id ?? '',
		bids: [{ quantity: String(min_bid_qty), price: String(max_price), cut_off: undefined }],
	}
}

/** Returns the whole bid as lines, and the warnings before it is placed. */
export function confirmWords(issue: IssueEntry, client: IpoClient, draft: CheckedBids, isForm: boolean) {
	const { category, boId, upiId, bids } = draft
	const known = findCategory(issue, category)
	const many = bids.length > 1
	const answers = [
		{ label: 'Issue', value: `${issue.name} (${issue.symbol}, ${issue.exchange})` },
		{ label: 'Amount to block', value: formatRupees(computeBidAmount(issue, draft)) },
		...bids.map(({ quantity, price, cut_off }, at) => ({
			label: many ? `Bid ${at + 1}` : 'Bid',
			value: `${grouped.format(quantity)} shares (${grouped.format(quantity / issue.lot_size)} ${quantity === issue.lot_size ? 'lot' : 'lots'}) at ${cut_off ? `cut-off, up to ${rupees(price)}` : rupees(price)}`,
		})),
		...(known && known.discount > 0 ? [{ label: 'Discount', value: `${rupees(known.discount)} a share` }] : []),
		...(upiId && !isForm ? [{ label: 'UPI ID', value: upiId }] : []),
		{ label: 'Category', value: `${category}: ${known?.label ?? ''}` },
		{ label: 'BO ID', value: boId },
		{ label: 'Applicant', value: `${client.client_name}, PAN ${orDash(client.pan, maskPan)}` },
	]
	const warnings = isForm
		? [
				'Above the limit of UPI nothing is placed here. The form downloads: sign it and give it to a branch of your bank, which blocks the amount and places the bid.',
				`The bank needs it before bidding ends: ${formatBidsUntil(issue, category)}.`,
			]
		: [
				`Accept the mandate in your UPI app ${issue.upi_cut_off === null ? 'in time' : `by ${formatMoment(issue.upi_cut_off)}`}. Otherwise the bid is void.`,
				...(category === 'HNI' ? ['A bid in the HNI category cannot be lowered or withdrawn.'] : []),
			]
	return { answers, warnings }
}
