import { type z } from 'zod/v4'
import { type HoldingAction, type Lot, type Lots } from '~/broker/contract/holding'
import { formatDay } from '~/lib/days'
import { formatRupees } from '~/lib/money'
import { day, money, quantity, text } from './columns.server'
import { type Report } from './report.server'

type LotRow = z.output<typeof Lot>

const ORIGINS: Record<LotRow['ORIGIN'], string> = {
	TRADE: 'Bought',
	BONUS: 'Bonus',
	SPLIT: 'Split',
	DEMERGER: 'Demerger',
	IPO: 'IPO allotment',
	TRANSFER: 'Transferred in',
}
const HEADS: Record<LotRow['HEAD'], string> = {
	SHORT_EQUITY: 'Short term',
	LONG_EQUITY: 'Long term',
	SHORT_OTHER: 'Short term',
	LONG_OTHER: 'Long term',
}

/** FIFO lots of one holding, the first to be sold first, and what a sale at today's close would mean for tax. */
export const lotsReport: Report<LotRow> = {
	title: 'Lots',
	words: (lot) => `${ORIGINS[lot.ORIGIN]} ${formatDay(lot.ACQUIRED_ON)} ${lot.BILL_NO ?? ''}`,
	columns: [
		day('acquired', 'Acquired', (lot) => lot.ACQUIRED_ON),
		text(
			'origin',
			'By',
			(lot) => ORIGINS[lot.ORIGIN],
			(lot) => (lot.BILL_NO ? `/reports/contractnbill/${lot.BILL_NO}` : undefined),
		),
		quantity('quantity', 'Quantity', (lot) => lot.QTY),
		money('cost', 'Cost', (lot) => lot.COST, { isSummed: true }),
		money('value', 'Value', (lot) => lot.VALUE, { isSummed: true }),
		money('unrealised', 'Unrealised', (lot) => lot.UNREALISED, { isGain: true, isSummed: true }),
		quantity('days', 'Days held', (lot) => lot.DAYS),
		day('long-term', 'Long term from', (lot) => lot.LONG_TERM_FROM),
		text('head', 'If sold today', (lot) => HEADS[lot.HEAD]),
		text('rate', 'Rate', (lot) => (lot.TAX_RATE === 'slab' ? 'Your slab' : `${lot.TAX_RATE} %`)),
		money('tax-cost', 'Cost used', (lot) => lot.TAX_COST, { isSummed: true }),
		money('tax-gain', 'Taxable gain', (lot) => lot.TAX_GAIN, { isGain: true, isSummed: true }),
	],
}

/** What a sale of everything at the close would come to, head by head. Lots without a known cost are counted, not guessed. */
export function ifSoldToday({ lots }: Lots) {
	const heads = new Map<string, { section: string; gain: number }>()
	for (const lot of lots) {
		if (lot.TAX_GAIN === null) continue
		const name = `${HEADS[lot.HEAD]}, ${lot.TAX_RATE === 'slab' ? 'at your slab' : `${lot.TAX_RATE} %`}`
		heads.set(name, { section: lot.SECTION, gain: (heads.get(name)?.gain ?? 0) + lot.TAX_GAIN })
	}
	return [...heads].map(([name, { section, gain }]) => ({ name, section, gain }))
}

/** A corporate action in a sentence. */
export function tellAction(action: z.output<typeof HoldingAction>): string {
	const into = action.INTO_NAME ? ` into ${action.INTO_NAME}` : ''
	switch (action.KIND) {
		case 'BONUS':
			return `Bonus ${action.RATIO}: ${action.QTY} shares at no cost.`
		case 'SPLIT':
			return `Split ${action.RATIO}: ${action.QTY} shares under a new ISIN, at the same cost in all and with their dates.`
		case 'DEMERGER':
			return `Demerger ${action.RATIO}${into}: ${action.COST_MOVED_PCT ?? 0} % of the cost moved there, with the dates.`
		case 'DIVIDEND':
			return `Dividend of ₹ ${action.PRICE?.toFixed(2) ?? '—'} a share on ${action.QTY}: ${formatRupees(action.AMOUNT)}, paid to the bank.`
		case 'BUYBACK':
			return `Buyback of ${action.QTY} at ₹ ${action.PRICE?.toFixed(2) ?? '—'}: ${formatRupees(action.AMOUNT)}, paid to the bank.`
		case 'RIGHTS':
			return `Rights ${action.RATIO}${into}.`
	}
}
