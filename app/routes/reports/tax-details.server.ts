import { type TaxFacts } from '#contract/tax'
import { unreadIn } from '#contract/tolerant'
import { formatRupees, type Paise } from '#contract/values/money'
import { type KeyFigure } from '~/lib/table'
import { nameCode, sumOrNull } from '~/lib/unknown'
import { day, money, quantity, text } from '~/reports/columns.server'
import { dividendReport } from '~/reports/dividends.server'
import { buildSmallTable } from '~/reports/report.server'
import { explainEstimate } from '~/reports/tax-estimate.server'
import { fitColumns } from '~/reports/tiers.server'

const TURNOVER_NAMES = { INTRADAY: 'Intraday', NSE_FNO: 'Future & Options', CD_NSE: 'Currency', MCX: 'Commodity' } as const

/** A phone shows below the name of a loss its year, and the gain that it is set off against. */
const setOffTable = (rows: NonNullable<TaxFacts['set_off']>, year: string, url: URL) =>
	buildSmallTable<(typeof rows)[number]>(
		'Set-off of losses',
		[
			{
				...text<(typeof rows)[number]>('loss', 'Loss', (row) => row.LOSS),
				below: (row) => [row.LOSS_YEAR, row.AGAINST?.replace(' %', '\u00a0%')].filter(Boolean).join(' → ') || undefined,
			},
			text('of', 'Loss of', (row) => row.LOSS_YEAR),
			text('against', 'Set off against', (row) => row.AGAINST),
			text('section', 'Section', (row) => row.SECTION),
			money('amount', 'Amount', (row) => row.AMOUNT, { isSummed: true }),
		],
		rows,
		{
			order: { url, name: 'set-off' },
			subtotals: [
				{ label: `Of ${year}`, of: (row) => row.LOSS_YEAR === year },
				{ label: 'Of earlier years', of: (row) => row.LOSS_YEAR !== null && row.LOSS_YEAR < year },
			],
		},
	)

const lossTable = (rows: NonNullable<TaxFacts['losses']>, url: URL) =>
	buildSmallTable<(typeof rows)[number]>(
		'Losses carried forward',
		[
			text('loss', 'Loss', (row) => row.NAME),
			text('of', 'Loss of', (row) => row.LOSS_YEAR),
			text('until', 'May be used until', (row) => row.LAST_YEAR),
			money('amount', 'Amount', (row) => row.AMOUNT, { isSummed: true }),
		],
		rows,
		{ order: { url, name: 'losses' } },
	)

function dividendPart(dividends: TaxFacts['dividends'], url: URL) {
	const { title, columns } = dividendReport(dividends)
	const amount = columns.find(({ key }) => key === 'amount')
	return {
		table: fitColumns(buildSmallTable(title, columns, dividends.rows, { order: { url, name: 'dividends' } }), dividendKeys, url),
		sum: amount?.headline?.(dividends.rows).text,
	}
}

const dividendKeys = { keys: ['date', 'name', 'amount'], tablet: ['quantity', 'tds', 'paid'] }

const turnoverTable = (rows: TaxFacts['turnover'], url: URL) =>
	buildSmallTable<TaxFacts['turnover'][number]>(
		'Turnover',
		[
			text('kind', 'Kind', (row) => nameCode(TURNOVER_NAMES, row.KIND)),
			quantity('trades', 'Trades', (row) => row.TRADES),
			money('turnover', 'Turnover', (row) => row.AMOUNT, { isSummed: true }),
		],
		rows,
		{ order: { url, name: 'turnover' } },
	)

const unmatchedTable = (rows: TaxFacts['unmatched'], url: URL) =>
	buildSmallTable<TaxFacts['unmatched'][number]>(
		'Sales without a cost',
		[
			day('sold', 'Sold', (row) => row.SELL_DATE),
			text('name', 'Name', (row) => row.SCRIP_NAME),
			text('isin', 'ISIN', (row) => row.ISIN),
			quantity('quantity', 'Quantity', (row) => row.QTY),
			money('amount', 'Sell amount', (row) => row.SELL_AMT, { isSummed: true }),
		],
		rows,
		{ order: { url, name: 'unmatched' } },
	)

function describeUnmatched(sales: number): string {
	const [these, are] = sales === 1 ? ['this sale', 'it is'] : [`these ${sales} sales`, 'they are']
	return `The cost of ${these} is not known, so ${are} in no head and no total above: add the cost from your own records.`
}

