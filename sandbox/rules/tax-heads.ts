import { type Day } from '#contract/values/dates'
import { endOfYear, type FinancialYear, formatYear, startOfYear } from '#contract/values/financial-year'
import { findTaxWindow, isEquity, NEW_RATES_FROM, type Term } from './capital-gains'
import { type InstrumentKind } from './segments'

/** The first day of the new law. The 1961 Act does not apply to income from 1-Apr-2026 on (Income-tax Act, 2025, s.536). */
export const NEW_ACT_FROM = '2026-04-01'

/** EQUITY: shares and units of equity funds, on which STT is paid. OTHER: gold, silver, liquid and other funds. */
export type GainHead = 'SHORT_EQUITY' | 'SHORT_OTHER' | 'LONG_EQUITY' | 'LONG_OTHER'

/** A head of income. For capital gains it also says whether the transfer was before 23-Jul-2024, or on or after it. */
export type TaxHeadKey = `${GainHead}_${'BEFORE' | 'AFTER'}` | 'SPECULATIVE' | 'BUSINESS_FNO' | 'BUSINESS_COMMODITY'

/**
 * Heads of capital gains from the highest rate to the lowest, then business. Of two with one rate the one without the exemption is first.
 */
export const taxHeadOrder: readonly TaxHeadKey[] = [
	'SHORT_OTHER_BEFORE',
	'SHORT_OTHER_AFTER',
	'SHORT_EQUITY_AFTER',
	'LONG_OTHER_BEFORE',
	'SHORT_EQUITY_BEFORE',
	'LONG_OTHER_AFTER',
	'LONG_EQUITY_AFTER',
	'LONG_EQUITY_BEFORE',
	'SPECULATIVE',
	'BUSINESS_FNO',
	'BUSINESS_COMMODITY',
]

interface HeadRule {
	head: GainHead
	/** First day of transfer of the rule; it ends where the next line of the same head begins. */
	from: Day
	section: string
	/** Per cent, or `slab` for the client's own rate. */
	rate: string
}

const ALWAYS = '2000-01-01'

/*
 * Sections and rates. 23-Jul-2024: Finance (No. 2) Act 2024 (15 to 20 %, 10 to 12.5 %). 1-Apr-2026: sections 196, 197 and 198 of the
 * Income-tax Act, 2025, with unchanged rates (aubsp.com, ss.196 to 198). Other units: section 112, before 23-Jul-2024 20 % with
 * indexation, from then on 12.5 % without; findTermOfSale decides which are long-term.
 */
const rules: readonly HeadRule[] = [
	{ head: 'SHORT_EQUITY', from: ALWAYS, section: 'Section 111A', rate: '15' },
	{ head: 'SHORT_EQUITY', from: NEW_RATES_FROM, section: 'Section 111A', rate: '20' },
	{ head: 'SHORT_EQUITY', from: NEW_ACT_FROM, section: 'Section 196', rate: '20' },
	{ head: 'LONG_EQUITY', from: ALWAYS, section: 'Section 112A', rate: '10' },
	{ head: 'LONG_EQUITY', from: NEW_RATES_FROM, section: 'Section 112A', rate: '12.5' },
	{ head: 'LONG_EQUITY', from: NEW_ACT_FROM, section: 'Section 198', rate: '12.5' },
	{ head: 'LONG_OTHER', from: ALWAYS, section: 'Section 112', rate: '20' },
	{ head: 'LONG_OTHER', from: NEW_RATES_FROM, section: 'Section 112', rate: '12.5' },
	{ head: 'LONG_OTHER', from: NEW_ACT_FROM, section: 'Section 197', rate: '12.5' },
	{ head: 'SHORT_OTHER', from: ALWAYS, section: '', rate: 'slab' },
]

/** The head of a gain on a security, by its kind and how long it was held. */
export function findGainHead(kind: InstrumentKind, term: Term): GainHead {
	return `${term}_${isEquity(kind) ? 'EQUITY' : 'OTHER'}`
}

/** Section and rate of a head on a day of transfer; the section is empty where the head has no rate of its own. */
export function findHeadRule(head: GainHead, day: Day): Pick<HeadRule, 'section' | 'rate'> {
	const rule = rules.findLast((line) => line.head === head && line.from <= day)
	if (!rule) throw new RangeError(`No rule for ${head} on ${day}`)
	return rule
}

/**
 * The law of a financial year, and the name that this law gives the year: `Assessment Year 2025-26`, from 2026-27 on `Tax Year 2026-27`.
 */
export function nameTaxYear(year: FinancialYear): { act: string; taxYear: string } {
	const isNew = startOfYear(year) >= NEW_ACT_FROM
	const shown = formatYear(isNew ? year : year + 1).replace(/-20(\d\d)$/, '-$1')
	return isNew
		? { act: 'Income-tax Act, 2025', taxYear: `Tax Year ${shown}` }
		: { act: 'Income-tax Act, 1961', taxYear: `Assessment Year ${shown}` }
}

export interface TaxWindow {
	label: string
	from: Day
	to: Day
}

/** The five advance-tax windows of a year, as in the tax return: to 15 June, 15 September, 15 December, 15 March, 31 March. */
export function listTaxWindows(year: FinancialYear): TaxWindow[] {
	const next = year + 1
	return [
		{ label: '01-Apr to 15-Jun', from: startOfYear(year), to: `${year}-06-15` },
		{ label: '16-Jun to 15-Sep', from: `${year}-06-16`, to: `${year}-09-15` },
		{ label: '16-Sep to 15-Dec', from: `${year}-09-16`, to: `${year}-12-15` },
		{ label: '16-Dec to 15-Mar', from: `${year}-12-16`, to: `${next}-03-15` },
		{ label: '16-Mar to 31-Mar', from: `${next}-03-16`, to: endOfYear(year) },
	]
}

/** Index of a day's window, from 0. */
export function windowAt(day: Day): number {
	return findTaxWindow(day) - 1
}
