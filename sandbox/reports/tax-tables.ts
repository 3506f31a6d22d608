import { DIVIDEND_KINDS, LOT_ORIGINS } from '#contract/values/code-names'
import { type Day } from '#contract/values/dates'
import { SEGMENTS } from '#contract/values/segments'
import { type SheetCell, type SheetRow, type SheetTable } from '#documents/table'
import { findIsin, toPrice, computeRate, countUnits } from '#sandbox/book/read-scrips'
import { type ScripCharges } from '#sandbox/book/read-trades'
import { findTermOfSale } from '#sandbox/rules/capital-gains'
import { nameDeductionSection } from '#sandbox/rules/dividend-tax'
import { listTaxWindows, nameTaxYear, windowAt } from '#sandbox/rules/tax-heads'
import { headNames } from '#sandbox/rules/tax-year'
import { sumBy } from './grouped'
import { type Held } from './holding-rows'
import { shareLotValues } from './lot-rows'
import { chargesTable, figureColumn, moneyCell, priceCell, quantityCell, wordsColumn } from './tables'
import { nameLine, type TaxLine } from './tax-lines'
import { listTurnover, setOffRows, type TaxBook, TURNOVER_METHOD } from './tax-rows'

const lineColumns = [
	wordsColumn('Head', 34),
	wordsColumn('Name', 34),
	wordsColumn('ISIN', 15),
	figureColumn('Quantity', 11),
	wordsColumn('Bought', 12),
	figureColumn('Buy rate', 12),
	figureColumn('Buy amount', 16),
	wordsColumn('Sold', 12),
	figureColumn('Sell rate', 12),
	figureColumn('Sell amount', 16),
	figureColumn('Expenses', 13),
	figureColumn('FMV 31-01-2018', 13),
	figureColumn('Cost used', 16),
	figureColumn('Gain', 16),
	figureColumn('Days', 8),
]

function lineRow(line: TaxLine): SheetRow {
	const { part } = line
	const units = countUnits(part, part.quantity)
	const bought: SheetCell[] = [{ day: line.bought }, priceCell(computeRate(line.buyAmount, units)), moneyCell(line.buyAmount)]
	const sold: SheetCell[] = [{ day: line.sold }, priceCell(computeRate(line.sellAmount, units)), moneyCell(line.sellAmount)]
	const fmv = line.fmv === null ? null : priceCell(toPrice(line.fmv))
	const result = [moneyCell(line.expenses), fmv, moneyCell(line.cost), moneyCell(line.gain), quantityCell(line.days)]
	return { cells: [headNames[line.head], nameLine(line), findIsin(part), quantityCell(units), ...bought, ...sold, ...result] }
}

function linesTable(name: string, lines: readonly TaxLine[]): SheetTable {
	const total = (of: (line: TaxLine) => number) => moneyCell(sumBy(lines, of))
	const sums = [null, total((line) => line.expenses), null, total((line) => line.cost), total((line) => line.gain), null]
	const bought = [null, null, total((line) => line.buyAmount), null, null, total((line) => line.sellAmount)]
	const foot: SheetRow = { cells: ['Total', null, null, null, ...bought, ...sums.slice(1)], isBold: true }
	return { name, columns: lineColumns, rows: lines.length === 0 ? [] : [...lines.map(lineRow), foot] }
}

/** Business trades, with the turnover of their kinds below: the page's figures, and how they are computed. */
function businessTable(name: string, lines: readonly TaxLine[], all: readonly TaxLine[]): SheetTable {
	const table = linesTable(name, lines)
	if (lines.length === 0) return table
	const width = lineColumns.findIndex(({ head }) => head === 'Gain') + 1
	const figureRow = (label: string, paise: number): SheetRow => ({
		cells: [label, ...Array.from({ length: width - 2 }, () => null), moneyCell(paise)],
	})
	const own = listTurnover(lines)
	const every = listTurnover(all)
	const rows = own.map(({ kind, amount, trades }) =>
		figureRow(`Turnover, ${kind === 'INTRADAY' ? 'Intraday' : SEGMENTS[kind]} (${trades} ${trades === 1 ? 'trade' : 'trades'})`, amount),
	)
	const total = figureRow(
		'Turnover, all kinds',
		sumBy(every, ({ amount }) => amount),
	)
	return { ...table, rows: [...table.rows, ...rows, ...(every.length > 1 ? [total] : []), { cells: [TURNOVER_METHOD] }] }
}

