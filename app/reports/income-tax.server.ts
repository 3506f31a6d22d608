import { type z } from 'zod/v4'
import { type IncomeTax, type IncomeTaxRow, type Schedule112a, type TaxFacts } from '#contract/tax'
import { isRounded, unreadIn, withUnread } from '#contract/tolerant'
import { formatDay } from '#contract/values/dates'
import { type FinancialYear, findLastDay, startOfYear } from '#contract/values/financial-year'
import { formatAmount, formatGain, formatRupees, type Paise } from '#contract/values/money'
import { type Broker, orNone } from '~/broker/client.server'
import { today } from '~/broker/clock.server'
import { getIncomeTaxReport } from '~/broker/reports.server'
import { type ReadOptions } from '~/broker/requests.server'
import { formatTaxRate } from '~/lib/percent'
import { allowRounding } from '~/lib/rounding'
import { type KeyFigure, type Table } from '~/lib/table'
import { nameCode, orDash, sumOrNull } from '~/lib/unknown'
import { day, formatPrice, money, price, quantity, scrip, showGain, text } from './columns.server'
import { type Report } from './declaration'
import { buildSmallTable } from './report.server'

type Lot = z.output<typeof IncomeTaxRow>
type Head = TaxFacts['heads'][number]

const cost = money<Lot>('cost', 'Cost used', (row) => row.COST, { isSummed: true })

export const taxLots: Report<Lot> = {
	title: 'Income Tax',
	tiers: {
		keys: ['name', 'sold', 'gain'],
		// The gain is the sell amount less the expenses and the cost, so the three are shown together.
		tablet: ['sell-amount', 'expenses', 'cost'],
		laptop: ['head', 'quantity'],
	},
	strip: ['sell-amount', 'cost', 'expenses', 'gain'],
	words: (row) => `${nameHead(row)} ${row.SCRIP_NAME} ${row.ISIN ?? ''} ${orDash(row.BUY_DATE, formatDay)} ${formatDay(row.SELL_DATE)}`,
	columns: [
		text('head', 'Head', nameHead),
		{ ...scrip<Lot>(), below: nameHead },
		text('isin', 'ISIN', (row) => row.ISIN),
		quantity('quantity', 'Quantity', (row) => row.QTY),
		day('bought', 'Bought', (row) => row.BUY_DATE),
		money('buy-amount', 'Buy amount', (row) => row.BUY_AMT, { isSummed: true }),
		day('sold', 'Sold', (row) => row.SELL_DATE),
		money('sell-amount', 'Sell amount', (row) => row.SELL_AMT, { isSummed: true }),
		money('expenses', 'Expenses', (row) => row.EXPENSES, { isSummed: true }),
		{
			...cost,
			cell: (row) => {
				const note = row.FMV_31JAN2018 === null ? indexation(row) : grandfathering(row)
				return note === undefined ? cost.cell(row) : { text: orDash(row.COST, formatAmount), note }
			},
		},
		money('gain', 'Gain', (row) => row.GAIN, { isGain: true, isSummed: true }),
		quantity('days', 'Days', (row) => row.DAYS),
	],
}

const TERMS = { ST: 'Short-term', LT: 'Long-term', SPEC: 'Speculative', BUS: 'Future & Options' } as const

function nameHead({ TERM, SEGMENT }: Lot): string {
	return TERM === 'BUS' && SEGMENT === 'MCX' ? 'Commodity' : nameCode(TERMS, TERM)
}

/** Returns the note for units other than shares, held for 36 months and sold before 23-07-2024, the last day of indexation. */
function indexation({ TERM, BUY_AMT, COST, SELL_DATE }: Lot): string | undefined {
	if (TERM !== 'LT' || BUY_AMT === null || COST === null || COST <= BUY_AMT || SELL_DATE >= '2024-07-23') return undefined
	return `Raised by the cost inflation index: ${formatRupees(COST)} stands for the ${formatRupees(BUY_AMT)} that was paid.`
}

function grandfathering({ FMV_31JAN2018, BUY_AMT, COST }: Lot): string {
	const value = `Bought by 31/01/2018, when a unit was worth ₹ ${orDash(FMV_31JAN2018, formatPrice)}.`
	return COST === BUY_AMT
		? `${value} The price paid, ${orDash(BUY_AMT, formatRupees)}, stays the cost.`
		: `${value} The law lets ${orDash(COST, formatRupees)} stand for the ${orDash(BUY_AMT, formatRupees)} that was paid.`
}

