import { type Day } from '#contract/values/dates'
import { formatBalance, formatGain, type Paise } from '#contract/values/money'
import { drawColumns } from '~/lib/chart-geometry.server'
import { type ColumnChart } from '~/lib/charts'

/** Draws the balance of a ledger at the end of each month, the last one on its latest day. Undefined when a balance is not known. */
export function drawBalances(entries: readonly { VOUCHER_DATE: Day; running: Paise | null }[]): ColumnChart | undefined {
	const ends = new Map<string, Paise>()
	for (const { VOUCHER_DATE, running } of entries) {
		if (running === null) return undefined
		ends.set(VOUCHER_DATE.slice(0, 7), running)
	}
	const [first, last] = [entries[0]?.VOUCHER_DATE, entries.at(-1)?.VOUCHER_DATE]
	if (!first || !last) return undefined
	// A month without an entry keeps the balance of the month before.
	let balance = 0
	const months = listMonths(first, last).map((month) => ({ month, amount: (balance = ends.get(month) ?? balance) }))
	return drawColumns(months, {
		title: 'Balance at the end of each month',
		description: 'Above zero is a credit, below it a debit.',
		name: 'Balance',
		format: formatBalance,
	})
}

type Days = { SELL_DATE: Day; BUY_DATE: Day | null }

/** The day that counts: of the sale, or of the purchase that closed a contract that was sold first. */
const findClosingDay = ({ SELL_DATE, BUY_DATE }: Days): Day => (BUY_DATE !== null && BUY_DATE > SELL_DATE ? BUY_DATE : SELL_DATE)

/** Draws the gains of a period by month of closing; undefined when one is not known. */
export function drawGains(closings: readonly (Days & { GAIN: Paise | null })[], from: Day, to: Day): ColumnChart | undefined {
	const months = sumByMonth(
		closings.map((closing) => ({ day: findClosingDay(closing), amount: closing.GAIN })),
		from,
		to,
	)
	if (!months) return undefined
	return drawColumns(months, {
		title: 'Gain by month',
		description: 'In the month of sale, or of the purchase that closed a contract sold first. Above zero is a gain, below it a loss.',
		name: 'Gain',
		format: formatGain,
		isGain: true,
	})
}

type Month = { month: string; amount: Paise }
type Closing = Days & { BUY_AMT: Paise | null; SELL_AMT: Paise | null }

/** Returns the gain realised before charges in each month, in paise; undefined when one amount is not known. */
export function sumRealised(closings: readonly Closing[], from: Day, to: Day): Month[] | undefined {
	return sumByMonth(
		closings.map((closing) => ({
			day: findClosingDay(closing),
			amount: closing.BUY_AMT === null || closing.SELL_AMT === null ? null : closing.SELL_AMT - closing.BUY_AMT,
		})),
		from,
		to,
	)
}

export function drawRealised(months: readonly Month[]): ColumnChart | undefined {
	return drawColumns(months, {
		title: 'Realised by month',
		description: 'Before charges, in the month in which each was closed. Above zero is a gain, below it a loss.',
		name: 'Realised',
		format: formatGain,
		isGain: true,
	})
}

/** Returns the sum of each month of a period; undefined when an amount is not known. */
function sumByMonth(entries: readonly { day: Day; amount: Paise | null }[], from: Day, to: Day): Month[] | undefined {
	const sums = new Map<string, Paise>()
	for (const { day, amount } of entries) {
		if (amount === null) return undefined
		const month = day.slice(0, 7)
		sums.set(month, (sums.get(month) ?? 0) + amount)
	}
	return listMonths(from, to).map((month) => ({ month, amount: sums.get(month) ?? 0 }))
}

/** Returns the months from one day to another, both included, as `2026-04`. */
function listMonths(from: Day, to: Day): string[] {
	const index = (day: Day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
	return Array.from({ length: Math.max(0, index(to) - index(from) + 1) }, (_, at) => {
		const month = index(from) + at
		return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
	})
}