function summaryTable({ sums, year, dividends }: TaxBook): SheetTable {
	const { act, taxYear } = nameTaxYear(year)
	const rows = sums.heads.map((head): SheetRow => {
		const figures = [head.gains, head.losses, head.gains - head.losses, head.afterSetOff].map(moneyCell)
		return { cells: [head.name, head.section, head.rate === 'slab' ? 'Your slab' : `${head.rate} %`, ...figures] }
	})
	const { exemption, estimatedTax } = sums
	const total = (of: (head: (typeof sums.heads)[number]) => number) => moneyCell(sumBy(sums.heads, of))
	const totals = [total(({ gains }) => gains), total(({ losses }) => losses), total(({ gains, losses }) => gains - losses)]
	const more: SheetRow[] = [
		{ cells: ['Total', null, null, ...totals, total(({ afterSetOff }) => afterSetOff)], isBold: true },
		{ cells: ['Tax'], isBold: true },
		{ cells: ['Exempt long-term gain used', null, null, null, null, null, moneyCell(exemption.used)] },
		{
			cells: [
				`Tax deducted at source on dividends (${nameDeductionSection(year)})`,
				...[null, null, null, null, null],
				moneyCell(sumBy(dividends, ({ tds }) => tds)),
			],
		},
		{ cells: ['Estimated tax on capital gains, 4 % cess included', null, null, null, null, null, moneyCell(estimatedTax)] },
		{ cells: [`${taxYear}, ${act}. An estimate and no tax advice: compare it with your AIS.`] },
	]
	return {
		name: 'Summary',
		columns: [
			wordsColumn('Head', 50),
			wordsColumn('Section', 16),
			wordsColumn('Rate', 9),
			...['Gains', 'Losses', 'Net', 'After set-off'].map((head) => figureColumn(head, 18)),
		],
		rows: [...rows, ...more],
	}
}

/** Two tables: set-off step by step, and the losses that later years may use. Each has a total below. */
function setOffTables(book: TaxBook): SheetTable[] {
	const { steps, losses } = setOffRows(book)
	const footed = (rows: SheetRow[], total: SheetRow): SheetRow[] => (rows.length === 0 ? [] : [...rows, total])
	const year = { head: 'Loss of', width: 12 }
	return [
		{
			name: 'Set-off of losses',
			columns: [wordsColumn('Loss', 30), year, wordsColumn('Set off against', 50), wordsColumn('Section', 16), figureColumn('Amount', 18)],
			rows: footed(
				steps.map(({ loss, lossYear, against, section, amount }) => ({ cells: [loss, lossYear, against, section, moneyCell(amount)] })),
				{ cells: ['Total', null, null, null, moneyCell(sumBy(steps, ({ amount }) => amount))], isBold: true },
			),
		},
		{
			name: 'Losses carried forward',
			columns: [wordsColumn('Loss', 30), year, wordsColumn('May be used until', 20), figureColumn('Amount', 18)],
			rows: footed(
				losses.map(({ name, lossYear, lastYear, amount }) => ({ cells: [name, lossYear, lastYear, moneyCell(amount)] })),
				{ cells: ['Total', null, null, moneyCell(sumBy(losses, ({ amount }) => amount))], isBold: true },
			),
		},
	]
}

function windowsTable({ sums, dividends, year }: TaxBook): SheetTable {
	const windows = listTaxWindows(year)
	const rows = sums.heads
		.filter(({ key }) => !key.startsWith('BUSINESS'))
		.map(({ name, rate, windows: own, afterSetOff }): SheetRow => ({
			cells: [rate === 'slab' ? name : `${name}, ${rate} %`, ...own.map(moneyCell), moneyCell(afterSetOff)],
		}))
	const paid = windows.map((_, at) =>
		sumBy(
			dividends.filter(({ day }) => windowAt(day) === at),
			({ amount }) => amount,
		),
	)
	return {
		name: 'Advance tax',
		columns: [wordsColumn('Head', 50), ...windows.map(({ label }) => figureColumn(label, 18)), figureColumn('Total', 18)],
		rows: [...rows, { cells: ['Dividends', ...paid.map(moneyCell), moneyCell(sumBy(paid, (amount) => amount))] }],
	}
}

