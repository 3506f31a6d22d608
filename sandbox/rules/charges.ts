import { type Day } from '#contract/values/dates'
import { type InstrumentKind, type Segment, type TradeSide } from './segments'

/** Kinds of trade; each has its own charge rates. */
export type Product =
	| 'DELIVERY'
	| 'INTRADAY'
	| 'FUTURE'
	| 'OPTION'
	| 'EXERCISE'
	| 'CURRENCY_FUTURE'
	| 'CURRENCY_OPTION'
	| 'COMMODITY_FUTURE'
	| 'COMMODITY_OPTION'

export type ChargeKind = 'BROKERAGE' | 'EXCHANGE' | 'SEBI' | 'CGST' | 'SGST' | 'IGST' | 'STT' | 'CTT' | 'STAMP'

/** One line of a rate table. */
export interface Rate {
	product: Product
	/** First trade day of the rate; it ends where the next line of the same product begins. */
	from: Day
	/** Per cent of value (of premium for options), as text of at most five decimals. */
	percent: string
	/** The rule and its date, which "explain this charge" shows. */
	rule: string
}

const ALWAYS = '2000-01-01'
const shares = ['DELIVERY', 'INTRADAY'] as const
const commodities = ['COMMODITY_FUTURE', 'COMMODITY_OPTION'] as const
const currencies = ['CURRENCY_FUTURE', 'CURRENCY_OPTION'] as const

function forEach(products: readonly Product[], from: Day, percent: string, rule: string): Rate[] {
	return products.map((product) => ({ product, from, percent, rule }))
}

/** Paise per executed order of any size. The brokerage plan of the sandbox's broker. */
export const FLAT_BROKERAGE_PAISE = 2000

const brokerageRates: Rate[] = [
	{ product: 'DELIVERY', from: ALWAYS, percent: '0.2', rule: 'Brokerage plan: delivery 0.20 %' },
	{ product: 'INTRADAY', from: ALWAYS, percent: '0.02', rule: 'Brokerage plan: intraday 0.02 %' },
	{ product: 'FUTURE', from: ALWAYS, percent: '0.02', rule: 'Brokerage plan: futures 0.02 %' },
]

/*
 * From 1-Oct-2024 the charges are SEBI's uniform ones; NSE FA73061 of 27-Feb-2026 keeps the totals unchanged. Before that day they are
 * the charges that large brokers passed on. Two groups have no source but common knowledge: NSE before 1-Apr-2023, when it withdrew its
 * 6 % increase, and MCX and currency before October 2024.
 */
const exchangeRates: Rate[] = [
	...forEach(shares, ALWAYS, '0.00345', 'NSE transaction charge 0.00345 % until 31/03/2023'),
	...forEach(shares, '2023-04-01', '0.00322', 'NSE transaction charge 0.00322 % from 01/04/2023'),
	...forEach(shares, '2024-10-01', '0.00307', 'NSE transaction charge with IPFT 0.00307 % from 01/10/2024'),
	{ product: 'FUTURE', from: ALWAYS, percent: '0.002', rule: 'NSE futures transaction charge 0.002 % until 31/03/2023' },
	{ product: 'FUTURE', from: '2023-04-01', percent: '0.00183', rule: 'NSE futures transaction charge 0.00183 % from 01/04/2023' },
	{ product: 'OPTION', from: ALWAYS, percent: '0.053', rule: 'NSE options transaction charge 0.053 % of premium until 31/03/2023' },
	{ product: 'OPTION', from: '2023-04-01', percent: '0.0495', rule: 'NSE options transaction charge 0.0495 % of premium from 01/04/2023' },
	{ product: 'OPTION', from: '2024-10-01', percent: '0.03553', rule: 'NSE options transaction charge with IPFT 0.03553 % from 01/10/2024' },
	{ product: 'CURRENCY_FUTURE', from: ALWAYS, percent: '0.0009', rule: 'NSE currency futures charge 0.0009 % until 30/09/2024' },
	{ product: 'CURRENCY_FUTURE', from: '2024-10-01', percent: '0.00035', rule: 'NSE currency futures charge 0.00035 % from 01/10/2024' },
	{ product: 'CURRENCY_OPTION', from: ALWAYS, percent: '0.035', rule: 'NSE currency options charge 0.035 % of premium until 30/09/2024' },
	{ product: 'CURRENCY_OPTION', from: '2024-10-01', percent: '0.0311', rule: 'NSE currency options charge 0.0311 % from 01/10/2024' },
	{ product: 'COMMODITY_FUTURE', from: ALWAYS, percent: '0.0026', rule: 'MCX futures charge 0.0026 % until 30/09/2024' },
	{ product: 'COMMODITY_FUTURE', from: '2024-10-01', percent: '0.0021', rule: 'MCX futures charge 0.0021 % from 01/10/2024' },
	{ product: 'COMMODITY_OPTION', from: ALWAYS, percent: '0.05', rule: 'MCX options charge 0.05 % of premium until 30/09/2024' },
	{ product: 'COMMODITY_OPTION', from: '2024-10-01', percent: '0.0418', rule: 'MCX options charge 0.0418 % of premium from 01/10/2024' },
]

