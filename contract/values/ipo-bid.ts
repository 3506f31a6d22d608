import { type Paise, toPaise } from './money'

/** What one bid comes to, in paise: quantity × (price − the category's discount a share), both prices in rupees. */
export function computeEntryAmount(quantity: number, price: number, discount = 0): Paise {
	return quantity * (toPaise(price) - toPaise(discount))
}

/** What an application asks to be blocked: its bids are alternatives, so that is the largest of them. In paise; 0 without a bid. */
export function findLargestEntryAmount(bids: readonly { quantity: number; price: number }[], discount = 0): Paise {
	return Math.max(0, ...bids.map(({ quantity, price }) => computeEntryAmount(quantity, price, discount)))
}

/** One price of a bid, as it stands in the form. */
export type BidTyped = { quantity?: string; price?: string; cut_off?: string }
/** The fields of a bid as they stand in its form, right or wrong. */
export type BidsTyped = { category?: string; BOId?: string; upi_id?: string; bids?: (BidTyped | undefined)[] }

/** A bid that has been checked: its prices in rupees, its category by the code of the issue's list. */
export type CheckedBids = {
	category: string
	boId: string
	upiId: string
	bids: { quantity: number; price: number; cut_off: boolean }[]
}

export function findCategory<Category extends { code: string }>(
	{ categories }: { categories: readonly Category[] },
	code: string,
): Category | undefined {
	return categories.find((category) => category.code === code)
}

/** What the bids ask to be blocked, in paise, by the issue's own discount. */
export function computeBidAmount(
	issue: { categories: readonly { code: string; discount: number }[] },
	{ category, bids }: Pick<CheckedBids, 'category' | 'bids'>,
): Paise {
	return findLargestEntryAmount(bids, findCategory(issue, category)?.discount)
}
