import { Readable } from 'node:stream'
import { type Unread, unreadIn, withUnread } from '#contract/tolerant'
import { formatDashedDay, formatDay } from '#contract/values/dates'
import { formatMoment } from '#contract/values/moments'
import { formatAmount, type Paise } from '#contract/values/money'
import { SEGMENT_NAMES } from '#contract/values/segments'
import {
	LEDGER_SHEET_COLUMNS,
	LEDGER_SIGNS,
	type PrintedLine,
	formatSignedBalance,
	formatSide,
	writeLedgerPages,
} from '#documents/ledger-lines'
import { createPdf, drawFooter, drawHeading, drawRunningHead, measureHeading, ROW, streamPdf } from '#documents/pdf-page'
import { type SheetCell, type SheetRow } from '#documents/table'
import { streamXlsx } from '#documents/xlsx'
import { type LedgerQuery } from '~/broker/ledger.server'
import { formatUnits } from '~/lib/units'
import { DASH, nameCode, orDash } from '~/lib/unknown'
import { type LedgerLine, ledgerReport } from '~/reports/ledger.server'
import { tellUnread } from '~/reports/unread.server'

/*
 * The ledger as the page shows it, as PDF and workbook. The broker makes these files only for a financial year without margin. For other
 * days, with margin, without the opening balance, searched or sorted, the portal makes them from the rows of the page.
 */

export type LedgerDocument = {
	brand: string
	/** Undefined when the broker did not give it. */
	clientName: string | undefined
	clientCode: string
	query: LedgerQuery
	/** What was searched for; empty when nothing was. */
	search: string
	madeAt: Date
}

type Batches = AsyncIterable<readonly LedgerLine[]>

function findWriter(key: string): (row: LedgerLine) => string {
	const column = ledgerReport.columns.find((each) => each.key === key)
	if (!column) throw new RangeError(`The ledger has no column ${key}`)
	return column.plain
}
const WORDS = ['voucher', 'type', 'segment', 'settlement', 'narration'].map(findWriter)

const formatPeriod = ({ query: { from, to } }: LedgerDocument) => `${formatDay(from)} to ${formatDay(to)}`
const nameSegments = ({ query: { cocd } }: LedgerDocument) => (cocd ? nameCode(SEGMENT_NAMES, cocd) : 'All segments')
const nameClient = ({ clientName, clientCode }: LedgerDocument) => (clientName ? `${clientName} (${clientCode})` : clientCode)
const tellMade = ({ madeAt }: LedgerDocument) => `Made at ${formatMoment(madeAt)} from the broker’s figures.`

/** Returns the choices of the form other than the days. */
function tellChoices({ query: { withMargin, withOpening }, search }: LedgerDocument): string {
	const choices = [
		withMargin ? 'Margin entries included' : 'Without margin entries',
		withOpening ? 'with the opening balance' : 'without the opening balance, balances start from zero',
	]
	return `${choices.join(', ')}${search ? `; only what matches “${search}”` : ''}`
}

/** Adds up the rows as they are read. */
class Totals {
	private debit: Paise = 0
	private credit: Paise = 0
	private count = 0
	private readonly incomplete: object[] = []

	add(rows: readonly LedgerLine[]): void {
		if (unreadIn(rows)) this.incomplete.push(rows)
		this.count += rows.length
		for (const { DR_AMT, CR_AMT } of rows) {
			this.debit += DR_AMT ?? 0
			this.credit += CR_AMT ?? 0
		}
	}

	/** Returns the last line, as on the page: with a search, or when something could not be read, it has sums and no balance. */
	foot({ query, search }: LedgerDocument) {
		const unread: Unread | undefined = unreadIn(withUnread({}, ...this.incomplete))
		const words = search ? `Of the ${formatUnits(this.count)} found` : `Balance on ${formatDay(query.to)}`
		const balance = search || unread ? undefined : this.credit - this.debit
		return {
			label: unread ? 'Total (incomplete)' : 'Total',
			words,
			debit: this.debit,
			credit: this.credit,
			balance,
			missing: tellUnread(unread, { isFile: true }),
			isEmpty: this.count === 0,
		}
	}
}

const tellEmpty = (file: LedgerDocument) => (file.search ? `No entries match “${file.search}”.` : `No entries in ${formatPeriod(file)}.`)

/**
 * Returns the same batches once the first one has arrived. A failure before that becomes a message to the client; a later failure ends
 * the file early.
 */
async function begin(batches: Batches): Promise<Batches> {
	const rows = batches[Symbol.asyncIterator]()
	const first = await rows.next()
	async function* all() {
		try {
			for (let next = first; !next.done; next = await rows.next()) yield next.value
		} finally {
			await rows.return?.()
		}
	}
	return all()
}

