import { type Day } from '~/lib/days'
import { type FinancialYear } from '~/lib/financial-year'
import { type Paise } from '~/lib/money'
import { findExemption } from './capital-gains'
import { divideHalfUp } from './rounding'
import { findHeadRule, type GainHead, listTaxWindows, NEW_RATES_FROM, windowAt } from './tax-heads'

type Dated = 'BEFORE' | 'AFTER'
export type TaxHeadKey = `${GainHead}_${Dated}` | 'SPECULATIVE' | 'BUSINESS_FNO' | 'BUSINESS_COMMODITY'

/** One realised gain: paise, loss negative. */
export interface TaxGain {
	head: GainHead | 'SPECULATIVE' | 'BUSINESS_FNO' | 'BUSINESS_COMMODITY'
	day: Day
	gain: Paise
}

export interface HeadSum {
	key: TaxHeadKey
	name: string
	section: string
	rate: string
	gains: Paise
	/** Positive. */
	losses: Paise
	/** What is left of gains and losses by window after set-off; never negative. */
	windows: Paise[]
	/** Sum of the windows. */
	afterSetOff: Paise
}

export interface TaxYear {
	heads: HeadSum[]
	/** Losses that found no gain; positive. */
	carried: Record<'SHORT' | 'LONG' | 'SPECULATIVE' | 'BUSINESS', Paise>
	exemption: { limit: Paise; used: Paise }
	/** On capital gains with a rate of their own, 4 % cess included. */
	estimatedTax: Paise
}

export const headNames: Record<GainHead | 'SPECULATIVE' | 'BUSINESS_FNO' | 'BUSINESS_COMMODITY', string> = {
	SHORT_EQUITY: 'Short-term gains, STT paid',
	SHORT_OTHER: 'Short-term gains, other units',
	LONG_EQUITY: 'Long-term gains, STT paid',
	LONG_OTHER: 'Long-term gains, other units',
	SPECULATIVE: 'Speculative business (intraday)',
	BUSINESS_FNO: 'Business: futures, options, currency',
	BUSINESS_COMMODITY: 'Business: commodity',
}

/** Losses are set off against the dearest rate first, in the client's favour. */
const order: readonly TaxHeadKey[] = [
	'SHORT_OTHER_BEFORE',
	'SHORT_OTHER_AFTER',
	'SHORT_EQUITY_AFTER',
	'SHORT_EQUITY_BEFORE',
	'LONG_OTHER_BEFORE',
	'LONG_EQUITY_AFTER',
	'LONG_OTHER_AFTER',
	'LONG_EQUITY_BEFORE',
	'SPECULATIVE',
	'BUSINESS_FNO',
	'BUSINESS_COMMODITY',
]

export function keyOf({ head, day }: Pick<TaxGain, 'head' | 'day'>): TaxHeadKey {
	if (head === 'SPECULATIVE' || head === 'BUSINESS_FNO' || head === 'BUSINESS_COMMODITY') return head
	return `${head}_${day < NEW_RATES_FROM ? 'BEFORE' : 'AFTER'}`
}

interface Pool {
	key: TaxHeadKey
	gains: Paise[]
	losses: Paise[]
}

function fillPools(gains: readonly TaxGain[]): Map<TaxHeadKey, Pool> {
	const pools = new Map<TaxHeadKey, Pool>()
	for (const each of gains) {
		const key = keyOf(each)
		const pool = pools.get(key) ?? { key, gains: [0, 0, 0, 0, 0], losses: [0, 0, 0, 0, 0] }
		pools.set(key, pool)
		const side = each.gain < 0 ? pool.losses : pool.gains
		const at = windowAt(each.day)
		side[at] = (side[at] ?? 0) + Math.abs(each.gain)
	}
	return pools
}

/** Where a window's loss looks for gains: in its own window, then in later ones in order, then in earlier ones, the latest first. */
const windowsFor = (at: number): number[] => [
	...Array.from({ length: 5 - at }, (_, step) => at + step),
	...Array.from({ length: at }, (_, step) => at - 1 - step),
]

/** Takes losses out of gains, window by window. What is left of the losses stays in them. */
function absorb(losses: Paise[], gains: Paise[]): void {
	for (let at = 0; at < 5; at++) {
		for (const other of windowsFor(at)) {
			const used = Math.min(losses[at] ?? 0, gains[other] ?? 0)
			losses[at] = (losses[at] ?? 0) - used
			gains[other] = (gains[other] ?? 0) - used
		}
	}
}

const sumOf = (amounts: readonly Paise[]): Paise => amounts.reduce((sum, amount) => sum + amount, 0)

/** Sets losses off: first within their head, then within their kind, short-term ones last against long-term gains. Gives what is left. */
function setOff(pools: ReadonlyMap<TaxHeadKey, Pool>): TaxYear['carried'] {
	const of = (...prefixes: string[]) =>
		order.flatMap((key) => (prefixes.some((prefix) => key.startsWith(prefix)) ? (pools.get(key) ?? []) : []))
	for (const pool of pools.values()) absorb(pool.losses, pool.gains)
	const settle = (losing: Pool[], gaining: Pool[]) => {
		for (const { losses } of losing) for (const { gains } of gaining) absorb(losses, gains)
	}
	settle(of('LONG'), of('LONG'))
	settle(of('SHORT'), of('SHORT'))
	settle(of('SHORT'), of('LONG'))
	settle(of('BUSINESS'), of('BUSINESS'))
	// A business loss may also be set off against speculative profit, never the other way round.
	settle(of('BUSINESS'), of('SPECULATIVE'))
	const left = (prefix: string) => sumOf(of(prefix).flatMap((pool) => pool.losses))
	return { SHORT: left('SHORT'), LONG: left('LONG'), SPECULATIVE: left('SPECULATIVE'), BUSINESS: left('BUSINESS') }
}

function ruleOf(key: TaxHeadKey, year: FinancialYear) {
	if (key === 'SPECULATIVE' || key.startsWith('BUSINESS')) return { section: '', rate: 'slab' }
	const head = key.replace(/_(BEFORE|AFTER)$/, '') as GainHead
	const [first, , , , last] = listTaxWindows(year)
	return findHeadRule(head, key.endsWith('_BEFORE') ? (first?.from ?? '') : (last?.to ?? ''))
}

/** The exemption is used on the gains of the higher rate first, a choice in the client's favour. */
function taxOf(heads: readonly HeadSum[], limit: Paise): { used: Paise; estimatedTax: Paise } {
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
 * Heads, windows and set-off of one financial year's realised gains. Windows are never negative and sum to the head's `afterSetOff`; a
 * loss that finds no gain is carried. Gains of other years must not be given. An estimate and no tax advice.
 */
export function sumTaxYear(gains: readonly TaxGain[], year: FinancialYear): TaxYear {
	const pools = fillPools(gains)
	const before = new Map([...pools].map(([key, pool]) => [key, { gains: sumOf(pool.gains), losses: sumOf(pool.losses) }]))
	const carried = setOff(pools)
	const heads = order.flatMap((key): HeadSum[] => {
		const pool = pools.get(key)
		if (!pool) return []
		const { gains: gained = 0, losses = 0 } = before.get(key) ?? {}
		const head = key.replace(/_(BEFORE|AFTER)$/, '') as TaxGain['head']
		const sums = { gains: gained, losses, windows: pool.gains, afterSetOff: sumOf(pool.gains) }
		return [{ key, name: headNames[head], ...ruleOf(key, year), ...sums }]
	})
	const limit = findExemption(year)
	const { used, estimatedTax } = taxOf(heads, limit)
	return { heads, carried, exemption: { limit, used }, estimatedTax }
}
