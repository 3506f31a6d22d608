import { addDays, type Day, toIndianDay } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { isNormalSession, isSettlementDay, isTradingDay } from './calendar'

/*
 * Public issues: who may bid, for how much and until when, and the days after the issue. SEBI (ICDR) Regulations, 2018: individuals up
 * to ₹ 2 lakh, employees up to ₹ 5 lakh net of their discount; UPI up to ₹ 5 lakh since 01-05-2022 (SEBI circular of 05-04-2022);
 * listing on T+3 for issues opening from 01-12-2023 (SEBI circular of 09-08-2023).
 */

/** A bid above this amount is in the HNI category. */
const INDIVIDUAL_MAX: Paise = 2_00_000_00
const EMPLOYEE_MAX: Paise = 5_00_000_00
/** In law only the size of an issue limits an HNI bid; the sandbox's limit is ₹ 10 crore. */
const HNI_MAX: Paise = 10_00_00_000_00

/** Up to and including this amount the money is blocked by UPI. Above it the bank blocks the money on a paper form. */
export const UPI_MAX: Paise = 5_00_000_00

export const MAX_BIDS = 3

export type CategoryCode = 'IND' | 'HNI' | 'EMP' | 'SHA'

export const CATEGORIES: Record<CategoryCode, { label: string; max: Paise; allowsCutOff: boolean; bidsUntil: string; quota: string }> = {
	IND: { label: 'Individual (up to ₹ 2 lakh)', max: INDIVIDUAL_MAX, allowsCutOff: true, bidsUntil: '16:30', quota: 'PUBLIC' },
	HNI: { label: 'High net worth (above ₹ 2 lakh)', max: HNI_MAX, allowsCutOff: false, bidsUntil: '16:00', quota: 'PUBLIC' },
	EMP: { label: 'Employee', max: EMPLOYEE_MAX, allowsCutOff: true, bidsUntil: '16:30', quota: 'EMP' },
	SHA: { label: 'Shareholder of the parent company', max: INDIVIDUAL_MAX, allowsCutOff: true, bidsUntil: '16:30', quota: 'SHA' },
}

/**
 * The minimum amount of an application in a category, in paise. For HNI: the smallest number of whole lots above an individual's
 * maximum.
 */
export function findLeastAmount(code: CategoryCode, price: Paise, lot: number, minQuantity: number): Paise {
	if (code !== 'HNI') return minQuantity * price
	return (Math.floor(INDIVIDUAL_MAX / (lot * price)) + 1) * lot * price
}

/** The moment of a time of day (HH:MM, India) on a day. */
export function toMoment(day: Day, time: string): Date {
	return new Date(`${day}T${time}:00+05:30`)
}

/** The same moment as text, in the API's format. */
export const formatWireMoment = (day: Day, time: string): string => `${day}T${time}:00+05:30`

/**
 * Exchanges take bids from 10:00 to 17:00 on trading days, and close some categories earlier on the last day. Mandates expire at 17:00
 * of the last day. The basis is approved by 18:00 of T+1. On T+2 banks pay and release the money and depositories credit the shares,
 * before the issuer applies for listing at 18:30. Trading begins at 10:00 of T+3.
 */
export const TIMES = { opens: '10:00', closes: '17:00', mandate: '17:00', allotment: '18:00', refund: '18:00', listing: '10:00' } as const

/**
 * The next moment at which a bid in a category is accepted: now during the hours, else the next opening. Undefined when the issue has no
 * hours left.
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

/**
 * The day this many sessions after a day, or before it when `sessions` is negative. Counts days that are both trading and settlement
 * days.
 */
export function tradingDayAfter(day: Day, sessions: number): Day {
	const step = sessions < 0 ? -1 : 1
	let at = day
	for (let left = Math.abs(sessions); left > 0; left--) {
		do at = addDays(at, step)
		while (!isTradingDay(at) || !isSettlementDay(at))
	}
	return at
}

/** Basis on T+1, refunds and shares on T+2, listing on T+3. T is the last day of the issue. */
export function findIssueDays(closeDate: Day): { allotment: Day; refund: Day; listing: Day } {
	return { allotment: tradingDayAfter(closeDate, 1), refund: tradingDayAfter(closeDate, 2), listing: tradingDayAfter(closeDate, 3) }
}

/**
 * The shares allotted to an application. All of them when the issue is not oversubscribed (`times` is 1 or less). Else HNI bids get a
 * proportion in whole lots; other bids, and HNI bids too small for a lot, get the minimum quantity by lottery. `luck` is the lottery's
 * number from 0 to 1.
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

/** The final price in paise: the top of the band when a category was oversubscribed, else the bottom. */
export function findFinalPrice({ categories, min_price, max_price }: Priced): Paise {
	return categories.some(({ times }) => times > 1) ? max_price : min_price
}

/**
 * The bid that counts; bids of one application are alternatives. Of the bids at or above the final price it is the largest, and of equal
 * ones the first.
 */
export function findCounting<Bid extends { price: Paise; quantity: number }>(bids: readonly Bid[], price: Paise): Bid | undefined {
	return bids.filter((bid) => bid.price >= price).sort((a, b) => b.quantity - a.quantity)[0]
}

/**
 * Splits a blocked amount, in paise: `cost` is the issuer's part for the allotted shares, each at the price less the category's
 * discount; `refund` is the rest.
 */
export function splitBlock(blocked: Paise, allotted: number, price: Paise, discount: Paise): { cost: Paise; refund: Paise } {
	const cost = allotted * (price - discount)
	return { cost, refund: blocked - cost }
}
