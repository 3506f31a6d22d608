import { z } from 'zod/v4'
import { NameInAddress } from '#contract/common'
import { type LedgerReport, type LedgerRow, type VoucherType } from '#contract/ledger'
import { isRounded, type Unread, unreadIn, withUnread } from '#contract/tolerant'
import { formatDay } from '#contract/values/dates'
import { type FinancialYear } from '#contract/values/financial-year'
import { formatAmount, formatBalance, type Paise, formatPlainAmount } from '#contract/values/money'
import { SEGMENT_NAMES } from '#contract/values/segments'
import { type LedgerQuery } from '~/broker/ledger.server'
import { type LedgerProof, orderOldestFirst, proveLedger, sumLedger } from '~/lib/ledger-proof'
import { explainNarration } from '~/lib/narrations'
import { DASH, nameCode, orDash, sumOrNull } from '~/lib/unknown'
import { findBillPage } from './addresses.server'
import { clampText, day, money, text } from './columns.server'
import { checkPeriod, completePeriod, readQuery, typedPeriod } from './filters.server'
import { type Column, type Report } from './declaration'

const TYPE_NAMES: Record<VoucherType, string> = {
	OPENING: 'Opening',
	BILL: 'Bill',
	RECEIPT: 'Receipt',
	PAYMENT: 'Payment',
	JOURNAL: 'Journal',
}

/** A row with its running balance (paise, credit positive), computed from the rows above it; null when one of them could not be read. */
export type LedgerLine = LedgerRow & { running: Paise | null; isFirstWrong?: boolean; isOfAll?: boolean }

/** Returns an amount as `1,71,868.99 Cr`; the head of the column has the currency. */
export const formatSide = (paise: Paise) => formatBalance(paise).replace('₹ ', '')
const nameVoucherType = ({ VOUCHER_TYPE }: LedgerRow) => nameCode(TYPE_NAMES, VOUCHER_TYPE)

/** A side without an amount is blank, as ledgers are written; an opening row of all ledgers may have both sides. See columns.server.ts. */
const side = (key: 'debit' | 'credit', label: string, get: (row: LedgerLine) => Paise | null): Column<LedgerLine> => ({
	key,
	label,
	side: key,
	align: 'right',
	unit: '₹',
	cell: (row) => (get(row) === 0 ? '' : orDash(get(row), formatAmount)),
	plain: (row) => {
		const paise = get(row)
		return paise ? formatPlainAmount(paise) : ''
	},
	sortBy: (row) => get(row) ?? 0,
})

export const ledgerReport: Report<LedgerLine> = {
	title: 'Ledger',
	words: (row) =>
		`${row.VOUCHER_NO} ${nameVoucherType(row)} ${nameSegment(row)} ${row.SETL_NO ?? ''} ${formatNarration(row)} ${row.BILL_NO ?? ''} ${formatDay(row.VOUCHER_DATE)}`,
	// The settlement needs no column on narrow screens: a narration names it.
	tiers: { keys: ['date', 'narration', 'debit', 'credit', 'balance'], tablet: ['voucher'], laptop: ['type', 'segment'] },
	latest: (row) =>
		row.VOUCHER_TYPE === 'OPENING'
			? undefined
			: {
					what: clampText(formatNarration(row)),
					amount: orDash(sumOrNull([row.CR_AMT, row.DR_AMT === null ? null : -row.DR_AMT]), formatBalance),
				},
	columns: [
		// Each width shows the day, so it has the link to the contract note.
		{
			...day<LedgerLine>(
				'date',
				'Date',
				(row) => row.VOUCHER_DATE,
				(row) => findBillPage(row.BILL_NO),
			),
			isAbove: true,
		},
		text('voucher', 'Voucher', (row) => row.VOUCHER_NO),
		text('type', 'Type', nameVoucherType),
		text('segment', 'Segment', nameSegment),
		text('settlement', 'Settlement', (row) => row.SETL_NO),
		{
			key: 'narration',
			label: 'Narration',
			cell: (row) => ({ text: clampText(formatNarration(row)), note: explainNarration(row.NARRATION ?? ''), isClamped: true }),
			plain: formatNarration,
			sortBy: formatNarration,
		},
		side('debit', 'Debit', (row) => row.DR_AMT),
		side('credit', 'Credit', (row) => row.CR_AMT),
		money('balance', 'Balance', (row) => row.running, { hasSide: true }),
	],
}

