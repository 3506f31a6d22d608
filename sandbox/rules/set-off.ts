import { type FinancialYear, startOfYear } from '#contract/values/financial-year'
import { type Paise } from '#contract/values/money'
import { NEW_ACT_FROM, type TaxHeadKey, taxHeadOrder } from './tax-heads'

/** Kinds of loss that are carried forward separately. */
const lossKinds = ['SHORT', 'LONG', 'SPECULATIVE', 'BUSINESS'] as const
export type LossKind = (typeof lossKinds)[number]

/** A head of income that a loss may be set off against; dividends are income from other sources. */
export type PoolKey = TaxHeadKey | 'DIVIDENDS'

/** Gains and losses of one head by advance-tax window, both positive paise. Set-off reduces both by the same amounts. */
export interface Pool {
	key: PoolKey
	gains: Paise[]
	losses: Paise[]
}

/** The unused loss of a year, positive paise. */
export interface Loss {
	kind: LossKind
	year: FinancialYear
	amount: Paise
}

/** One step of set-off: this amount of the loss of `lossYear` reduces a head of the year, under `section`. Positive paise. */
export interface SetOffStep {
	kind: LossKind
	lossYear: FinancialYear
	against: PoolKey
	amount: Paise
	section: string
}

/** Sections of the Income-tax Act, 1961, and the sections of the Act of 2025 that replace them (108, 109, 111, 112 and 113). */
const successors = { 70: 108, 71: 109, 72: 112, 73: 113, 74: 111 } as const

function nameSection(section: keyof typeof successors, year: FinancialYear): string {
	return `Section ${startOfYear(year) >= NEW_ACT_FROM ? successors[section] : section}`
}

/** For how many years after its own a loss may be used: four for speculation (s.73(4)), eight for others (ss.72(3), 74(2)). */
const usableYears: Record<LossKind, number> = { SHORT: 8, LONG: 8, SPECULATIVE: 4, BUSINESS: 8 }

/** The last year in which a loss may be used. */
export function findLastYear({ kind, year }: Pick<Loss, 'kind' | 'year'>): FinancialYear {
	return year + usableYears[kind]
}

/**
 * The order in which a window's loss uses gains: its own window, then the later ones in order, then the earlier ones, the latest first.
 */
const windowsFor = (at: number): number[] => [
	...Array.from({ length: 5 - at }, (_, step) => at + step),
	...Array.from({ length: at }, (_, step) => at - 1 - step),
]

/** Reduces gains by losses, window by window, and returns the amount used. Unused losses stay in `losses`. */
function absorb(losses: Paise[], gains: Paise[]): Paise {
	let total = 0
	for (let at = 0; at < 5; at++) {
		for (const other of windowsFor(at)) {
			const used = Math.min(losses[at] ?? 0, gains[other] ?? 0)
			losses[at] = (losses[at] ?? 0) - used
			gains[other] = (gains[other] ?? 0) - used
			total += used
		}
	}
	return total
}

const sumAmounts = (amounts: readonly Paise[]): Paise => amounts.reduce((sum, amount) => sum + amount, 0)
const findKind = (key: PoolKey): LossKind | undefined => lossKinds.find((kind) => key.startsWith(kind))

/** Heads from the highest rate to the lowest. The client's own rate counts as the highest, so dividends stand with the other units. */
const poolOrder: readonly PoolKey[] = taxHeadOrder.flatMap((key) => (key === 'SHORT_OTHER_AFTER' ? [key, 'DIVIDENDS' as const] : [key]))

/**
 * Where a loss of an earlier year may be used, and the section. The narrow kinds stand before the wide ones, which would otherwise take
 * the only income that the narrow ones may use.
 */
const broughtRules = [
	{ kind: 'SPECULATIVE', gaining: ['SPECULATIVE'], section: 73 },
	{ kind: 'LONG', gaining: ['LONG'], section: 74 },
	{ kind: 'BUSINESS', gaining: ['BUSINESS', 'SPECULATIVE'], section: 72 },
	{ kind: 'SHORT', gaining: ['SHORT', 'LONG'], section: 74 },
] as const

/**
 * Sets losses off against gains and changes the pools in place. The order:
 * - each head within itself,
 * - then within its head of income (s.70; a speculative loss only against speculative profit, s.73),
 * - then a business loss against capital gains and dividends (s.71),
 * - then losses of earlier years (ss.72, 73, 74), the kinds that fit the fewest heads first, and of one kind the oldest first.
 * Among several gains the one with the highest tax rate is reduced first, in the client's favour. Returns every step, and the losses
 * that later years may use: unused losses of `brought` that have not lapsed, and the year's own.
 */
export function setOffLosses(
	pools: readonly Pool[],
	brought: readonly Loss[],
	year: FinancialYear,
): { steps: SetOffStep[]; carried: Loss[] } {
	const steps: SetOffStep[] = []
	const of = (...starts: readonly string[]) =>
		poolOrder.flatMap((key) => (starts.some((start) => key.startsWith(start)) ? pools.filter((pool) => pool.key === key) : []))
	function settle(kind: LossKind, lossYear: FinancialYear, losses: Paise[], gaining: readonly Pool[], section: keyof typeof successors) {
		for (const { key: against, gains } of gaining) {
			const amount = absorb(losses, gains)
			if (amount === 0) continue
			const known = steps.find((step) => step.kind === kind && step.lossYear === lossYear && step.against === against)
			if (known) known.amount += amount
			else steps.push({ kind, lossYear, against, amount, section: nameSection(section, year) })
		}
	}
	const settleYear = (kind: LossKind, gaining: readonly string[], section: keyof typeof successors) => {
		for (const { losses } of of(kind)) settle(kind, year, losses, of(...gaining), section)
	}
	for (const pool of of(...lossKinds)) {
		const kind = findKind(pool.key)
		if (kind) settle(kind, year, pool.losses, [pool], kind === 'SPECULATIVE' ? 73 : 70)
	}
	settleYear('LONG', ['LONG'], 70)
	settleYear('SHORT', ['SHORT'], 70)
	settleYear('SHORT', ['LONG'], 70)
	settleYear('BUSINESS', ['BUSINESS'], 70)
	settleYear('BUSINESS', ['SPECULATIVE'], 70)
	settleYear('BUSINESS', ['SHORT', 'LONG', 'DIVIDENDS'], 71)

	const usable = brought.filter((loss) => findLastYear(loss) >= year).toSorted((a, b) => a.year - b.year)
	const left = new Map<Loss, Paise>()
	for (const { kind, gaining, section } of broughtRules) {
		for (const loss of usable.filter((each) => each.kind === kind)) {
			// A loss of an earlier year is available from the year's first window on.
			const unused = [loss.amount, 0, 0, 0, 0]
			settle(kind, loss.year, unused, of(...gaining), section)
			left.set(loss, sumAmounts(unused))
		}
	}
	const carried = usable.map((loss): Loss => ({ ...loss, amount: left.get(loss) ?? 0 }))
	const own = lossKinds.map((kind): Loss => ({ kind, year, amount: sumAmounts(of(kind).flatMap(({ losses }) => losses)) }))
	return { steps, carried: [...carried, ...own].filter((loss) => loss.amount > 0 && findLastYear(loss) > year) }
}