const ACQUIRED = { ON_OR_BEFORE_31JAN2018: 'On or before 31st January 2018', AFTER_31JAN2018: 'After 31st January 2018' }
const TRANSFERRED = { BEFORE_23JUL2024: 'Before 23rd July 2024', ON_OR_AFTER_23JUL2024: 'On or after 23rd July 2024' }

/** Names a code as the return does. Another code stays as the broker wrote it, because a guess would go into the return. */
const nameReturn = (names: Readonly<Record<string, string>>, code: string) => code && nameCode(names, code)

/** The columns of Schedule 112A in the tax return, one line per sale. */
export const schedule112aReport: Report<Schedule112a[number]> = {
	title: 'Schedule 112A',
	words: (row) => `${row.SCRIP_NAME} ${row.ISIN}`,
	columns: [
		text('acquired', 'Share/Unit acquired', (row) => nameReturn(ACQUIRED, row.ACQUIRED)),
		text('transferred', 'Share/Unit transferred', (row) => nameReturn(TRANSFERRED, row.TRANSFERRED)),
		text('isin', 'ISIN Code', (row) => row.ISIN),
		text('name', 'Name of the Share/Unit', (row) => row.SCRIP_NAME),
		day('sold', 'Date of sale', (row) => row.SELL_DATE),
		quantity('quantity', 'No. of Shares/Units', (row) => row.QTY),
		price('rate', 'Sale-price per Share/Unit', (row) => row.SELL_RATE),
		money('value', 'Full Value of Consideration', (row) => row.FULL_VALUE),
		money('cost', 'Cost of acquisition without indexation', (row) => row.COST_WITHOUT_INDEXATION),
		money('paid', 'Cost of acquisition', (row) => row.COST_OF_ACQUISITION),
		money('lower', 'Lower of FMV and Full Value', (row) => row.LOWER_OF_FMV_AND_VALUE),
		price('fmv', 'Fair Market Value per share/unit as on 31st January 2018', (row) => row.FMV_PER_UNIT),
		money('total-fmv', 'Total Fair Market Value', (row) => row.TOTAL_FMV),
		money('expenses', 'Expenditure wholly and exclusively in connection with transfer', (row) => row.EXPENSES),
		money('deductions', 'Total deductions', (row) => row.TOTAL_DEDUCTIONS),
		money('balance', 'Balance', (row) => row.BALANCE),
	],
}

/** Advance tax is due in five windows. These names are used for a year for which the broker gives none. */
const WINDOWS = ['Up to 15/6', '16/6 to 15/9', '16/9 to 15/12', '16/12 to 15/3', '16/3 to 31/3']

/** Returns the tax report of a year. Undefined when the broker has none ("no data"): then no figure is known, not even a zero. */
export function readIncomeTax(broker: Broker, year: FinancialYear, options: ReadOptions = {}): Promise<IncomeTax | undefined> {
	return getIncomeTaxReport(broker, year, options).catch(orNone(undefined))
}

/** Returns the days, and the year and the law as the return names them: from 1 April 2026 a tax year of the Income-tax Act, 2025. */
export function tellYear(year: FinancialYear, facts: TaxFacts | undefined): string {
	const name = (start: number) => `${start}-${String(start + 1).slice(2)}`
	const law = year >= 2026 ? `Tax Year ${name(year)} · Income-tax Act, 2025` : `Assessment Year ${name(year + 1)} · Income-tax Act, 1961`
	const days = `${formatDay(startOfYear(year))} to ${formatDay(findLastDay(year, today()))}`
	return `${days} · ${facts ? `${facts.TAX_YEAR} · ${facts.ACT}` : law}`
}

const tellRate = ({ TAX_RATE }: Head) => formatTaxRate(TAX_RATE)

type StatedHead = [name: string, net: Paise | null]

/** Returns the heads of the broker's own summary. */
function listStatedHeads(tax: IncomeTax | undefined): StatedHead[] {
	if (!tax) return []
	const { summary } = tax
	return [
		['Short-term gains', summary.short_term],
		['Long-term gains', summary.long_term],
		['Speculative', summary.speculative],
		['Future & Options', summary.futures_options],
		['Commodity', summary.commodity],
		['Dividends', summary.dividend],
	]
}

/** Returns the sum of the broker's summary, for a page that knows no tax; none when a head is not known. */
export function listStatedNet(tax: IncomeTax | undefined): KeyFigure[] {
	const net = tax ? sumOrNull(listStatedHeads(tax).map(([, paise]) => paise)) : null
	return net === null ? [] : [{ label: 'Net of all heads', ...showGain(net), isMain: true }]
}

