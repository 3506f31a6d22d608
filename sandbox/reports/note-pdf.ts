import { type ChargeLine, type NoteHead } from '#sandbox/book/read-notes'
import { isinOf, priceOf, unitsOf } from '#sandbox/book/read-scrips'
import { type TradeLine } from '#sandbox/book/read-trades'
import { type Client } from '#sandbox/clients'
import { type SandboxParts } from '#sandbox/env'
import { type Row, type Table } from '#sandbox/files/table'
import { nameOfSegment } from '#sandbox/rules/segments'
import { formatDay } from '~/lib/days'
import { formatAmount, type Paise } from '~/lib/money'
import { sumBy } from './grouped'
import { streamStatement } from './statements'
import { money, price, quantity } from './tables'
import { contractNumberOf, noteTradeRow } from './trade-rows'

function tradesTable(trades: readonly TradeLine[]): Table {
	const text = (head: string, width: number) => ({ head, width })
	const figure = (head: string, width: number) => ({ head, width, isFigure: true })
	const rows = trades.map((trade): Row => {
		const { BROKERAGE_RATE, NET_RATE } = noteTradeRow(trade)
		const { amount, brokerage } = trade
		const net = trade.side === 'S' ? amount - brokerage : -amount - brokerage
		const names = [trade.orderNo, trade.time, trade.tradeNo, trade.time, trade.name, isinOf(trade), trade.side === 'B' ? 'B' : 'S']
		const rates = [priceOf(trade.price), BROKERAGE_RATE, NET_RATE].map(price)
		const close = trade.close === null ? null : price(priceOf(trade.close))
		return { cells: [...names, quantity(unitsOf(trade, trade.quantity)), ...rates, close, money(net)] }
	})
	return {
		name: 'Trades',
		columns: [
			text('Order no.', 17),
			text('Order time', 9),
			text('Trade no.', 10),
			text('Trade time', 9),
			text('Security', 30),
			text('ISIN', 14),
			text('B/S', 4),
			figure('Quantity', 9),
			figure('Gross rate', 12),
			figure('Brokerage a unit', 13),
			figure('Net rate', 12),
			figure('Closing rate', 11),
			figure('Net before levies', 16),
		],
		rows,
	}
}

const side = (paise: Paise) => (paise === 0 ? '0.00' : `${formatAmount(Math.abs(paise))} ${paise > 0 ? 'Cr' : 'Dr'}`)

function footTable(note: NoteHead, charges: readonly ChargeLine[]): Table {
	const rows: Row[] = [
		{ cells: ['Pay-in or pay-out obligation', null, null, 'Sales less purchases; futures: differences realised', side(note.obligation)] },
		...charges.map(({ kind, base, rate, amount, rule }): Row => {
			const isPercent = /^[\d.]+$/.test(rate)
			return { cells: [kind, base === 0 ? null : formatAmount(base), isPercent ? `${rate} %` : rate, rule, formatAmount(amount)] }
		}),
		{ cells: ['Total charges', null, null, null, formatAmount(sumBy(charges, ({ amount }) => amount))], isBold: true },
		{ cells: [note.net < 0 ? 'Net payable by you' : 'Net receivable by you', null, null, null, side(note.net)], isBold: true },
	]
	return {
		name: 'Obligation and charges',
		columns: [
			{ head: 'Line', width: 26 },
			{ head: 'Base (₹)', width: 18, isFigure: true },
			{ head: 'Rate', width: 14, isFigure: true },
			{ head: 'Rule', width: 62 },
			{ head: 'Amount (₹)', width: 20, isFigure: true },
		],
		rows,
	}
}

/** A contract note as its PDF. Registration and compliance officer are the sandbox's own, and say so. */
export function streamNote(
	parts: SandboxParts,
	client: Client,
	note: NoteHead,
	trades: readonly TradeLine[],
	charges: readonly ChargeLine[],
): ReadableStream<Uint8Array> {
	return streamStatement(parts, client, {
		heading: 'Contract note',
		period: formatDay(note.day),
		facts: [
			['Note', `${contractNumberOf(note.billNo)} · bill ${note.billNo} · ${nameOfSegment(note.segment)}`],
			['Settlement', `${note.settlementNo}, money and securities on ${formatDay(note.settlesOn)}`],
			['Broker', 'SEBI reg. INZ000000000 (sandbox) · Member 00000 · Compliance officer: Sandbox Officer'],
		],
		tables: [tradesTable(trades), footTable(note, charges)],
		closing: ['DP charges are no part of a contract note: they are posted to the ledger on the settlement day.'],
	})
}
