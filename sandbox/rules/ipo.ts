import { addDays, type Day, toIndianDay } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { isNormalSession, isSettlementDay, isTradingDay } from './calendar'

/*
 * Public issues: who may bid how much, until when, and the days that follow. SEBI (ICDR) Regulations, 2018: individuals up to ₹ 2 lakh,
 * employees up to ₹ 5 lakh net of their discount; UPI up to ₹ 5 lakh since 01-05-2022 (SEBI circular of 05-04-2022); listing on T+3 for
 * issues opening from 01-12-2023 (SEBI circular of 09-08-2023).
 */

/** Above it a bid is in the HNI category. */
const INDIVIDUAL_MAX: Paise = 2_00_000_00
const EMPLOYEE_MAX: Paise = 5_00_000_00
/** Limited only by the size of an issue; the sandbox's limit is ₹ 10 crore. */
const HNI_MAX: Paise = 10_00_00_000_00

/** Up to and including this amount the money is blocked by UPI; above it the bank blocks it against a paper form. */
export const UPI_MAX: Paise = 5_00_000_00

export const MAX_BIDS = 3

export type CategoryCode = 'IND' | 'HNI' | 'EMP' | 'SHA'

export const CATEGORIES: Record<CategoryCode, { label: string; max: Paise; allowsCutOff: boolean; bidsUntil: string; quota: string }> = {
	IND: { label: 'Individual (up to ₹ 2 lakh)', max: INDIVIDUAL_MAX, allowsCutOff: true, bidsUntil: '16:30', quota: 'PUBLIC' },
	HNI: { label: 'High net worth (above ₹ 2 lakh)', max: HNI_MAX, allowsCutOff: false, bidsUntil: '16:00', quota: 'PUBLIC' },
	EMP: { label: 'Employee', max: EMPLOYEE_MAX, allowsCutOff: true, bidsUntil: '16:30', quota: 'EMP' },
	SHA: { label: 'Shareholder of the parent company', max: INDIVIDUAL_MAX, allowsCutOff: true, bidsUntil: '16:30', quota: 'SHA' },
}

/** The minimum amount of an application in a category, paise: for HNI the first lot beyond an individual's maximum. */
export function findLeastAmount(code: CategoryCode, price: Paise, lot: number, minQuantity: number): Paise {
	if (code !== 'HNI') return minQuantity * price
	return (Math.floor(INDIVIDUAL_MAX / (lot * price)) + 1) * lot * price
}

/** A time of day in India on a day. */
export function toMoment(day: Day, time: string): Date {
	return new Date(`${day}T${time}:00+05:30`)
}

/** The same as the wire writes it. */
export const formatWireMoment = (day: Day, time: string): string => `${day}T${time}:00+05:30`

/**
 * Exchanges take bids from 10:00 to 17:00 of trading days, and end some categories earlier on the last day; mandates lapse at 17:00 of the
 * last day; the basis is approved by 18:00 of T+1; banks pay and release, and depositories credit, on T+2, before the issuer applies for
 * listing at 18:30; trading begins at 10:00 of T+3.
 */
export const TIMES = { opens: '10:00', closes: '17:00', mandate: '17:00', allotment: '18:00', refund: '18:00', listing: '10:00' } as const

/**
 * The next moment at which a bid in a category is accepted: now within the hours, else the next opening. Undefined when the issue has none
 * left.
 */
export function findBidTime(code: CategoryCode, openDate: Day, closeDate: Day, now: Date): Date | undefined {
	const first = toIndianDay(now)
	for (let day = first < openDate ? openDate : first; day <= closeDate; day = addDays(day, 1)) {
		if (!isNormalSession(day)) continue
		const opens = toMoment(day, TIMES.opens)
		const closes = toMoment(day, day === closeDate ? CATEGORIES[code].bidsUntil : TIMES.closes)
		if (now < closes) return now < opens ? opens : now
	}
	return undefined
}

/** The day so many sessions after a day. */
export function tradingDayAfter(day: Day, sessions: number): Day {
	const step = sessions < 0 ? -1 : 1
	let at = day
	for (let left = Math.abs(sessions); left > 0; left--) {
		do at = addDays(at, step)
		while (!isTradingDay(at) || !isSettlementDay(at))
	}
	return at
}

/** Basis on T+1, refunds and shares on T+2, listing on T+3, T being the last day of the issue. */
export function findIssueDays(closeDate: Day): { allotment: Day; refund: Day; listing: Day } {
	return { allotment: tradingDayAfter(closeDate, 1), refund: tradingDayAfter(closeDate, 2), listing: tradingDayAfter(closeDate, 3) }
}

/**
 * The shares of an application: all when there are enough, else by lottery of one lot for the small and a proportion for the large. `luck`
 * is 0 to 1.
 */
export function findAllotment(code: CategoryCode, quantity: number, lot: number, minQuantity: number, times: number, luck: number): number {
	if (times <= 1) return quantity
	if (code === 'HNI') {
		const share = Math.floor(quantity / times / lot) * lot
		if (share > 0) return share
	}
	return luck < 1 / times ? Math.min(quantity, minQuantity) : 0
}

type Priced = { min_price: Paise; max_price: Paise; categories: readonly { times: number }[] }

/** The final price, paise: the top of the band when there were enough bids, else the bottom. */
export function findFinalPrice({ categories, min_price, max_price }: Priced): Paise {
	return categories.some(({ times }) => times > 1) ? max_price : min_price
}

/** Bids are alternatives: of those that reach the final price the largest counts, of equal ones the first. */
export function findCounting<Bid extends { price: Paise; quantity: number }>(bids: readonly Bid[], price: Paise): Bid | undefined {
	return bids.filter((bid) => bid.price >= price).sort((a, b) => b.quantity - a.quantity)[0]
}

/**
 * The issuer's part of a block for the allotted shares, each at the price less the category's discount, and the rest to release. Paise.
 */
export function splitBlock(blocked: Paise, allotted: number, price: Paise, discount: Paise): { cost: Paise; refund: Paise } {
	const cost = allotted * (price - discount)
	return { cost, refund: blocked - cost }
}
