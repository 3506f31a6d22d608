import { type z } from 'zod/v4'
import { type ContractBillRow } from '~/broker/contract/bills'
import { listContractBills } from '~/broker/reports.server'
import { formatDay } from '~/lib/days'
import { day, money, text } from './columns.server'
import { defineStatement, SEGMENTS } from './statement.server'

type Row = z.output<typeof ContractBillRow>

const DOCUMENTS: Record<Row['DOC_TYPE'], string> = { 'CONTRACT NOTE': 'Contract note', BILL: 'Bill' }

/** Contract notes and bills of a period. The broker's path of a file never leaves the server: the bill's own number is in the address. */
export const contractBills = defineStatement<Row>({
	name: 'contractnbill',
	title: 'Contract/Bill',
	filters: ['dates', 'segment'],
	words: (row) => `${row.BILL_NO} ${row.SETL_NO} ${SEGMENTS[row.COCD]} ${formatDay(row.BILL_DATE)}`,
	rows: listContractBills,
	columns: [
		day('date', 'Date', (row) => row.BILL_DATE),
		text(
			'bill',
			'Bill',
			(row) => row.BILL_NO,
			(row) => `/reports/contractnbill/${row.BILL_NO}`,
		),
		text('settlement', 'Settlement', (row) => row.SETL_NO),
		text('segment', 'Segment', (row) => SEGMENTS[row.COCD]),
		text('document', 'Document', (row) => DOCUMENTS[row.DOC_TYPE]),
		money('amount', 'Amount', (row) => row.BILL_AMT, { isSigned: true, isSummed: true }),
		{
			key: 'download',
			label: 'Download',
			cell: (row) => ({ text: 'Download', href: `/downloads/contract/${row.BILL_NO}`, download: { type: 'CONTRACT', flag: row.BILL_NO } }),
			plain: (row) => `/downloads/contract/${row.BILL_NO}`,
		},
	],
	empty: ({ from, to }) => `No contract note between ${formatDay(from)} and ${formatDay(to)}.`,
})
