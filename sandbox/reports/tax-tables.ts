import { LOT_ORIGINS } from '#contract/values/code-names'
import { findIsin, toPrice, computeRate, countUnits } from '#sandbox/book/read-scrips'
import { type ScripCharges } from '#sandbox/book/read-trades'
import { type Cell, type Row, type Table } from '#sandbox/files/table'
import { nameDeductionSection } from '#sandbox/rules/dividend-tax'
import { listTaxWindows, nameTaxYear, windowAt } from '#sandbox/rules/tax-heads'
import { headNames } from '#sandbox/rules/tax-year'
import { sumBy } from './grouped'
import { type Held } from './holding-rows'
import { chargesTable, figure, money, price, quantity, words } from './tables'
import { type TaxLine } from './tax-lines'
import { setOffRows, type TaxBook, TURNOVER_METHOD } from './tax-rows'

const lineColumns = [
	words('Head', 34),
	words('Name', 34),
	words('ISIN', 15),
	figure('Quantity', 11),
	words('Bought', 12),
	figure('Buy rate', 12),
	figure('Buy amount', 16),
	words('Sold', 12),
	figure('Sell rate', 12),
	figure('Sell amount', 16),
	figure('Expenses', 13),
	figure('FMV 31-01-2018', 13),
	figure('Cost used', 16),
	figure('Gain', 16),
	figure('Days', 8),
]

function lineRow(line: TaxLine): Row {
	const { part } = line
	const units = countUnits(part, part.quantity)
	const bought: Cell[] = [{ day: line.bought }, price(computeRate(line.buyAmount, units)), money(line.buyAmount)]
	const sold: Cell[] = [{ day: line.sold }, price(computeRate(line.sellAmount, units)), money(line.sellAmount)]
	const fmv = line.fmv === null ? null : price(toPrice(line.fmv))
	const result = [money(line.expenses), fmv, money(line.cost), money(line.gain), quantity(line.days)]
	return { cells: [headNames[line.head], part.name, findIsin(part), quantity(units), ...bought, ...sold, ...result] }
}

function linesTable(name: string, lines: readonly TaxLine[]): Table {
	const total = (of: (line: TaxLine) => number) => money(sumBy(lines, of))
	const sums = [null, total((line) => line.expenses), null, total((line) => line.cost), total((line) => line.gain), null]
	const bought = [null, null, total((line) => line.buyAmount), null, null, total((line) => line.sellAmount)]
	const foot: Row = { cells: ['Total', null, null, null, ...bought, ...sums.slice(1)], isBold: true }
	return { name, columns: lineColumns, rows: lines.length === 0 ? [] : [...lines.map(lineRow), foot] }
}

function summaryTable({ sums, year, dividends }: TaxBook): Table {
	const { act, taxYear } = nameTaxYear(year)
	const rows = sums.heads.map((head): Row => {
		const figures = [head.gains, head.losses, head.gains - head.losses, head.afterSetOff].map(money)
		return { cells: [head.name, head.section, head.rate === 'slab' ? 'slab' : `${head.rate} %`, ...figures] }
	})
	const { exemption, estimatedTax } = sums
	const more: Row[] = [
		{ cells: ['Exempt long-term gain used', null, null, null, null, null, money(exemption.used)] },
		{
			cells: [
				`Tax deducted at source on dividends (${nameDeductionSection(year)})`,
				...[null, null, null, null, null],
				money(sumBy(dividends, ({ tds }) => tds)),
			],
		},
		{ cells: ['Estimated tax on capital gains, 4 % cess included', null, null, null, null, null, money(estimatedTax)] },
		{ cells: [`${taxYear}, ${act}. An estimate and no tax advice: compare it with your AIS.`] },
	]
	return {
		name: 'Summary',
		columns: [
			words('Head', 50),
			words('Section', 16),
			words('Rate', 9),
			...['Gains', 'Losses', 'Net', 'After set-off'].map((head) => figure(head, 18)),
		],
		rows: [...rows, ...more],
	}
}

/** Set-off step by step, then what later years may use; a total below each. */
function setOffTables(book: TaxBook): Table[] {
	const { steps, losses } = setOffRows(book)
	const footed = (rows: Row[], total: Row): Row[] => (rows.length === 0 ? [] : [...rows, total])
	const year = { head: 'Loss of', width: 12 }
	return [
		{
			name: 'Set-off of losses',
			columns: [words('Loss', 30), year, words('Set off against', 50), words('Section', 16), figure('Amount', 18)],
			rows: footed(
				steps.map(({ loss, lossYear, against, section, amount }) => ({ cells: [loss, lossYear, against, section, money(amount)] })),
				{ cells: ['Total', null, null, null, money(sumBy(steps, ({ amount }) => amount))], isBold: true },
			),
		},
		{
			name: 'Losses carried forward',
			columns: [words('Loss', 30), year, words('May be used until', 20), figure('Amount', 18)],
			rows: footed(
				losses.map(({ name, lossYear, lastYear, amount }) => ({ cells: [name, lossYear, lastYear, money(amount)] })),
				{ cells: ['Total', null, null, money(sumBy(losses, ({ amount }) => amount))], isBold: true },
			),
		},
	]
}

