import { type Paise, toPaise } from './money'

/** The amount of one bid in paise: quantity × (price - discount). Price and discount are in rupees a share. */
export function computeEntryAmount(quantity: number, price: number, discount = 0): Paise {
	return quantity * (toPaise(price) - toPaise(discount))
}

/** The amount to block for an application, in paise: its bids are alternatives, so this is the largest. 0 without a bid. */
export function findLargestEntryAmount(bids: readonly { quantity: number; price: number }[], discount = 0): Paise {
	return Math.max(0, ...bids.map(({ quantity, price }) => computeEntryAmount(quantity, price, discount)))
}

/** One bid as typed in the form. */
export type BidTyped = { quantity?: string; price?: string; cut_off?: string }
/** The fields of the form as typed, valid or not. */
export type BidsTyped = { category?: string; BOId?: string; upi_id?: string; bids?: (BidTyped | undefined)[] }

/** The validated form: prices in rupees a share, the category as the issue's code. */
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

/** The amount to block for these bids, in paise, with the discount of their category. */
export function computeBidAmount(
	issue: { categories: readonly { code: string; discount: number }[] },
	{ category, bids }: Pick<CheckedBids, 'category' | 'bids'>,
): Paise {
	return findLargestEntryAmount(bids, findCategory(issue, category)?.discount)
}
