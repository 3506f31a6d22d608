import { type z } from 'zod/v4'
import { type ContractNote, type NoteCharge, type NoteTrade } from '~/broker/contract/bills'
import { formatAmount, formatBalance, formatRupees } from '~/lib/money'
import { money, price, quantity, text } from './columns.server'
import { type Report } from './report.server'

const CHARGES: Record<z.output<typeof NoteCharge>['KIND'], string> = {
	BROKERAGE: 'Brokerage',
	EXCHANGE: 'Exchange transaction charge',
	SEBI: 'SEBI turnover fee',
	CGST: 'CGST',
	SGST: 'SGST',
	IGST: 'IGST',
	STT: 'Securities transaction tax',
	CTT: 'Commodities transaction tax',
	STAMP: 'Stamp duty',
}

/** The trades of one contract note, in the columns that the exchanges ask for. */
export const noteTrades: Report<z.output<typeof NoteTrade>> = {
	title: 'Trades',
	words: (trade) => `${trade.SCRIP_NAME} ${trade.ORDER_NO} ${trade.TRADE_NO}`,
	columns: [
		text('order', 'Order', (trade) => `${trade.ORDER_NO} ${trade.ORDER_TIME}`),
		text('trade', 'Trade', (trade) => `${trade.TRADE_NO} ${trade.TRADE_TIME}`),
		text('name', 'Name', (trade) => trade.SCRIP_NAME),
		text('side', 'Side', (trade) => (trade.SIDE === 'BUY' ? 'Buy' : 'Sell')),
		quantity('quantity', 'Quantity', (trade) => trade.QTY),
		price('gross', 'Gross rate', (trade) => trade.GROSS_RATE),
		price('brokerage-rate', 'Brokerage a unit', (trade) => trade.BROKERAGE_RATE),
		price('net', 'Net rate', (trade) => trade.NET_RATE),
		money('amount', 'Amount', (trade) => trade.AMOUNT),
		money('charges', 'All charges', (trade) => trade.CHARGES, { isSummed: true }),
	],
}

/** `₹ 5,83,300.00 × 0.00307 %`: how a charge comes about, or what else it is. */
function workingOf({ BASE, RATE }: z.output<typeof NoteCharge>): string {
	return /^[\d.]+$/.test(RATE) ? `${formatRupees(BASE)} × ${RATE} %` : RATE
}

/** From what was traded to what was posted, a line for every charge with its working and its rule. */
export function bridgeOf(note: ContractNote) {
	return [
		{ label: 'Sold less bought, before charges', figure: formatBalance(note.OBLIGATION) },
		...note.charges.map((charge) => ({
			label: charge.RATE === 'rounding' ? `${CHARGES[charge.KIND]}, rounding` : CHARGES[charge.KIND],
			note: charge.RATE === 'rounding' ? charge.RULE : `${workingOf(charge)}. ${charge.RULE}`,
			figure: formatAmount(-charge.AMOUNT),
			isPart: true,
		})),
		{ label: 'All charges', figure: formatAmount(-note.TOTAL_CHARGES) },
		{ label: note.NET < 0 ? 'You pay' : 'You receive', figure: formatBalance(note.NET), isTotal: true },
	]
}

/** What does not add up in a note, in words; undefined when everything does. */
export function faultOf(note: ContractNote): string | undefined {
	const charges = note.charges.reduce((sum, { AMOUNT }) => sum + AMOUNT, 0)
	const shares = note.trades.reduce((sum, { CHARGES: own }) => sum + own, 0)
	if (charges !== note.TOTAL_CHARGES || shares !== note.TOTAL_CHARGES) return 'The charges of the trades and of the note differ.'
	if (note.OBLIGATION - charges !== note.NET) return 'Obligation less charges is not the net amount.'
	if (note.LEDGER_AMT !== note.NET) return `The ledger has ${formatBalance(note.LEDGER_AMT)} for this bill, not ${formatBalance(note.NET)}.`
	return undefined
}
