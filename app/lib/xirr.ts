import { xirr } from '@webcarrot/xirr'
import { type Day, daysBetween } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { formatPercent } from './percent'

export type Return = { rate: number; isYearly: boolean } | { rate: undefined; why: string }

const GUESSES = [0.1, -0.3, -0.6, -0.8, -0.95, 0.6, 2, 10]

/**
 * The rate of return of dated flows in paise (paid out negative, received positive, the current value last): a yearly rate when they span
 * a year or more, else the rate of the period itself, because a month's result must not be extrapolated. `rate` is a fraction: 0.1 is 10
 * %. When no rate solves the flows, `rate` is undefined, never 0, and `why` has the reason in words. The library's root search follows
 * LibreOffice's XIRR but starts from one guess only: from 10 % it does not find a deep loss.
 */
export function computeReturn(flows: readonly { DATE: Day; AMOUNT: Paise }[]): Return {
	const [first, last] = [flows[0], flows.at(-1)]
	if (!first || !last) return { rate: undefined, why: 'nothing was bought' }
	const days = daysBetween(first.DATE, last.DATE)
	if (days < 1) return { rate: undefined, why: 'bought today' }
	const isYearly = days >= 365
	// A shorter period is stretched to one year: the rate found is then the rate of the period, and no root is too close to −100 %.
	const dayLength = (isYearly ? 1 : 365 / days) * 86_400_000
	const dated = flows.map(({ DATE, AMOUNT }) => ({ date: new Date(daysBetween(first.DATE, DATE) * dayLength), amount: AMOUNT }))
	for (const guess of GUESSES) {
		try {
			const rate = xirr(dated, guess)
			if (Number.isFinite(rate) && rate > -1) return { rate, isYearly }
		} catch {
			// No root from this guess; the next may find one.
		}
	}
	return { rate: undefined, why: 'no rate fits these flows' }
}

export const NOT_AVAILABLE = 'Not available'

/** `+12.34 % a year`, `−3.10 % so far`, or `Not available: nothing was bought`. */
export function formatReturn(result: Return): string {
	if (result.rate === undefined) return `${NOT_AVAILABLE}: ${result.why}`
	return `${formatPercent(result.rate * 100)} ${result.isYearly ? 'a year' : 'so far'}`
}
