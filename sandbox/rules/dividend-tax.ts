import { type Day } from '#contract/values/dates'
import { type FinancialYear, startOfYear, findFinancialYear } from '#contract/values/financial-year'
import { type Paise } from '#contract/values/money'
import { computePercent } from './rounding'
import { NEW_ACT_FROM } from './tax-heads'

/** Per cent of a dividend that the company deducts for a resident who has given a PAN; all clients have given one. */
const DEDUCTED_PERCENT = '10'

/** The amount a company may pay one person in a year without deducting tax: 5,000 rupees, from FY 2025-26 10,000 (Finance Act 2025). */
function findFreeLimit(year: FinancialYear): Paise {
	return year < 2025 ? 5_000_00 : 10_000_00
}

/**
 * The first seven characters of an ISIN: they identify the company, whatever the face value of its shares (characters 4 to 7 are the
 * issuer's).
 */
export function findIssuer(isin: string): string {
	return isin.slice(0, 7)
}

/**
 * The tax that a company deducts from a dividend, in paise (Income-tax Act, 1961, s.194). It is 0 until the company's payments of the
 * financial year exceed the limit; the payment that exceeds it carries the tax on all of them. `earlier` are the company's earlier
 * payments of the same year.
 */
export function findDividendTax(amount: Paise, day: Day, earlier: readonly { amount: Paise; tds: Paise }[]): Paise {
	let [paid, deducted] = [amount, 0]
	for (const each of earlier) {
		paid += each.amount
		deducted += each.tds
	}
	return paid > findFreeLimit(findFinancialYear(day)) ? computePercent(paid, DEDUCTED_PERCENT) - deducted : 0
}

/** The section of the law under which tax is deducted in a year (2025 Act: table of section 393(1), serial number 7). */
export function nameDeductionSection(year: FinancialYear): string {
	return startOfYear(year) >= NEW_ACT_FROM ? 'Section 393(1)' : 'Section 194'
}