function windowsTable({ sums, dividends, year }: TaxBook): Table {
	const windows = listTaxWindows(year)
	const rows = sums.heads
		.filter(({ key }) => !key.startsWith('BUSINESS'))
		.map(({ name, rate, windows: own, afterSetOff }): Row => ({
			cells: [rate === 'slab' ? name : `${name}, ${rate} %`, ...own.map(money), money(afterSetOff)],
		}))
	const paid = windows.map((_, at) =>
		sumBy(
			dividends.filter(({ day }) => windowAt(day) === at),
			({ amount }) => amount,
		),
	)
	return {
		name: 'Advance tax',
		columns: [words('Head', 50), ...windows.map(({ label }) => figure(label, 18)), figure('Total', 18)],
		rows: [...rows, { cells: ['Dividends', ...paid.map(money), money(sumBy(paid, (amount) => amount))] }],
	}
}

function dividendTable({ dividends }: TaxBook): Table {
	const amounts = (amount: number, tds: number) => [amount, tds, amount - tds].map(money)
	const rows = dividends.map(({ day, name, instrument, quantity: units, amount, tds, isBuyback }): Row => ({
		cells: [{ day }, name, instrument, isBuyback ? 'Buyback taxed as dividend' : 'Dividend', quantity(units), ...amounts(amount, tds)],
	}))
	const [paid, deducted] = [sumBy(dividends, ({ amount }) => amount), sumBy(dividends, ({ tds }) => tds)]
	const foot: Row = { cells: ['Total', null, null, null, null, ...amounts(paid, deducted)], isBold: true }
	return {
		name: 'Dividends',
		columns: [
			words('Ex-date', 12),
			words('Name', 40),
			words('ISIN', 16),
			words('Kind', 26),
			...['Quantity', 'Amount', 'TDS', 'Paid to the bank'].map((head) => figure(head, 16)),
		],
		rows: dividends.length === 0 ? [] : [...rows, foot],
	}
}

function openTable(held: readonly Held[]): Table {
	const rows = held.flatMap(({ scrip, lots }) =>
		lots.map(({ acquiredOn, origin, quantity: units, cost, expenses }): Row => ({
			cells: [
				scrip.name,
				scrip.instrument,
				{ day: acquiredOn },
				LOT_ORIGINS[origin],
				quantity(units),
				cost === null ? 'Cost not known' : money(cost),
				money(expenses),
				price(toPrice(scrip.close)),
			],
		})),
	)
	const figures = ['Quantity', 'Cost', 'Charges', 'Price'].map((head) => figure(head, 16))
	return {
		name: 'Open lots',
		columns: [words('Name', 40), words('ISIN', 16), words('Acquired', 12), words('Origin', 16), ...figures],
		rows,
	}
}

/** The accountant's workbook: summary, windows, set-off, each kind of gain, dividends, charges, sales without cost, open lots. */
export function taxTables(book: TaxBook, charges: readonly ScripCharges[], held: readonly Held[]): Table[] {
	const of = (...heads: TaxLine['head'][]) => book.lines.filter(({ head }) => heads.includes(head))
	const unmatched = book.unmatched.map((part): Row => ({
		cells: [{ day: part.day }, part.name, findIsin(part), quantity(countUnits(part, part.quantity)), money(part.proceeds)],
	}))
	const business = linesTable('F&O and commodity', of('BUSINESS_FNO', 'BUSINESS_COMMODITY'))
	return [
		summaryTable(book),
		windowsTable(book),
		...setOffTables(book),
		linesTable('Short term', of('SHORT_EQUITY', 'SHORT_OTHER')),
		linesTable('Long term', of('LONG_EQUITY', 'LONG_OTHER')),
		linesTable('Intraday', of('SPECULATIVE')),
		{ ...business, rows: [...business.rows, { cells: [TURNOVER_METHOD] }] },
		dividendTable(book),
		chargesTable(charges),
		{
			name: 'Sales without cost',
			columns: [words('Sold', 12), words('Name', 40), words('ISIN', 16), figure('Quantity', 12), figure('Sell amount', 16)],
			rows: unmatched,
		},
		openTable(held),
	]
}
