import { type Day, formatDay } from '#contract/values/dates'
import { type FinancialYear, findFinancialYear } from '#contract/values/financial-year'
import { type Paise } from '#contract/values/money'
import { findExemption, NEW_RATES_FROM } from './capital-gains'
import { divideHalfUp } from './rounding'
import { type Loss, type LossKind, type Pool, type PoolKey, setOffLosses, type SetOffStep } from './set-off'
import { findHeadRule, type GainHead, listTaxWindows, type TaxHeadKey, taxHeadOrder, windowAt } from './tax-heads'

/** One realised gain in paise; a loss is negative. */
export interface TaxGain {
	head: GainHead | 'SPECULATIVE' | 'BUSINESS_FNO' | 'BUSINESS_COMMODITY'
	day: Day
	gain: Paise
}

/** The income of one financial year. */
export interface YearIncome {
	year: FinancialYear
	gains: readonly TaxGain[]
	/** Positive. */
	dividends: readonly { day: Day; amount: Paise }[]
}

interface HeadSum {
	key: TaxHeadKey
	name: string
	section: string
	rate: string
	gains: Paise
	/** Positive. */
	losses: Paise
	/** Remaining gains and losses by window after set-off; never negative. */
	windows: Paise[]
	/** Sum of the windows. */
	afterSetOff: Paise
}

export interface TaxYear {
	heads: HeadSum[]
	/** Every step of set-off, in the order made. */
	steps: SetOffStep[]
	/** The year's own losses that no income could absorb; positive. */
	carried: Record<LossKind, Paise>
	/** Losses of this and earlier years that later years may use, oldest first. */
	losses: Loss[]
	exemption: { limit: Paise; used: Paise }
	/** Tax on capital gains that have a fixed rate, 4 % cess included. */
	estimatedTax: Paise
}

export const headNames: Record<GainHead | 'SPECULATIVE' | 'BUSINESS_FNO' | 'BUSINESS_COMMODITY', string> = {
	SHORT_EQUITY: 'Short-term gains, STT paid',
	SHORT_OTHER: 'Short-term gains, other units',
	LONG_EQUITY: 'Long-term gains, STT paid',
	LONG_OTHER: 'Long-term gains, other units',
	SPECULATIVE: 'Speculative',
	BUSINESS_FNO: 'Future & Options',
	BUSINESS_COMMODITY: 'Commodity',
}

function findHeadKey({ head, day }: Pick<TaxGain, 'head' | 'day'>): TaxHeadKey {
	if (head === 'SPECULATIVE' || head === 'BUSINESS_FNO' || head === 'BUSINESS_COMMODITY') return head
	return `${head}_${day < NEW_RATES_FROM ? 'BEFORE' : 'AFTER'}`
}

const readHead = (key: TaxHeadKey) => key.replace(/_(BEFORE|AFTER)$/, '') as TaxGain['head']

function fillPools({ gains, dividends }: YearIncome): Map<PoolKey, Pool> {
	const pools = new Map<PoolKey, Pool>()
	const add = (key: PoolKey, day: Day, amount: Paise) => {
		const pool = pools.get(key) ?? { key, gains: [0, 0, 0, 0, 0], losses: [0, 0, 0, 0, 0] }
		pools.set(key, pool)
		const side = amount < 0 ? pool.losses : pool.gains
		const at = windowAt(day)
		side[at] = (side[at] ?? 0) + Math.abs(amount)
	}
	for (const each of gains) add(findHeadKey(each), each.day, each.gain)
	for (const { day, amount } of dividends) add('DIVIDENDS', day, amount)
	return pools
}

const sumAmounts = (amounts: readonly Paise[]): Paise => amounts.reduce((sum, amount) => sum + amount, 0)