/** Returns the summary by head of income: with section, rate and set-off when the broker gives them, else the sums of its report. */
export function summaryTable(tax: IncomeTax | undefined, facts: TaxFacts | undefined, url: URL): Table {
	const order = { url, name: 'summary' }
	if (!facts) {
		const heads = listStatedHeads(tax)
		const isSummed = heads.every(([, net]) => net !== null)
		return buildSmallTable<StatedHead>(
			'Summary',
			[text('head', 'Head', ([name]) => name), money('net', 'Net', ([, net]) => net, { isGain: true, isSummed })],
			withUnread(heads, tax?.summary),
			{ order },
		)
	}
	return buildSmallTable<Head>(
		'Summary',
		[
			{ ...text<Head>('head', 'Head', (head) => head.NAME), below: tellRate },
			text('section', 'Section', (head) => head.SECTION),
			text('rate', 'Rate', tellRate),
			money('gains', 'Gains', (head) => head.GAINS, { isSummed: true }),
			money('losses', 'Losses', (head) => head.LOSSES, { isSummed: true }),
			money('net', 'Net', (head) => head.NET, { isGain: true, isSummed: true }),
			money('after', 'After set-off', (head) => head.AFTER_SET_OFF, { isSummed: true }),
		],
		facts.heads,
		{ order },
	)
}

/** Returns what the rows of the summary do not say: the part of Future & Options that P&L shows as Currency, and a tax without deduction. */
export function tellSummary(tax: IncomeTax | undefined): string {
	if (!tax) return ''
	const currency = tax.rows.filter(({ SEGMENT }) => SEGMENT === 'CD_NSE').map(({ GAIN }) => GAIN)
	const net = currency.length > 0 && !unreadIn(tax.rows) ? sumOrNull(currency) : null
	const notAllowed = tax.summary.charges_not_allowed
	return [
		...(net === null ? [] : [`Future & Options includes currency contracts closed in the year, ${formatGain(net)}.`]),
		...(notAllowed
			? [
					`Securities transaction tax (STT) on capital gains, ${formatRupees(notAllowed)}, cannot be deducted; on business income, transaction tax is an expense.`,
				]
			: []),
	].join(' ')
}

type Stated = 'short_term' | 'long_term' | 'speculative' | 'futures_options' | 'commodity'

/** The names of the same gain in the lots, in the heads and in the broker's summary. */
const GROUPS: readonly { name: string; heads: string; stated: Stated }[] = [
	{ name: 'Short-term', heads: 'SHORT_', stated: 'short_term' },
	{ name: 'Long-term', heads: 'LONG_', stated: 'long_term' },
	{ name: 'Speculative', heads: 'SPECULATIVE', stated: 'speculative' },
	{ name: 'Future & Options', heads: 'BUSINESS_FNO', stated: 'futures_options' },
	{ name: 'Commodity', heads: 'BUSINESS_COMMODITY', stated: 'commodity' },
]

/**
 * Returns the Net column of the summary, added up by kind of gain. Undefined when the summary has one row for each kind, because the
 * table then says the same.
 */
export function summaryStrip({ heads }: Pick<TaxFacts, 'heads'>): KeyFigure[] | undefined {
	const sums = new Map<string, Paise>()
	for (const { KEY, NAME, NET } of heads) {
		const { name } = GROUPS.find(({ heads }) => KEY.startsWith(heads)) ?? { name: NAME }
		sums.set(name, (sums.get(name) ?? 0) + NET)
	}
	if (sums.size === heads.length) return undefined
	const incomplete = unreadIn(heads) ? ' (incomplete)' : ''
	return [...sums].map(([label, net]) => ({ label: `${label}${incomplete}`, ...showGain(net) }))
}

/** `year`: the sum of a line whose windows are not known. */
type Line = { name: string; windows: readonly (Paise | null)[]; year?: Paise | null }

/**
 * Returns the table of five windows, as in the tax return, which accepts no negative figure. `isUndated`: the broker gives the dividends
 * of the year, and not their days.
 */
