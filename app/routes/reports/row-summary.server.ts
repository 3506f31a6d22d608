import { withUnread } from '#contract/tolerant'
import {
	type FinancialYear,
	currentYear,
	findFinancialYear,
	findLastDay,
	selectableYears,
	startOfYear,
} from '#contract/values/financial-year'
import { type Broker } from '~/broker/client.server'
import { now, today } from '~/broker/clock.server'
import { listContractBills } from '~/broker/reports.server'
import { type FigureRow } from '~/components/card'
import { DASH } from '~/lib/unknown'
import { addressOfFile, billsReport } from '~/reports/contract-bills.server'
import { holdingReport } from '~/reports/holding.server'
import { type Column, type Report } from '~/reports/declaration'

/* Pages for one holding or bill at a broker that has only its row: they show the row with all its columns. */

/** Returns the column `main` and, below it, the other columns of the row. */
function summarize<Row>({ columns }: Pick<Report<Row>, 'columns'>, row: Row, main: string) {
	const show = ({ label, unit, cell }: Column<Row>): FigureRow => {
		const shown = cell(row)
		const { text, tone } = typeof shown === 'string' ? { text: shown, tone: undefined } : shown
		return { label, figure: unit && text !== DASH ? text.replace(/^([+−]?)/, `$1${unit} `) : text, tone }
	}
	const lead = columns.find(({ key }) => key === main)
	return {
		main: lead ? show(lead) : { label: '', figure: DASH },
		rows: columns.filter(({ key }) => key !== main && key !== 'download').map(show),
	}
}

/**
 * Returns a holding at the end of that year, or else the holding now; without a summary when it is in neither. `sought` has the unreadable
 * parts of both lists.
 */
export async function describeHolding(broker: Broker, isin: string, year: FinancialYear) {
	const lists: object[] = []
	for (const each of new Set([year, currentYear(now())])) {
		const period = { year: each, from: startOfYear(each), to: findLastDay(each, today()) }
		const rows = await holdingReport.rows(broker, period, { hardRefresh: false })
		const row = rows.find(({ ISIN }) => ISIN === isin)
		if (row) return { title: row.SYMBOL || isin, note: holdingReport.when?.(period), summary: summarize(holdingReport, row, 'value') }
		lists.push(rows)
	}
	return { title: isin, note: undefined, summary: null, sought: withUnread({}, ...lists) }
}

/** The message about a bill that is in no list, when the broker gave none. */
export const NO_BILL = 'There is no such bill.'

/** Which of several bills with one number the address means (app/reports/addresses.server.ts). */
export const readMark = (request: Request) => new URL(request.url).searchParams.get('mark')

/** The broker's note of such a bill, for which it is asked by the number alone. */
export const NO_NOTE = Promise.resolve(undefined)

/**
 * Returns the row of a contract note or bill in the list of all selectable years. `bills` is that list. A broker may count its bills
 * from 1 in each year: then it is the one of the chosen year, or the one with the mark.
 */
export async function findBill(broker: Broker, bill: string, year: FinancialYear, mark: string | null) {
	const bills = await listContractBills(broker, { from: startOfYear(selectableYears(now()).at(-1) ?? 0), to: today() })
	const named = bills.filter(({ BILL_NO }) => BILL_NO === bill)
	const ofYear = named.find(({ BILL_DATE }) => findFinancialYear(BILL_DATE) === year)
	return { bills, row: named.find((row) => row.mark === mark) ?? ofYear ?? named[0] }
}

/** Returns a contract note or bill as its row in the list. `bills` is that list. */
export async function describeBill(broker: Broker, bill: string, year: FinancialYear, mark: string | null) {
	const { bills, row } = await findBill(broker, bill, year, mark)
	if (!row) return { bills, found: undefined }
	const title = row.DOC_TYPE === 'CONTRACT NOTE' ? `Contract note of bill ${bill}` : `Bill ${bill}`
	return {
		bills,
		found: { title, bill, file: row.file_path === null ? undefined : addressOfFile(row), summary: summarize(billsReport, row, 'amount') },
	}
}
