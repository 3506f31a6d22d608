import { xirr } from '@webcarrot/xirr'
import { type Day, daysBetween } from './days'
import { type Paise } from './money'

export type Return = { rate: number; isYearly: boolean } | { rate: undefined; why: string }

/**
 * The rate of return of dated flows (paid out negative, received positive, the value held as the last one): a year's rate
 * when they span a year or more, else that of the time itself, since a month's luck is not a year's. In words where no
 * rate solves them, never 0. The root is found by the library, which follows LibreOffice's XIRR.
 */
export function returnOf(flows: readonly { DATE: Day; AMOUNT: Paise }[]): Return {
	const [first, last] = [flows[0], flows.at(-1)]
	if (!first || !last) return { rate: undefined, why: 'nothing was bought' }
	const days = daysBetween(first.DATE, last.DATE)
	if (days < 1) return { rate: undefined, why: 'bought today' }
	try {
		const rate = xirr(flows.map(({ DATE, AMOUNT }) => ({ date: new Date(`${DATE}T00:00:00Z`), amount: AMOUNT })))
		if (!Number.isFinite(rate) || rate <= -1) return { rate: undefined, why: 'no rate fits these flows' }
		return days >= 365 ? { rate, isYearly: true } : { rate: (1 + rate) ** (days / 365) - 1, isYearly: false }
	} catch {
		return { rate: undefined, why: 'no rate fits these flows' }
	}
}

const percent = new Intl.NumberFormat('en-IN', {
	style: 'percent',
	minimumFractionDigits: 2,
	maximumFractionDigits: 2,
	signDisplay: 'exceptZero',
})

/** `+12.34 % a year`, `−3.10 % so far`, or `Not available: nothing was bought`. */
export function formatReturn(result: Return): string {
	if (result.rate === undefined) return `Not available: ${result.why}`
	return `${percent.format(result.rate).replace('-', '−').replace('%', ' %')} ${result.isYearly ? 'a year' : 'so far'}`
}
