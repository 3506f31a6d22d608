import { Readable } from 'node:stream'
import { formatDay } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { SEGMENT_NAMES } from '#contract/values/segments'
import { LEDGER_SHEET_COLUMNS, LEDGER_SIGNS } from '#documents/ledger-lines'
import { type SheetCell, type SheetRow } from '#documents/table'
import { streamXlsx } from '#documents/xlsx'
import { readLedgerEntries } from '#sandbox/book/read-ledger'
import { type LedgerFile, nameLedgers, openingNumber, showLedgerPeriod, sumLedgers, VOUCHER_NAMES } from './ledger-file'
import { buildWorkbookTitle } from './title-block'

const COLUMNS = [...LEDGER_SHEET_COLUMNS, { head: 'Bill', width: 14 }]

/** The amount in a debit or credit column; empty when it is not above zero. */
const sideCell = (paise: Paise): SheetCell => (paise > 0 ? { paise } : null)

async function* listRows({ parts, period, sums }: LedgerFile): AsyncGenerator<SheetRow[]> {
	const { cocd, opening, debit, credit } = sumLedgers(sums)
	const [first] = sums
	if (first) {
		const start = [
			{ day: period.from },
			openingNumber(first.cocd, period.from),
			VOUCHER_NAMES.OPENING,
			cocd ? SEGMENT_NAMES[cocd] : 'All',
			null,
			'Opening balance',
		]
		const balance = { paise: opening.credit - opening.debit }
		yield [{ cells: [...start, sideCell(opening.debit), sideCell(opening.credit), balance, null] }]
	}
	for await (const entries of readLedgerEntries(parts.books, period, sums)) {
		yield entries.map((entry) => ({
			cells: [
				{ day: entry.VOUCHER_DATE },
				entry.VOUCHER_NO,
				VOUCHER_NAMES[entry.VOUCHER_TYPE],
				SEGMENT_NAMES[entry.COCD],
				entry.SETL_NO,
				entry.NARRATION,
				sideCell(-entry.amount),
				sideCell(entry.amount),
				{ paise: entry.balance },
				entry.BILL_NO,
			],
		}))
	}
	const until = period.to < period.from ? period.from : period.to
	const end = ['Total', null, null, null, null, `${formatDay(period.from)} to ${formatDay(until)}, opening balance included`]
	yield [{ cells: [...end, { paise: debit }, { paise: credit }, { paise: credit - debit }, null], isBold: true }]
}

/** The ledger as a workbook. Amounts are numbers and days are dates. */
export function streamLedgerXlsx(file: LedgerFile): ReadableStream {
	const named = { heading: `Ledger (${nameLedgers(file)})`, period: showLedgerPeriod(file) }
	const title = buildWorkbookTitle(file.parts, file.client, named)
	const workbook = streamXlsx(
		[{ name: `Ledger ${file.year}-${file.year + 1}`, title: [...title, LEDGER_SIGNS], columns: COLUMNS, rows: listRows(file) }],
		file.madeAt,
	)
	return Readable.toWeb(workbook) as ReadableStream
}