const sebiRates: Rate[] = forEach(
	[...shares, 'FUTURE', 'OPTION', ...currencies, ...commodities],
	ALWAYS,
	'0.0001',
	'SEBI turnover fee, ₹ 10 a crore',
)

/** Only on purchases. One rate in all of India since 1-Jul-2020. */
const stampRates: Rate[] = [
	{ product: 'DELIVERY', from: ALWAYS, percent: '0.015', rule: 'Stamp duty 0.015 % on delivery purchases since 01/07/2020' },
	{ product: 'INTRADAY', from: ALWAYS, percent: '0.003', rule: 'Stamp duty 0.003 % on intraday purchases since 01/07/2020' },
	...forEach(['FUTURE', 'COMMODITY_FUTURE'], ALWAYS, '0.002', 'Stamp duty 0.002 % on futures bought since 01/07/2020'),
	...forEach(['OPTION', 'COMMODITY_OPTION'], ALWAYS, '0.003', 'Stamp duty 0.003 % of premium on options bought since 01/07/2020'),
	...forEach(currencies, ALWAYS, '0.0001', 'Stamp duty 0.0001 % on currency contracts bought since 01/07/2020'),
]

/*
 * Only sellers pay, except for delivery, where both sides pay. Finance Acts 2023 (1-Apr-2023), 2024 (1-Oct-2024, NSE) and 2026
 * (1-Apr-2026, NSE FATAX73524). One source says that Budget 2026 also raised the rate of commodity futures; every other source limits
 * the change to securities.
 */
const saleTaxRates: Rate[] = [
	{ product: 'DELIVERY', from: ALWAYS, percent: '0.1', rule: 'STT 0.1 % on delivery, both sides' },
	{ product: 'INTRADAY', from: ALWAYS, percent: '0.025', rule: 'STT 0.025 % on intraday sales' },
	{ product: 'FUTURE', from: ALWAYS, percent: '0.01', rule: 'STT 0.01 % on futures sold until 31/03/2023' },
	{ product: 'FUTURE', from: '2023-04-01', percent: '0.0125', rule: 'STT 0.0125 % on futures sold from 01/04/2023' },
	{ product: 'FUTURE', from: '2024-10-01', percent: '0.02', rule: 'STT 0.02 % on futures sold from 01/10/2024' },
	{ product: 'FUTURE', from: '2026-04-01', percent: '0.05', rule: 'STT 0.05 % on futures sold from 01/04/2026' },
	{ product: 'OPTION', from: ALWAYS, percent: '0.05', rule: 'STT 0.05 % of premium on options sold until 31/03/2023' },
	{ product: 'OPTION', from: '2023-04-01', percent: '0.0625', rule: 'STT 0.0625 % of premium on options sold from 01/04/2023' },
	{ product: 'OPTION', from: '2024-10-01', percent: '0.1', rule: 'STT 0.1 % of premium on options sold from 01/10/2024' },
	{ product: 'OPTION', from: '2026-04-01', percent: '0.15', rule: 'STT 0.15 % of premium on options sold from 01/04/2026' },
	{ product: 'EXERCISE', from: ALWAYS, percent: '0.125', rule: 'STT 0.125 % of intrinsic value on options exercised until 31/03/2026' },
	{ product: 'EXERCISE', from: '2026-04-01', percent: '0.15', rule: 'STT 0.15 % of intrinsic value on options exercised from 01/04/2026' },
	{ product: 'COMMODITY_FUTURE', from: ALWAYS, percent: '0.01', rule: 'CTT 0.01 % on non-agricultural futures sold' },
	{ product: 'COMMODITY_OPTION', from: ALWAYS, percent: '0.05', rule: 'CTT 0.05 % of premium on commodity options sold' },
]

