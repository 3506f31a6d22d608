import { type TaxFacts } from '#contract/tax'
import { DIVIDEND_KINDS } from '#contract/values/code-names'
import { formatAmount } from '#contract/values/money'
import { day, money, quantity, text } from './columns.server'
import { type Report } from './declaration'

type Dividend = TaxFacts['dividends']['rows'][number]

/** Returns the paise paid to the bank; null when the dividend or its tax is unknown. */
const computePaid = ({ AMOUNT, TDS }: Dividend) => (AMOUNT === null || typeof TDS !== 'number' ? null : AMOUNT - TDS)

/** A broker may leave the tax of a dividend out, which makes no row unreadable; a sum would then be too small without a word. */
const isTaxKnown = (rows: readonly Dividend[]) => rows.every(({ TDS }) => TDS !== undefined)

const nameKind = ({ IS_BUYBACK }: Dividend) => (IS_BUYBACK === null ? null : IS_BUYBACK ? DIVIDEND_KINDS.BUYBACK : DIVIDEND_KINDS.DIVIDEND)

/** The dividends of a year, in the table and in its file. */
export const dividendReport = ({ TDS, rows }: Pick<TaxFacts['dividends'], 'TDS' | 'rows'>): Report<Dividend> => ({
	title: 'Dividends',
	words: (row) => row.SCRIP_NAME,
	columns: [
		day('date', 'Ex-date', (row) => row.EX_DATE),
		{ ...text<Dividend>('name', 'Name', (row) => row.SCRIP_NAME), below: (row) => (row.IS_BUYBACK ? DIVIDEND_KINDS.BUYBACK : undefined) },
		text('isin', 'ISIN', (row) => row.ISIN),
		text('kind', 'Kind', nameKind),
		quantity('quantity', 'Quantity', (row) => row.QTY),
		{
			...money<Dividend>('amount', 'Amount', (row) => row.AMOUNT, { isSummed: true }),
			below: (row) => (row.TDS ? `TDS ${formatAmount(row.TDS)}` : undefined),
		},
		...(TDS === undefined
			? []
			: [
					money<Dividend>('tds', 'TDS', (row) => row.TDS ?? null, { isSummed: isTaxKnown(rows) }),
					money<Dividend>('paid', 'Paid to the bank', computePaid, { isSummed: isTaxKnown(rows) }),
				]),
	],
})