function dividendTable({ dividends }: TaxBook): SheetTable {
	const amounts = (amount: number, tds: number) => [amount, tds, amount - tds].map(moneyCell)
	const rows = dividends.map(({ day, name, instrument, quantity: units, amount, tds, isBuyback }): SheetRow => ({
		cells: [{ day }, name, instrument, DIVIDEND_KINDS[isBuyback ? 'BUYBACK' : 'DIVIDEND'], quantityCell(units), ...amounts(amount, tds)],
	}))
	const [paid, deducted] = [sumBy(dividends, ({ amount }) => amount), sumBy(dividends, ({ tds }) => tds)]
	const foot: SheetRow = { cells: ['Total', null, null, null, null, ...amounts(paid, deducted)], isBold: true }
	return {
		name: 'Dividends',
		columns: [
			wordsColumn('Ex-date', 12),
			wordsColumn('Name', 40),
			wordsColumn('ISIN', 16),
			wordsColumn('Kind', 26),
			...['Quantity', 'Amount', 'TDS', 'Paid to the bank'].map((head) => figureColumn(head, 16)),
		],
		rows: dividends.length === 0 ? [] : [...rows, foot],
	}
}

/** The lots that are left at the end of `day`, with their gain at its price and the term of a sale on that day. */
function openTable(held: readonly Held[], day: Day): SheetTable {
	const rows = held.flatMap((each) => {
		const { scrip, lots } = each
		const values = shareLotValues(each)
		return lots.map((lot, at): SheetRow => {
			const { acquiredOn, origin, quantity: units, cost, expenses } = lot
			const paid = cost === null ? 'Cost not known' : moneyCell(cost)
			const unrealised = cost === null ? null : moneyCell((values[at] ?? 0) - cost)
			const bought = [{ day: acquiredOn }, LOT_ORIGINS[origin], quantityCell(units), paid, moneyCell(expenses)]
			const term = findTermOfSale(scrip.kind, acquiredOn, day) === 'LONG' ? 'Long term' : 'Short term'
			return { cells: [scrip.name, scrip.instrument, ...bought, priceCell(toPrice(scrip.close)), unrealised, term] }
		})
	})
	const figures = ['Quantity', 'Cost', 'Charges', 'Price', 'Unrealised'].map((head) => figureColumn(head, 16))
	const words = [wordsColumn('Name', 40), wordsColumn('ISIN', 16), wordsColumn('Acquired', 12), wordsColumn('Origin', 16)]
	return { name: 'Open lots', empty: 'Nothing is held.', columns: [...words, ...figures, wordsColumn('Term', 14)], rows }
}

/** The accountant's workbook: summary, windows, set-off, each kind of gain, dividends, charges, sales without cost, lots open at the end of `day`. */
export function taxTables(book: TaxBook, charges: readonly ScripCharges[], held: readonly Held[], day: Day): SheetTable[] {
	const of = (...heads: TaxLine['head'][]) => book.lines.filter(({ head }) => heads.includes(head))
	const unmatched = book.unmatched.map((part): SheetRow => ({
		cells: [{ day: part.day }, part.name, findIsin(part), quantityCell(countUnits(part, part.quantity)), moneyCell(part.proceeds)],
	}))
	return [
		summaryTable(book),
		windowsTable(book),
		...setOffTables(book),
		linesTable('Short term', of('SHORT_EQUITY', 'SHORT_OTHER')),
		linesTable('Long term', of('LONG_EQUITY', 'LONG_OTHER')),
		businessTable('Intraday', of('SPECULATIVE'), book.lines),
		businessTable('F&O and commodity', of('BUSINESS_FNO', 'BUSINESS_COMMODITY'), book.lines),
		dividendTable(book),
		chargesTable(charges),
		{
			name: 'Sales without cost',
			columns: [
				wordsColumn('Sold', 12),
				wordsColumn('Name', 40),
				wordsColumn('ISIN', 16),
				figureColumn('Quantity', 12),
				figureColumn('Sell amount', 16),
			],
			empty: 'The cost of each sale is known.',
			rows: unmatched,
		},
		openTable(held, day),
	]
}