function listExemption({ exemption, dividends, carried, losses, STT_PAID, CTT_PAID }: TaxFacts) {
	const section = dividends.TDS_SECTION ? ` (${dividends.TDS_SECTION})` : ''
	// A broker that gives the years of its losses has a table of them.
	const unnamed = losses
		? []
		: [
				{ label: 'Short-term loss to carry forward', paise: carried.SHORT },
				{ label: 'Long-term loss to carry forward', paise: carried.LONG },
				{ label: 'Speculative loss to carry forward', paise: carried.SPECULATIVE },
				{ label: 'Business loss to carry forward', paise: carried.BUSINESS },
			]
	return [
		{ label: `Exempt long-term gain (${exemption.SECTION}), limit`, figure: formatRupees(exemption.LIMIT) },
		{ label: 'Exemption used', figure: formatRupees(exemption.USED) },
		...(dividends.TDS === undefined
			? []
			: [{ label: `Tax deducted at source on dividends${section}`, figure: formatRupees(dividends.TDS) }]),
		{ label: 'Securities transaction tax paid', figure: formatRupees(STT_PAID) },
		...(CTT_PAID ? [{ label: 'Commodities transaction tax paid', figure: formatRupees(CTT_PAID) }] : []),
		...unnamed.flatMap(({ label, paise }) => (paise > 0 ? [{ label, figure: formatRupees(paise) }] : [])),
	]
}

/** Returns the income that is taxed at the client's own rate, and its parts; undefined when there is none. The estimate leaves it out. */
function tellSlabIncome({ heads, dividends, set_off: steps = [] }: TaxFacts): KeyFigure | undefined {
	const known = (amounts: readonly (Paise | null)[]) => sumOrNull(amounts.filter((paise) => paise !== null)) ?? 0
	const atSlab = heads.filter(({ TAX_RATE }) => TAX_RATE === 'slab')
	const isGain = ({ KEY }: TaxFacts['heads'][number]) => /^(SHORT|LONG)_/.test(KEY)
	const used = steps.filter(({ AGAINST }) => AGAINST === 'Dividends').map(({ AMOUNT }) => AMOUNT)
	const paid = dividends.rows.map(({ AMOUNT }) => AMOUNT)
	const parts = [
		{ name: 'business', paise: known(atSlab.filter((head) => !isGain(head)).map((head) => head.AFTER_SET_OFF)) },
		{ name: 'capital gains', paise: known(atSlab.filter(isGain).map((head) => head.AFTER_SET_OFF)) },
		{ name: `dividends${used.length > 0 ? ' after set-off' : ''}`, paise: known(paid) - known(used) },
	].filter(({ paise }) => paise > 0)
	const isRateUnknown = heads.some(({ TAX_RATE, NET }) => TAX_RATE === '' && NET > 0)
	const isIncomplete = isRateUnknown || [heads, dividends.rows, steps].some(unreadIn) || [...paid, ...used].includes(null)
	if (parts.length === 0) return undefined
	const told = parts.map(({ name, paise }) => `${name} ${formatRupees(paise)}`).join(' + ')
	return {
		label: `Income taxed at your slab${isIncomplete ? ' (incomplete)' : ''}`,
		text: formatRupees(known(parts.map(({ paise }) => paise))),
		note: `At your slab: ${told}; not in the estimate.`,
	}
}

/** Returns the tax owed, the income that it leaves out, and the tax already paid, for the top of the page. */
function listMain(facts: TaxFacts, isExplained: boolean): KeyFigure[] {
	const { dividends, ESTIMATED_TAX } = facts
	const slab = tellSlabIncome(facts)
	return [
		{
			label: 'Estimated tax on capital gains',
			text: formatRupees(ESTIMATED_TAX),
			note: isExplained ? undefined : 'The estimate includes 4 % cess and is after set-off and exemption.',
			isMain: true,
		},
		...(slab ? [slab] : []),
		...(dividends.TDS === undefined ? [] : [{ label: 'TDS on dividends', text: formatRupees(dividends.TDS) }]),
	]
}

/** False when no table of the page has a row: nothing was sold or received, and no loss of an earlier year is left. */
export function hasTaxData(rows: readonly unknown[] | undefined, facts: TaxFacts): boolean {
	const { heads, dividends, set_off: setOff, losses, turnover, unmatched } = facts
	const lists = [rows, heads, dividends.rows, setOff, losses, turnover, unmatched]
	return lists.some((list) => list && (list.length > 0 || unreadIn(list)))
}

/** Returns what the tax return requires other than gains; each part is undefined when there is none. */
export function taxDetails(facts: TaxFacts, url: URL, year: string) {
	const { dividends, turnover, unmatched } = facts
	const estimate = explainEstimate(facts)
	return {
		setOff: facts.set_off && fitColumns(setOffTable(facts.set_off, year, url), { keys: ['loss', 'amount'] }, url),
		losses: facts.losses && fitColumns(lossTable(facts.losses, url), { keys: ['loss', 'of', 'amount'] }, url),
		main: listMain(facts, estimate !== undefined),
		estimate,
		exemption: listExemption(facts),
		dividends: dividends.rows.length === 0 ? undefined : dividendPart(dividends, url),
		turnover: turnover.length === 0 ? undefined : { method: facts.TURNOVER_METHOD, table: turnoverTable(turnover, url) },
		unmatched:
			unmatched.length === 0 ? undefined : { sentence: describeUnmatched(unmatched.length), table: unmatchedTable(unmatched, url) },
	}
}
