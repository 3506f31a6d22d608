import { randomUUID } from 'node:crypto'
import { parseWithZod } from '@conform-to/zod/v4'
import { z } from 'zod/v4'
import { type IpoBidRequest, type IpoClient, type IpoFacts, type IpoIssue, IpoSymbol, ONLINE_BID_LIMIT, UpiId } from '#contract/ipo'
import { computeBidAmount, computeEntryAmount, findCategory, type CheckedBids } from '#contract/values/ipo-bid'
import { formatRupees, type Paise, toPaise, toRupees } from '#contract/values/money'
import { type Broker } from '~/broker/client.server'
import { createDraft } from '~/session/drafts.server'
import { formatBidsUntil, isCategoryOver, type IssueEntry } from './issue-table.server'
import { type UsedCategory } from './used-categories.server'

/*
 * A bid between its form and its confirmation. It is checked and sealed for this client, and kept until the browser closes, at most for
 * a day.
 */

const LIFE_MS = 86_400_000
/** A client who compares issues has several drafts at once, and the size of a cookie is limited. */
const MOST_DRAFTS = 3

const Draft = z.object({
	/** The id of this review, so that the confirmation of another one is recognised. */
	id: z.string(),
	symbol: IpoSymbol,
	category: z.string(),
	boId: z.string(),
	upiId: z.string(),
	bids: z.array(z.object({ quantity: z.number(), price: z.number(), cut_off: z.boolean() })).min(1),
	at: z.number(),
	/** The bid was placed: it is not offered again, but the same confirmation, sent again, gets the same answer. */
	isPlaced: z.boolean().optional(),
})
export type BidDraft = z.infer<typeof Draft>

const drafts = createDraft('ipo-bid', 'ipo', z.array(Draft))

/** Returns this client's drafts in this browser, the latest first. */
async function readDrafts(request: Request, { clientCode }: Broker): Promise<BidDraft[]> {
	const kept = (await drafts.read(request, clientCode)) ?? []
	return kept.filter(({ at }) => Date.now() - at < LIFE_MS)
}

/** Returns this client's last draft for this issue in this browser, or undefined. */
export async function readBidDraft(request: Request, broker: Broker, symbol: string): Promise<BidDraft | undefined> {
	return (await readDrafts(request, broker)).find((draft) => draft.symbol === symbol)
}

/** Returns the Set-Cookie headers that keep a bid for its confirmation, and keep the bids for other issues. */
export async function keepBidDraft(request: Request, broker: Broker, symbol: string, bids: CheckedBids): Promise<Headers> {
	const now = Date.now()
	const others = (await readDrafts(request, broker)).filter((other) => other.symbol !== symbol)
	const kept = [{ ...bids, id: randomUUID(), symbol, at: now }, ...others].slice(0, MOST_DRAFTS)
	return drafts.keep(broker.clientCode, kept, now + LIFE_MS)
}

/** The Set-Cookie headers that mark the bid for this issue as placed, appended to those given. */
export async function markBidPlaced(request: Request, broker: Broker, symbol: string, headers: Headers): Promise<Headers> {
	const kept = await readDrafts(request, broker)
	const marked = kept.map((draft) => (draft.symbol === symbol ? { ...draft, isPlaced: true } : draft))
	return drafts.keep(broker.clientCode, marked, Date.now() + LIFE_MS, headers)
}

type Category = IpoIssue['categories'][number]

/** True when an amount, in paise, is bid online: up to and including the limit. Above it there is a form for the bank. */
export function isOnline(amount: Paise, facts: IpoFacts | undefined): boolean {
	return amount <= (facts?.online_limit ?? ONLINE_BID_LIMIT)
}

/** Returns the request for the broker. Amounts are computed here, never taken from a form. */
export function createBidRequest(issue: IpoIssue, draft: BidDraft): IpoBidRequest {
	const { category, boId, upiId, bids } = draft
	const amount = computeBidAmount(issue, draft)
	const highest = bids.find((bid) => computeBidAmount(issue, { category, bids: [bid] }) === amount)
	const [first] = bids
	const { quantity, price } = highest ?? first ?? { quantity: 0, price: 0 }
	const isPlain = bids.length === 1 && first?.cut_off === false
	return { symbol: issue.symbol, category, upi_id: upiId, quantity, price, amount: toRupees(amount), BOId: boId, ...(!isPlain && { bids }) }
}

const QUANTITY = /^\d{1,9}$/
const PRICE = /^\d{1,7}(\.\d+)?$/
const UPI_FORMAT = 'Enter a UPI ID in the correct format, like name@bank'

const Typed = z.object({
	category: z.string().optional(),
	BOId: z.string().optional(),
	upi_id: z.string().trim().optional(),
	bids: z.array(z.object({ quantity: z.string().optional(), price: z.string().optional(), cut_off: z.string().optional() })).min(1),
})
type TypedBid = z.output<typeof Typed>['bids'][number]

/** Returns the fields of the bid as they were sent, valid or not; undefined when it was another form. */
export function bidSent(form: FormData) {
	const submission = parseWithZod(form, { schema: Typed })
	return submission.status === 'success' ? submission.value : undefined
}