export function windowTable(tax: IncomeTax | undefined, facts: TaxFacts | undefined, year: FinancialYear): Table & { isUndated: boolean } {
	const quarters = tax && tax.quarters.length > 0 ? tax.quarters : undefined
	const labels = facts ? facts.windows.map(({ LABEL }) => LABEL) : (quarters?.map(({ label }) => label) ?? WINDOWS)
	const lines = facts ? listFactLines(facts) : tax ? listStatedLines(tax, year) : []
	const table = buildSmallTable<Line>(
		'Advance tax',
		[
			text('head', 'Head', ({ name }) => name),
			...labels.map((label, index) => money<Line>(`w${index + 1}`, label, ({ windows }) => windows[index] ?? null)),
			money('year', 'Year', ({ windows, year: stated }) => sumOrNull(windows) ?? stated ?? null),
		],
		withUnread(lines, facts ? facts.heads : tax?.quarters),
	)
	const isZero = (at: number) => lines[at]?.windows.every((paise) => paise === 0)
	const isUndated = lines.some(
		({ windows, year: stated }) => stated !== undefined && stated !== null && windows.every((paise) => paise === null),
	)
	return {
		...table,
		isUndated,
		rows: table.rows.map((row, at) => ({ ...row, kind: isZero(at) ? 'zero' : row.kind })),
	}
}

function listFactLines({ heads, dividends, windows }: TaxFacts): Line[] {
	const lines = heads.flatMap(({ NAME, TAX_RATE, windows: amounts }) =>
		amounts ? [{ name: TAX_RATE === 'slab' || TAX_RATE === '' ? NAME : `${NAME} (${TAX_RATE}\u00a0%)`, windows: amounts }] : [],
	)
	return [...lines, { name: 'Dividends', windows: dividends.windows ?? windows.map(() => null), year: dividends.TOTAL }]
}

/**
 * The lines of the broker's own report. The rates of a year; both pairs in the year in which they changed, on 23-07-2024. A figure at
 * another rate is shown if it is not 0. The report has the sum of dividends, and not their windows.
 */
function listStatedLines({ quarters, summary }: IncomeTax, year: FinancialYear): Line[] {
	const unknown = WINDOWS.map(() => null)
	const line = (name: string, key: Exclude<keyof IncomeTax['quarters'][number], 'label'>) => ({
		name,
		windows: quarters.length === 0 ? unknown : quarters.map(({ [key]: paise }) => (paise === null ? null : Math.max(0, paise))),
	})
	const atRate = (isInForce: boolean, shown: Line) => (isInForce || (quarters.length > 0 && shown.windows.some(Boolean)) ? [shown] : [])
	return [
		...atRate(year <= 2024, line('Short-term gains (15\u00a0%)', 'short_term_15')),
		...atRate(year >= 2024, line('Short-term gains (20\u00a0%)', 'short_term_20')),
		...atRate(year <= 2024, line('Long-term gains (10\u00a0%)', 'long_term_10')),
		...atRate(year >= 2024, line('Long-term gains (12.5\u00a0%)', 'long_term_12_5')),
		line('Speculative', 'speculative'),
		...(summary.dividend === 0 ? [] : [{ name: 'Dividends', windows: unknown, year: summary.dividend }]),
	]
}

/**
 * Returns the differences between lots, heads and the broker's summary as sentences. Does not compare figures that could not be read.
 */
export function listDifferences(tax: IncomeTax | undefined, facts: TaxFacts | undefined): string[] {
	if (!tax || unreadIn(tax.rows)) return []
	const { summary, rows } = tax
	const isFiner = isRounded(tax) || (facts !== undefined && isRounded(facts))
	/** `figures`: how many the two sums are made of, both included. */
	const isSame = (made: Paise, stated: Paise, figures: number) => Math.abs(made - stated) <= (isFiner ? allowRounding(figures) : 0)
	const ofLots = (name: string) => sumOrNull(rows.filter((row) => nameHead(row) === name).map(({ GAIN }) => GAIN))
	const known = facts && !unreadIn(facts.heads) ? facts.heads : undefined
	const ofHeads = (start: string) => known && sum(known.filter(({ KEY }) => KEY.startsWith(start)).map(({ NET }) => NET))
	return GROUPS.flatMap((group) => {
		const [stated, lots, heads] = [summary[group.stated], ofLots(group.name), ofHeads(group.heads)]
		if (lots === null || stated === null) return []
		const figures = Math.max(rows.length, known?.length ?? 0) + 1
		if (isSame(lots, stated, figures) && (heads === undefined || isSame(heads, stated, figures))) return []
		return [
			`${group.name}: the lots make ${formatRupees(lots)}${heads === undefined ? '' : `, the heads ${formatRupees(heads)}`}, the broker states ${formatRupees(stated)}.`,
		]
	})
}

function sum(amounts: readonly Paise[]): Paise {
	return amounts.reduce((total, amount) => total + amount, 0)
}
