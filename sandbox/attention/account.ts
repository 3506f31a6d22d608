import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { formatDay, toIndianDay } from '#contract/values/dates'
import { endOfYear, type FinancialYear, formatYear, startOfYear, findFinancialYear } from '#contract/values/financial-year'
import { formatRupees } from '#contract/values/money'
import { readLedgerBalance } from '#sandbox/book/read-ledger'
import { readRows } from '#sandbox/book/rows'
import { listLedgers } from '#sandbox/clients/clients'
import { esigns as esignTable, taxFetches } from '#sandbox/db/schema'
import { readStored } from '#sandbox/modifications/stored'
import { DELAYED_PAYMENT_PERCENT, findDailyInterest } from '#sandbox/rules/fees'
import { type ItemFinder } from './item'

const LEDGERS = { NSE_CASH: 'Equity', MCX: 'Commodity' } as const

/** Ledgers in debit, with the interest per day. */
export const debtItems: ItemFinder = async ({ books }, { code, profile }, now) => {
	const day = toIndianDay(now)
	const found = await Promise.all(
		listLedgers(profile).map(async (cocd) => ({ cocd, balance: await readLedgerBalance(books, code, cocd, day) })),
	)
	return found
		.filter(({ balance }) => balance < 0)
		.map(({ cocd, balance }) => {
			const interest = formatRupees(findDailyInterest(-balance, DELAYED_PAYMENT_PERCENT))
			const words = `You owe ${formatRupees(-balance)} on ${LEDGERS[cocd]}. It costs ${interest} a day (${DELAYED_PAYMENT_PERCENT} % a year) until it is paid.`
			return { kind: 'DEBIT', reference: cocd, words, amount: balance, deadline: null }
		})
}

/** Changes, closures and activations that wait for the client's signature. */
export const esignItems: ItemFinder = async ({ books }, { code }, now) => {
	const waiting = and(eq(esignTable.client, code), eq(esignTable.status, 'WAITING'), gt(esignTable.expires_at, now))
	const rows = await books.db.select().from(esignTable).where(waiting).orderBy(asc(esignTable.expires_at)).limit(50)
	return rows.map(({ reference, title, expires_at }) => ({
		kind: 'ESIGN',
		reference,
		words: `${title} awaits your e-sign. Nothing changes until you sign it.`,
		amount: null,
		deadline: expires_at,
	}))
}

/**
 * An item when the client has no nominee and has not declared to want none. A change that waits for its signature is listed separately.
 */
export const nomineeItems: ItemFinder = async ({ books }, { code }, now) => {
	const { nominees, has_opted_out } = await readStored(books.db, code)
	if (nominees.length > 0 || has_opted_out) return []
	const waiting = and(
		eq(esignTable.client, code),
		eq(esignTable.kind, 'NOMINEE'),
		eq(esignTable.status, 'WAITING'),
		gt(esignTable.expires_at, now),
	)
	const [change] = await books.db.select({ id: esignTable.id }).from(esignTable).where(waiting).limit(1)
	if (change) return []
	const words = 'Your demat account has no nominee. Name one, or declare that you want none.'
	return [{ kind: 'NO_NOMINEE', reference: null, words, amount: null, deadline: null }]
}

/**
 * The day until which the return of a year is filed when its accounts need no audit: 31 July, and since the Finance Bill 2026 (for 2025-2026
 * on) 31 August with income from business, which futures and options are. Section 263(1) of the Income-tax Act, 2025, before it section
 * 139(1) of the Act of 1961.
 */
const findReturnDue = (year: FinancialYear, hasBusiness: boolean) => `${year + 1}${hasBusiness && year >= 2025 ? '-08-31' : '-07-31'}`

/**
 * Reminds of the tax statement of a year with trades, from the end of the year until the return is due, unless the client has downloaded
 * it.
 */
export const taxStatementItems: ItemFinder = async ({ books }, { code }, now) => {
	const day = toIndianDay(now)
	const year = findFinancialYear(day) - 1
	const fetched = and(eq(taxFetches.client, code), eq(taxFetches.year, String(year)))
	const [[traded], [taken]] = await Promise.all([
		readRows<{ has_business: boolean | null }>(
			books,
			sql`SELECT bool_or(segment <> 'NSE_CASH') AS has_business FROM notes
				WHERE client = ${code} AND day BETWEEN ${startOfYear(year)} AND ${endOfYear(year)}`,
		),
		books.db.select().from(taxFetches).where(fetched),
	])
	// Null without a trade.
	const hasBusiness = traded?.has_business ?? null
	if (hasBusiness === null || taken !== undefined) return []
	const due = findReturnDue(year, hasBusiness)
	if (day > due) return []
	return [
		{
			kind: 'TAX_STATEMENT',
			reference: formatYear(year),
			words: `Your tax statement and year pack of ${formatYear(year)} are ready: the income-tax return is due on ${formatDay(due)}.`,
			amount: null,
			deadline: new Date(`${due}T23:59:00+05:30`),
		},
	]
}