function formatLine(row: LedgerLine): PrintedLine {
	const figures = [orDash(row.DR_AMT, formatSide), orDash(row.CR_AMT, formatSide), orDash(row.running, formatSignedBalance)]
	return { cells: [formatDay(row.VOUCHER_DATE), ...WORDS.map((words) => words(row)), ...figures], isStrong: row.VOUCHER_TYPE === 'OPENING' }
}

async function* listLines(file: LedgerDocument, batches: Batches): AsyncGenerator<readonly PrintedLine[]> {
	const totals = new Totals()
	for await (const rows of batches) {
		totals.add(rows)
		// One by one, so that not all lines of a long ledger are in memory at once.
		for (const row of rows) yield [formatLine(row)]
	}
	const { label, words, debit, credit, balance, missing, isEmpty } = totals.foot(file)
	if (isEmpty) yield [{ cells: [tellEmpty(file)] }]
	const figures = [formatAmount(debit), formatAmount(credit), balance === undefined ? '' : formatSignedBalance(balance)]
	yield [{ cells: [label, '', '', '', '', words, ...figures], isStrong: true, ruleAbove: true }]
	if (missing) yield [{ cells: [`INCOMPLETE: ${missing}`] }]
}

/** Where the rows begin on the page, in points: on the first page when its facts are short, and on later pages. */
const TOP = { first: 176, later: 74 }

async function* writePdf(file: LedgerDocument, batches: Batches): AsyncGenerator<Uint8Array> {
	const { brand, clientCode, query, madeAt } = file
	const title = `Ledger of ${clientCode}, ${formatDashedDay(query.from)} to ${formatDashedDay(query.to)}`
	const pdf = createPdf({ title, author: brand, madeAt })
	const { text } = pdf
	const facts = [
		['Client', nameClient(file)],
		['Period', formatPeriod(file)],
		['Segment', nameSegments(file)],
		['Entries', tellChoices(file)],
	] as const
	const drawFrame = (page: number): number => {
		drawFooter(text, tellMade(file), page)
		if (page === 1) drawHeading(text, brand, 'Ledger', facts)
		else drawRunningHead(text, `${brand} · Ledger of ${nameClient(file)}`, formatPeriod(file))
		return page === 1 ? Math.max(TOP.first, measureHeading(text, facts) + 2 * ROW) : TOP.later
	}
	yield* writeLedgerPages(pdf, { lines: listLines(file, batches), drawFrame })
}

const writeFigure = (paise: Paise | null): SheetCell => (paise === null ? DASH : { paise })
const writeSide = (paise: Paise | null): SheetCell => (paise === 0 ? null : writeFigure(paise))

function writeSheetRow(row: LedgerLine): SheetRow {
	const figures = [writeSide(row.DR_AMT), writeSide(row.CR_AMT), writeFigure(row.running)]
	return { cells: [{ day: row.VOUCHER_DATE }, ...WORDS.map((words) => words(row)), ...figures] }
}

async function* listSheetRows(file: LedgerDocument, batches: Batches): AsyncGenerator<readonly SheetRow[]> {
	const totals = new Totals()
	for await (const rows of batches) {
		totals.add(rows)
		// As many as the workbook writes at once.
		for (let from = 0; from < rows.length; from += 50) yield rows.slice(from, from + 50).map(writeSheetRow)
	}
	const { label, words, debit, credit, balance, missing, isEmpty } = totals.foot(file)
	if (isEmpty) yield [{ cells: [tellEmpty(file)] }]
	const figures = [{ paise: debit }, { paise: credit }, balance === undefined ? null : { paise: balance }]
	yield [{ cells: [label, null, null, null, null, words, ...figures], isBold: true }]
	if (missing) yield [{ cells: [`INCOMPLETE: ${missing}`] }]
}

/** Returns the ledger as PDF, page by page as its rows are read. Rejects with the broker's error when the first rows cannot be read. */
export async function openLedgerPdf(file: LedgerDocument, batches: Batches): Promise<ReadableStream<Uint8Array>> {
	return streamPdf(writePdf(file, await begin(batches)))
}

/** Returns the ledger as a workbook, with real numbers and dates. Rejects as openLedgerPdf does. */
export async function openLedgerXlsx(file: LedgerDocument, batches: Batches): Promise<ReadableStream<Uint8Array>> {
	const title = [
		`Ledger (${nameSegments(file)}), ${file.brand}`,
		`Client: ${nameClient(file)}`,
		`Period: ${formatPeriod(file)}`,
		`${tellChoices(file)}.`,
		tellMade(file),
		LEDGER_SIGNS,
	]
	const rows = listSheetRows(file, await begin(batches))
	return Readable.toWeb(
		streamXlsx([{ name: 'Ledger', title, columns: LEDGER_SHEET_COLUMNS, rows }], file.madeAt),
	) as ReadableStream<Uint8Array>
}