function nameSegment(row: LedgerLine): string {
	return row.isOfAll ? 'All' : nameCode(SEGMENT_NAMES, row.COCD)
}

function formatNarration(row: LedgerRow): string {
	return row.VOUCHER_TYPE === 'OPENING' ? 'Opening balance' : (row.NARRATION ?? DASH)
}

type Arranged = {
	entries: readonly LedgerLine[]
	/** The broker's totals; undefined when they could not be read. */
	totals?: LedgerReport['totals_df'][number]
	/** True when every row has its figures. */
	isWhole: boolean
	/** Undefined when some rows could not be read or the broker gives no totals: then nothing can be proved or disproved. */
	proof?: LedgerProof
	/** The main figures; without the broker's totals they are the sums of the rows. */
	figures?: Pick<LedgerProof, 'stated' | 'opening' | 'credits' | 'debits'>
	wrong?: LedgerRow
	unread?: Unread
}

type Figures = { COCD: string; VOUCHER_TYPE: string; DR_AMT: Paise; CR_AMT: Paise; BALANCE: Paise }

/** True when a row has everything that the balance and its proof need. */
function hasFigures(row: LedgerRow): row is LedgerRow & Figures {
	const { COCD, VOUCHER_TYPE, DR_AMT, CR_AMT, BALANCE } = row
	return COCD !== null && VOUCHER_TYPE !== null && DR_AMT !== null && CR_AMT !== null && BALANCE !== null
}

/** Returns all rows when none is missing and each has its figures; otherwise undefined. */
function wholeRows(rows: readonly LedgerRow[]): readonly (LedgerRow & Figures)[] | undefined {
	return !unreadIn(rows)?.rows && rows.every(hasFigures) ? rows : undefined
}

/** The next page of a cached reply, requested with one `cocd`, has the same order and proof. For 100,000 rows they take 0.15 s. */
const arranged = new WeakMap<LedgerReport, Arranged>()

/**
 * Returns the rows in the order shown, with the balance running over all of them. Both ledgers together form one statement: sorted by
 * date, with one opening row that is the sum of their opening rows.
 */
export function arrangeLedger(report: LedgerReport, cocd: string | undefined): Arranged {
	const known = arranged.get(report)
	if (known) return known
	const { filtered_df, totals_df } = report
	const [totals] = totals_df
	const rows = withUnread(orderOldestFirst(filtered_df), filtered_df)
	const whole = wholeRows(rows)
	const proof = whole && totals && proveLedger(whole, totals, isRounded(report))
	const wrong = proof?.firstWrong === undefined ? undefined : rows[proof.firstWrong]
	const entries = withUnread(listEntries(rows, cocd, whole ? 0 : null, wrong), report)
	const own = whole && whole.length > 0 ? sumLedger(whole) : undefined
	const figures = proof ?? (own && { ...own, stated: own.closing })
	const made = { entries, totals, isWhole: whole !== undefined, proof, figures, wrong, unread: unreadIn(report) }
	arranged.set(report, made)
	return made
}

/** The key figures show credits and debits without the opening row, so the total under all rows says how much of it is that row. */
export function tellOpening(proof: LedgerProof | undefined, { DR_AMT, CR_AMT }: { DR_AMT: number; CR_AMT: number }): string {
	return proof && proof.opening !== 0 && CR_AMT - DR_AMT === proof.closing ? `Includes opening ${formatBalance(proof.opening)}` : ''
}

/** Returns the note of a statement that can be neither proved nor disproved. */
export function tellUnproved(totals: { BALANCE: number } | undefined, isWhole: boolean): string {
	if (!totals && isWhole) return 'The broker states no closing balance for this ledger, so its balances are not checked.'
	const stated = totals ? ` The broker states a closing balance of ${formatBalance(totals.BALANCE)}.` : ''
	return `Not all of this statement could be read, so it is incomplete and its balances are not checked.${stated}`
}

/**
 * Yields the same entries for a period that arrives in parts. The balance continues from part to part, as long as all parts could be
 * read. After that, only the first part has the broker's balances: those of a later part start from zero.
 */
export async function* arrangeParts(parts: AsyncIterable<LedgerReport>, cocd: string | undefined): AsyncGenerator<readonly LedgerLine[]> {
	let brought: Paise | null = 0
	let isFirst = true
	for await (const { filtered_df } of parts) {
		if (!wholeRows(filtered_df)) brought = null
		const ordered = orderOldestFirst(filtered_df)
		const rows = brought === null && !isFirst ? ordered.map((row) => ({ ...row, BALANCE: null })) : ordered
		const entries: readonly LedgerLine[] = withUnread(listEntries(rows, cocd, brought), filtered_df)
		if (brought !== null) brought = entries.at(-1)?.running ?? brought
		isFirst = false
		yield entries
	}
}

