import { type Paise, paiseOf } from './money'

/** What one bid comes to, in paise: quantity × (price − the category's discount a share), both prices in rupees. */
export function amountOfBid(quantity: number, price: number, discount = 0): Paise {
	return quantity * (paiseOf(price) - paiseOf(discount))
}

/** What an application asks to be blocked: its bids are alternatives, so that is the largest of them. In paise; 0 without a bid. */
export function amountOfBids(bids: readonly { quantity: number; price: number }[], discount = 0): Paise {
	return Math.max(0, ...bids.map(({ quantity, price }) => amountOfBid(quantity, price, discount)))
}