const plain = (typed = '') => typed.replace(/[,\s₹]/g, '')

type Rules = { issue: IssueEntry; client: IpoClient; facts?: IpoFacts; used?: ReadonlyMap<string, UsedCategory> }

/**
 * Returns the schema of the form of a bid, with the rules of the issue and the broker. `used` are the categories that take no further
 * application of this client. The broker checks the rules of the exchange.
 */
export function bidTyped({ issue, client, facts, used }: Rules) {
	return Typed.transform(({ category: code = '', BOId = '', upi_id: upiId = '', bids: typed }, context): CheckedBids => {
		const say = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message })
		const category = client.categories.includes(code) ? findCategory(issue, code) : undefined
		const usedBy = used?.get(code)
		if (!category) say(['category'], 'Select a category')
		else if (usedBy)
			say(
				['category'],
				`You have already applied in the category ${usedBy.name} (${usedBy.number}), and one application is taken for each PAN`,
			)
		else if (isCategoryOver(issue, code)) say(['category'], `Bidding in this category ended at ${formatBidsUntil(issue, code)}`)
		if (!client.BOId.some(({ id }) => id === BOId)) say(['BOId'], 'Select a demat account')
		const given = typed.filter((bid, at) => at === 0 || bid.quantity || bid.price || bid.cut_off)
		if (given.length > (facts?.max_bids ?? 3)) say(['bids'], `Make up to ${facts?.max_bids ?? 3} bids`)
		const bids = given.map((bid) => {
			const at = typed.indexOf(bid)
			return { ...readBid(issue, bid, category, (field, message) => say(['bids', at, field], message)), cut_off: Boolean(bid.cut_off) }
		})
		const amount = computeBidAmount(issue, { category: code, bids })
		if (upiId ? !UpiId.safeParse(upiId).success : isOnline(amount, facts)) say(['upi_id'], UPI_FORMAT)
		// Errors of a single bid come first, because an error of the amount would only repeat them.
		if (category && context.issues.length === 0) checkAmount(issue, category, amount, say)
		return { category: code, boId: BOId, upiId, bids }
	})
}

function readBid(issue: IpoIssue, bid: TypedBid, category: Category | undefined, say: (field: string, message: string) => void) {
	const { lot_size, min_bid_qty, cut_off_price } = issue
	const quantity = QUANTITY.test(plain(bid.quantity)) ? Number(plain(bid.quantity)) : 0
	if (quantity === 0) say('quantity', `Enter the quantity in shares, like ${min_bid_qty}`)
	else if (quantity % lot_size !== 0) say('quantity', `Quantity must be a multiple of ${lot_size}`)
	else if (quantity < min_bid_qty) say('quantity', `Quantity must be ${min_bid_qty} or more`)
	if (!bid.cut_off) return { quantity, price: readPrice(issue, plain(bid.price), (message) => say('price', message)) }
	if (category && !category.cut_off_allowed) say('cut_off', `Cut-off price is not available in ${category.code}`)
	if (cut_off_price === null) say('cut_off', 'The cut-off price is not known at the moment: enter a price')
	return { quantity, price: cut_off_price ?? 0 }
}

/** Reads a price in rupees, within the price band and on a price step; 0 when it is not a price. */
function readPrice({ min_price, max_price, tick_size }: IpoIssue, typed: string, say: (message: string) => void): number {
	const [least, most, tick] = [toPaise(min_price), toPaise(max_price), toPaise(tick_size)]
	const price = PRICE.test(typed) ? Number(typed) : 0
	if (price === 0) say(`Enter the price in rupees, like ${max_price}`)
	else if (price < min_price || price > max_price) say(`Price must be between ${formatRupees(least)} and ${formatRupees(most)}`)
	else if ((typed.split('.')[1] ?? '').length > 2 || (tick > 0 && (toPaise(price) - least) % tick !== 0))
		say(`Price must be in steps of ${formatRupees(tick)}`)
	return price
}

/** Returns the paise of the smallest bid at the top of the band. A smallest amount up to it only repeats the smallest quantity. */
const computeTopAmount = ({ min_bid_qty, max_price }: IpoIssue, { discount }: Category): Paise =>
	computeEntryAmount(min_bid_qty, max_price, discount)

function checkAmount(issue: IpoIssue, category: Category, amount: Paise, say: (path: string[], message: string) => void) {
	const isHni = findCategory(issue, 'HNI') !== undefined
	if (amount > category.max_amount)
		say(
			['category'],
			category.code === 'IND' && isHni
				? `Bids above ${formatRupees(category.max_amount)} are in the HNI category`
				: `This category takes bids up to ${formatRupees(category.max_amount)}`,
		)
	const individual = findCategory(issue, 'IND')
	if (category.code === 'HNI' && individual) {
		// Its smallest amount is that of whole lots at the top of the band; at a lower price less is also in this category.
		if (amount <= individual.max_amount)
			say(['category'], `Bids up to ${formatRupees(individual.max_amount)} are in the individual category`)
	} else if (amount < category.min_amount && category.min_amount > computeTopAmount(issue, category))
		say(['category'], `This category takes bids from ${formatRupees(category.min_amount)}`)
}