/**
 * Returns the entries with their balances. Without a balance brought forward (`brought` is null), each row of one ledger shows the
 * broker's balance, and rows of two ledgers together show none.
 */
function listEntries(rows: readonly LedgerRow[], cocd: string | undefined, brought: Paise | null, wrong?: LedgerRow): LedgerLine[] {
	const ordered: readonly Omit<LedgerLine, 'running'>[] = cocd ? rows : together(rows)
	let running = brought
	return ordered.map((row): LedgerLine => {
		if (running === null) return createEntry(row, cocd ? row.BALANCE : null, false)
		running += (row.CR_AMT ?? 0) - (row.DR_AMT ?? 0)
		return createEntry(row, running, row === wrong)
	})
}

/** Copies each field: for 100,000 rows `{ ...row }` takes a tenth of the time that their first page needs. */
function createEntry(row: Omit<LedgerLine, 'running'>, running: Paise | null, isFirstWrong: boolean): LedgerLine {
	const { VOUCHER_DATE, VOUCHER_NO, VOUCHER_TYPE, COCD, SETL_NO, NARRATION, DR_AMT, CR_AMT, BALANCE, BILL_NO, isOfAll } = row
	return {
		VOUCHER_DATE,
		VOUCHER_NO,
		VOUCHER_TYPE,
		COCD,
		SETL_NO,
		NARRATION,
		DR_AMT,
		CR_AMT,
		BALANCE,
		BILL_NO,
		isOfAll,
		running,
		isFirstWrong,
	}
}

function together(rows: readonly LedgerRow[]): Omit<LedgerLine, 'running'>[] {
	const openings = rows.filter((row) => row.VOUCHER_TYPE === 'OPENING')
	const others = rows.filter((row) => row.VOUCHER_TYPE !== 'OPENING')
	const isOneLedger = new Set(others.map((row) => row.COCD)).size < 2
	// Array.sort is stable: within a day each ledger keeps its order.
	if (!isOneLedger) others.sort((a, b) => (a.VOUCHER_DATE < b.VOUCHER_DATE ? -1 : a.VOUCHER_DATE > b.VOUCHER_DATE ? 1 : 0))
	const [first] = openings
	if (!first) return others
	// The sides are not set off against each other, so the rows add up to the broker's totals.
	const CR_AMT = sumOrNull(openings.map((row) => row.CR_AMT))
	const DR_AMT = sumOrNull(openings.map((row) => row.DR_AMT))
	const BALANCE = sumOrNull([CR_AMT, DR_AMT === null ? null : -DR_AMT])
	return [{ ...first, CR_AMT, DR_AMT, BALANCE, isOfAll: openings.length > 1 }, ...others]
}

/** `filtered` marks a submitted form: a checkbox that is on by default cannot otherwise be turned off. */
const Filters = z
	.object({
		...typedPeriod,
		segment: NameInAddress.optional().catch(undefined),
		margin: z.literal('Y').optional().catch(undefined),
		opening: z.enum(['Y', 'N']).optional().catch(undefined),
		filtered: z.string().optional(),
	})
	.superRefine(checkPeriod)

/**
 * Returns the filters in the address. Without dates the period is the year, up to today. Wrong input returns messages in `result`.
 * `ofType`: the ledger in the path.
 */
export function readLedgerFilters(url: URL, year: FinancialYear, ofType: string | undefined) {
	const { value, result } = readQuery(url.searchParams, Filters)
	const { searchParams: typed } = url
	const withOpening = typed.has('filtered') ? typed.get('opening') === 'Y' : typed.get('opening') !== 'N'
	const filters = {
		from: typed.get('from') ?? '',
		to: typed.get('to') ?? '',
		segment: ofType ?? typed.get('segment') ?? '',
		withMargin: typed.get('margin') === 'Y',
		withOpening,
	}
	if (!value) return { filters, result }

	const { from, to } = completePeriod(value, year)
	const query: LedgerQuery = { from, to, cocd: ofType ?? value.segment, withMargin: filters.withMargin, withOpening }
	// When no day was typed, the fields show the days of the period.
	return { filters: { ...filters, from: filters.from || from, to: filters.to || to }, query }
}
