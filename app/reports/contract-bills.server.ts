import { formatDay } from '#contract/values/dates'
import { findFinancialYear, formatYear, parseYear } from '#contract/values/financial-year'
import { formatBalance, formatRupees } from '#contract/values/money'
import { SEGMENTS } from '#contract/values/segments'
import { now } from '~/broker/clock.server'
import { type ContractBill as Row, listContractBills } from '~/broker/reports.server'
import { type KeyFigure } from '~/lib/table'
import { DASH, nameCode, orDash } from '~/lib/unknown'
import { addMark, findBillPage } from './addresses.server'
import { day, money, sumKnown, text } from './columns.server'
import { type Column } from './declaration'
import { defineStatement, type Definition } from './statement.server'

const DOCUMENTS = { 'CONTRACT NOTE': 'Contract note', BILL: 'Bill' } as const

const nameDocument = ({ DOC_TYPE }: Row) => nameCode(DOCUMENTS, DOC_TYPE)

const tellKind = (row: Row) => `${nameDocument(row)} · ${nameCode(SEGMENTS, row.COCD)}`

export const addressOfFile = ({ BILL_NO, mark }: Row) => addMark(`/downloads/contract/${encodeURIComponent(BILL_NO)}`, mark)

/** Returns the sum of the bills that the broker owes to the client (1), or the client to the broker (-1). */
function sumSide(label: string, rows: readonly Row[], side: 1 | -1): KeyFigure {
	const sum = sumKnown(rows.map(({ BILL_AMT }) => (BILL_AMT === null ? null : Math.max(0, side * BILL_AMT))))
	return { label, text: orDash(sum, formatRupees) }
}

const download: Column<Row> = {
	key: 'download',
	label: 'Download',
	align: 'right',
	cell: (row) =>
		row.file_path === null || !findBillPage(row.BILL_NO)
			? DASH
			: { text: 'Download', href: addressOfFile(row), download: { type: 'CONTRACT', flag: row.BILL_NO } },
	plain: (row) => (row.file_path === null ? '' : addressOfFile(row)),
}

/** Contract notes and bills of a period. The broker's path of a file never leaves the server: the address has the number of the bill. */
export const billsReport: Definition<Row> = {
	name: 'contractnbill',
	filters: ['dates', 'segment'],
	isByDay: true,
	words: (row) => `${row.BILL_NO} ${row.SETL_NO ?? ''} ${nameCode(SEGMENTS, row.COCD)} ${nameDocument(row)} ${formatDay(row.BILL_DATE)}`,
	rows: listContractBills,
	tiers: { keys: ['date', 'bill', 'amount', 'download'], tablet: ['segment', 'document'] },
	lead(rows) {
		const sum = sumKnown(rows.map(({ BILL_AMT }) => BILL_AMT))
		if (!sum) return { label: 'Net of bills', text: orDash(sum, formatRupees) }
		return { label: sum > 0 ? 'Net credit' : 'Net debit', text: formatRupees(Math.abs(sum)) }
	},
	strip: [],
	figures: (rows) => [sumSide('Credited', rows, 1), sumSide('Debited', rows, -1)],
	latest: (row) => ({
		what: { text: row.BILL_NO, href: findBillPage(row.BILL_NO, row.mark), phoneNote: tellKind(row) },
		amount: orDash(row.BILL_AMT, formatBalance),
		file: download.cell(row),
	}),
	mattersMore: ({ DOC_TYPE }) => DOC_TYPE === 'CONTRACT NOTE',
	columns: [
		{ ...day<Row>('date', 'Date', (row) => row.BILL_DATE), below: tellKind },
		text(
			'bill',
			'Bill',
			(row) => row.BILL_NO,
			(row) => findBillPage(row.BILL_NO, row.mark),
		),
		text('settlement', 'Settlement', (row) => row.SETL_NO),
		text('segment', 'Segment', (row) => nameCode(SEGMENTS, row.COCD)),
		text('document', 'Document', nameDocument),
		money('amount', 'Amount', (row) => row.BILL_AMT, { hasSide: true, isSummed: true }),
		download,
	],
	// The year of the days shown, which the chosen year may not have.
	files({ to }) {
		const year = formatYear(findFinancialYear(to))
		return parseYear(year, now()) === undefined
			? []
			: [{ label: `ZIP of ${year}`, href: `/downloads/year-pack?year=${year}`, type: 'YEAR PACK', flag: year }]
	},
	empty: ({ from, to }) => `No contract note or bill between ${formatDay(from)} and ${formatDay(to)}.`,
}

export const contractBillsStatement = defineStatement(billsReport)
