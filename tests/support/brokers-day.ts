import { type Day } from '#contract/values/dates'
import { findFinancialYear, type FinancialYear } from '#contract/values/financial-year'

/*
 * The broker's day in tests. It is the same on every day on which they run, so that a test never depends on what the books of another
 * day contain by chance. `other-days.test.ts` visits every page on other days.
 */

/** A Friday with a normal session: bids and batches depend on days and hours. */
export const BROKERS_DAY: Day = '2026-11-20'

/** The time at which its clock starts: 11:00, when everything is open. */
export const BROKERS_CLOCK = `${BROKERS_DAY}T11:00`

export const BROKERS_YEAR: FinancialYear = findFinancialYear(BROKERS_DAY)

/** The years of the selector, newest first. */
export const BROKERS_YEARS: readonly FinancialYear[] = [0, 1, 2, 3, 4].map((back) => BROKERS_YEAR - back)