const equityFundSaleRate: Rate = { product: 'DELIVERY', from: ALWAYS, percent: '0.001', rule: 'STT 0.001 % on units of equity funds sold' }

/** Per cent. CGST and SGST are half of it each. */
export const GST_PERCENT = '18'
export const HALF_GST_PERCENT = '9'

const memo = new Map<string, Rate | null>()

/** The last line of the table that has started by the day applies. Cached, because a note asks for the same rate many times. */
function pickRate(name: string, table: readonly Rate[], product: Product, day: Day): Rate | null {
	const key = `${name} ${product} ${day}`
	const known = memo.get(key)
	if (known !== undefined) return known
	const rate = table.findLast((line) => line.product === product && line.from <= day) ?? null
	if (memo.size > 20_000) memo.clear()
	memo.set(key, rate)
	return rate
}

/** Percentage brokerage of the sandbox's plan on a trade day; null for products with a flat FLAT_BROKERAGE_PAISE per order. */
export function findBrokerageRate(product: Product, day: Day): Rate | null {
	return pickRate('brokerage', brokerageRates, product, day)
}

/** Rate of the exchange transaction charge; it includes the investor protection fund. */
export function findExchangeRate(product: Product, day: Day): Rate | null {
	return pickRate('exchange', exchangeRates, product, day)
}

/** Rate of the SEBI turnover fee. */
export function findSebiRate(product: Product, day: Day): Rate | null {
	return pickRate('sebi', sebiRates, product, day)
}

/** Rate of stamp duty; null for a sale. */
export function findStampRate(product: Product, side: TradeSide, day: Day): Rate | null {
	return side === 'B' ? pickRate('stamp', stampRates, product, day) : null
}

/**
 * Rate of securities (or commodities) transaction tax on a trade day; null when not taxed. Delivery of shares is taxed on both sides,
 * everything else on the sale. The holder pays for an exercise, which ends the position like a sale. Units of equity funds are taxed
 * only on a delivery sale; gold, silver and liquid funds, and currency, are not taxed.
 */
export function findTransactionTaxRate(product: Product, kind: InstrumentKind, side: TradeSide, day: Day): Rate | null {
	if (kind === 'OTHER_ETF' || kind === 'FUND') return null
	if (side === 'B' && (product !== 'DELIVERY' || kind === 'ETF')) return null
	if (kind === 'ETF' && product === 'DELIVERY') return equityFundSaleRate
	return pickRate('tax', saleTaxRates, product, day)
}

/**
 * The product of a contract, for its charges; the note splits shares into delivery and intraday. An exercise is not an order or a trade
 * on the exchange, so only its tax is charged. Here only NSE's options on shares and indices are exercised.
 */
export function findContractProduct(segment: Exclude<Segment, 'NSE_CASH'>, kind: InstrumentKind, isExercise = false): Product {
	const isOption = kind === 'OPTION'
	if (segment === 'NSE_FNO' && isOption && isExercise) return 'EXERCISE'
	if (segment === 'NSE_FNO') return isOption ? 'OPTION' : 'FUTURE'
	if (segment === 'CD_NSE') return isOption ? 'CURRENCY_OPTION' : 'CURRENCY_FUTURE'
	return isOption ? 'COMMODITY_OPTION' : 'COMMODITY_FUTURE'
}
