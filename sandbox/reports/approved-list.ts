import { sql } from 'drizzle-orm'
import { type ApprovedListName } from '#contract/downloads'
import { type SheetRow, type SheetTable } from '#documents/table'
import { readRows } from '#sandbox/book/rows'
import { type Books } from '#sandbox/db/open'
import { isNifty } from '#sandbox/reference-data/securities'
import { findHaircut, isCashEquivalent } from '#sandbox/rules/approved'
import { findMarginPercent } from '#sandbox/rules/mtf'
import { type InstrumentKind } from '#sandbox/rules/segments'
import { priceCell } from './tables'

type Security = { isin: string; symbol: string; name: string; kind: InstrumentKind; sector: string; close: number }

/** Securities with a price of the last 15 days. A security that no longer exists after a split has none, so it is no longer approved. */
async function readSecurities(books: Books, day: string): Promise<Security[]> {
	return await readRows<Security>(
		books,
		sql`SELECT i.id AS isin, i.symbol, i.name, i.kind, i.sector, p.close::float8 AS close FROM instruments i
		JOIN LATERAL (SELECT close, day FROM prices WHERE instrument = i.id AND day <= ${day} ORDER BY day DESC LIMIT 1) p ON p.day > ${day}::date - 15
		WHERE i.expiry IS NULL AND i.kind IN ('EQUITY', 'ETF', 'OTHER_ETF', 'FUND') ORDER BY i.symbol COLLATE "C"`,
	)
}

const columns = ['Symbol', 'Name', 'ISIN', 'Sector'].map((head, at) => ({ head, width: [16, 44, 16, 34][at] ?? 16 }))

/**
 * A list of approved securities as a table. Margin: every security with its pledge haircut. MTF: shares that may be bought with margin
 * funding, and the client's part. Collateral: whether a security counts as cash.
 */
export async function approvedList(books: Books, name: ApprovedListName, day: string): Promise<SheetTable> {
	const rows = (await readSecurities(books, day)).flatMap((security): SheetRow[] => {
		const { symbol, isin, kind, sector } = security
		const marks = { kind, isNifty: isNifty(isin), isLiquid: sector === 'ETF - Liquid' }
		const start = [symbol, security.name, isin, sector]
		const haircut = Number(findHaircut(marks))
		if (name === 'MTF') return kind === 'EQUITY' ? [{ cells: [...start, priceCell(Number(findMarginPercent(isin)))] }] : []
		if (name === 'Margin') return [{ cells: [...start, priceCell(haircut), priceCell(security.close / 10_000)] }]
		return [{ cells: [...start, isCashEquivalent(marks) ? 'Cash equivalent' : 'Non-cash', priceCell(haircut)] }]
	})
	const more = { Margin: ['Haircut %', 'Close'], MTF: ['Your margin %'], Collateral: ['Counts as', 'Haircut %'] }[name]
	return {
		name: `Approved ${name}`,
		columns: [...columns, ...more.map((head) => ({ head, width: 16, isFigure: head !== 'Counts as' }))],
		rows,
	}
}
