import { type z } from 'zod/v4'
import { type IpoBidRequest } from '#contract/ipo'
import { formatDay, toIndianDay } from '#contract/values/dates'
import { computeEntryAmount } from '#contract/values/ipo-bid'
import { formatRupees, type Paise, toPaise, toRupees } from '#contract/values/money'
import { invalidField, Refused } from '#sandbox/api/responses'
import { type Client } from '#sandbox/clients/clients'
import { CATEGORIES, type CategoryCode, TIMES, UPI_MAX } from '#sandbox/rules/ipo'
import { findIssueBidTime, type Issue, findIssueStatus } from './issues'

/** A bid that may be placed. Price and amount in paise. */
type CheckedBid = { quantity: number; price: Paise; cutOff: boolean; amount: Paise }
export type CheckedApplication = {
	issue: Issue
	category: CategoryCode
	boId: string
	upiId: string
	bids: CheckedBid[]
	/** The amount of the highest bid, which is blocked. Paise. */
	amount: Paise
	isOnline: boolean
}

type Asked = z.output<typeof IpoBidRequest>

const HOURS = `Exchanges take bids from ${TIMES.opens} to ${TIMES.closes} on trading days`

/** A client's categories: the two public ones for all clients, the reserved ones for clients on the companies' lists. */
export function listCategories(client: Client): CategoryCode[] {
	return client.code === 'DEMO01' ? ['IND', 'HNI', 'EMP', 'SHA'] : ['IND', 'HNI']
}

export function demats(client: Client): { dp: 'CDSL' | 'NSDL'; id: string }[] {
	const { cdsl_bo_id, nsdl_bo_id } = client.profile.dp_details
	return [
		...(typeof cdsl_bo_id === 'string' ? [{ dp: 'CDSL' as const, id: cdsl_bo_id }] : []),
		...(typeof nsdl_bo_id === 'string' ? [{ dp: 'NSDL' as const, id: nsdl_bo_id }] : []),
	]
}

/** Checks all rules of a bid. Throws the broker's refusal. The request's `amount` is only compared, never used. */
export function checkBid(client: Client, issue: Issue | undefined, asked: Asked, now: Date): CheckedApplication {
	if (!issue) throw new Refused(422, 'Issue is not known')
	const offered = issue.categories.find(({ code }) => code === asked.category)
	if (!offered) throw invalidField('category', `${issue.name} takes no bids in this category`)
	const category = offered.code
	if (!listCategories(client).includes(category)) throw invalidField('category', 'You are not on the list of this category')
	const taken = findIssueBidTime(issue, category, now)
	if (taken === undefined || findIssueStatus(issue, now) === 'UPCOMING') throw new Refused(422, 'Issue is closed for bidding')
	if (taken > now) throw new Refused(422, `${HOURS}. Bids open again at ${TIMES.opens} on ${formatDay(toIndianDay(taken))}`)
	if (!demats(client).some(({ id }) => id === asked.BOId)) throw invalidField('BOId', 'This demat account is not yours')

	const given = asked.bids ?? [{ quantity: asked.quantity, price: asked.price, cut_off: false }]
	const bids = given.map((bid) => checkOne(issue, category, bid, offered.discount))
	const amount = Math.max(...bids.map((bid) => bid.amount))
	const highest = bids.find((bid) => bid.amount === amount)
	const isSame = highest?.quantity === asked.quantity && highest.price === toPaise(asked.price)
	if (!isSame || asked.amount !== amount) throw new Refused(422, 'Amount does not match quantity and price')
	checkAmount(category, amount)
	const isOnline = amount <= UPI_MAX
	if (isOnline && asked.upi_id === '') throw invalidField('upi_id', 'Enter a UPI ID in the correct format, like name@bank')
	return { issue, category, boId: asked.BOId, upiId: asked.upi_id, bids, amount, isOnline }
}

function checkOne(
	issue: Issue,
	category: CategoryCode,
	{ quantity, price, cut_off }: { quantity: number; price: number; cut_off: boolean },
	discount: Paise,
): CheckedBid {
	if (quantity % issue.lot !== 0) throw new Refused(422, 'Quantity must be a multiple of the lot size')
	if (quantity < issue.min_quantity) throw invalidField('quantity', `Quantity must be ${issue.min_quantity} or more`)
	const paise = toPaise(price)
	if (toRupees(paise) !== price || paise < issue.min_price || paise > issue.max_price)
		throw invalidField('price', `Price must be between ${formatRupees(issue.min_price)} and ${formatRupees(issue.max_price)}`)
	if ((paise - issue.min_price) % issue.tick !== 0) throw invalidField('price', `Price must be in steps of ${formatRupees(issue.tick)}`)
	if (cut_off && !CATEGORIES[category].allowsCutOff) throw invalidField('category', 'Cut-off price is not available in HNI')
	if (cut_off && paise !== issue.max_price) throw invalidField('price', 'A bid at cut-off carries the highest price of the band')
	return { quantity, price: paise, cutOff: cut_off, amount: computeEntryAmount(quantity, price, toRupees(discount)) }
}

function checkAmount(category: CategoryCode, amount: Paise): void {
	const { max } = CATEGORIES[category]
	if (amount > max)
		throw invalidField(
			'category',
			category === 'IND'
				? `Bids above ${formatRupees(max)} are in the HNI category`
				: `This category takes bids up to ${formatRupees(max)}`,
		)
	// The minimum of the small categories is a quantity; that of HNI is an amount.
	const { max: individual } = CATEGORIES.IND
	if (category === 'HNI' && amount <= individual) throw invalidField('category', `Bids up to ${formatRupees(individual)} are individual`)
}