function findRule(key: TaxHeadKey, year: FinancialYear) {
	if (key === 'SPECULATIVE' || key.startsWith('BUSINESS')) return { section: '', rate: 'slab' }
	const [first, , , , last] = listTaxWindows(year)
	return findHeadRule(readHead(key) as GainHead, key.endsWith('_BEFORE') ? (first?.from ?? '') : (last?.to ?? ''))
}

/**
 * `Long-term gains, STT paid`. In 2024-25 two heads are at the client's own rate, so these say which sales are in them, as the rates of the
 * others do.
 */
function nameHead(key: TaxHeadKey, year: FinancialYear): string {
	const name = headNames[readHead(key)]
	if (readHead(key) !== 'SHORT_OTHER' || year !== findFinancialYear(NEW_RATES_FROM)) return name
	return `${name}, sold ${key.endsWith('_BEFORE') ? 'before' : 'from'} ${formatDay(NEW_RATES_FROM)}`
}

/** `Long-term gains, STT paid (12.5 %)`. Dividends, and heads at the client's own rate, have no rate in the name. */
export function namePool(key: PoolKey, year: FinancialYear): string {
	if (key === 'DIVIDENDS') return 'Dividends'
	const name = nameHead(key, year)
	const { rate } = findRule(key, year)
	return rate === 'slab' ? name : `${name} (${rate} %)`
}

/** The exemption reduces the gains with the higher rate first, a choice in the client's favour. */
function computeTax(heads: readonly HeadSum[], limit: Paise): { used: Paise; estimatedTax: Paise } {
	let left = limit
	let tax = 0
	for (const { key, rate, afterSetOff } of [...heads].sort((a, b) => Number(b.rate) - Number(a.rate))) {
		if (rate === 'slab') continue
		const exempt = key.startsWith('LONG_EQUITY') ? Math.min(left, afterSetOff) : 0
		left -= exempt
		tax += divideHalfUp((afterSetOff - exempt) * Number(rate) * 10, 1000)
	}
	return { used: limit - left, estimatedTax: divideHalfUp(tax * 104, 100) }
}

/**
 * Heads, windows and set-off of one financial year, with the unused losses of earlier years. Windows are never negative and sum to the
 * head's `afterSetOff`. A loss without income is carried forward. The exemption applies after set-off. Paise. An estimate, not tax
 * advice.
 */
export function sumTaxYear(income: YearIncome, brought: readonly Loss[] = []): TaxYear {
	const { year } = income
	const pools = fillPools(income)
	const before = new Map([...pools].map(([key, pool]) => [key, { gains: sumAmounts(pool.gains), losses: sumAmounts(pool.losses) }]))
	const { steps, carried: losses } = setOffLosses([...pools.values()], brought, year)
	const heads = taxHeadOrder.flatMap((key): HeadSum[] => {
		const pool = pools.get(key)
		if (!pool) return []
		const { gains: gained = 0, losses: lost = 0 } = before.get(key) ?? {}
		const sums = { gains: gained, losses: lost, windows: pool.gains, afterSetOff: sumAmounts(pool.gains) }
		return [{ key, name: nameHead(key, year), ...findRule(key, year), ...sums }]
	})
	const left = (kind: LossKind) => sumAmounts(losses.filter((loss) => loss.kind === kind && loss.year === year).map(({ amount }) => amount))
	const carried = { SHORT: left('SHORT'), LONG: left('LONG'), SPECULATIVE: left('SPECULATIVE'), BUSINESS: left('BUSINESS') }
	const limit = findExemption(year)
	const { used, estimatedTax } = computeTax(heads, limit)
	return { heads, steps, carried, losses, exemption: { limit, used }, estimatedTax }
}

/**
 * The result of the last of several consecutive years, given oldest first. Each year takes over the unused losses of the years before
 * it. Throws RangeError for an empty list.
 */
export function sumTaxYears(years: readonly YearIncome[]): TaxYear {
	let last: TaxYear | undefined
	for (const income of years) last = sumTaxYear(income, last?.losses)
	if (!last) throw new RangeError('No year to sum')
	return last
}
