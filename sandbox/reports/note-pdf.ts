import { z } from 'zod/v4'
import { CHARGE_NAMES } from '#contract/values/code-names'
import { formatDay } from '#contract/values/dates'
import { formatAmount, type Paise } from '#contract/values/money'
import { type SheetRow, type SheetTable } from '#documents/table'
import { type ChargeLine, type MarkLine, type NoteHead } from '#sandbox/book/read-notes'
import { findIsin, toPrice, countUnits } from '#sandbox/book/read-scrips'
import { type TradeLine } from '#sandbox/book/read-trades'
import { type Client } from '#sandbox/clients/clients'
import { findUnderlying } from '#sandbox/reference-data/contracts'
import { GST_STATE_CODES } from '#sandbox/reference-data/states'
import { type SandboxParts } from '#sandbox/types'
import { sumBy } from './grouped'
import { streamStatement } from './statements'
import { figureColumn, moneyCell, priceCell, quantityCell, wordsColumn } from './tables'
import { findNetRate, noteTradeRow } from './trade-rows'

function tradesTable(trades: readonly TradeLine[]): SheetTable {
	const rows = trades.map((trade): SheetRow => {
		const { BROKERAGE_RATE } = noteTradeRow(trade)
		const { amount, brokerage } = trade
		const net = trade.side === 'S' ? amount - brokerage : -amount - brokerage
		const names = [trade.orderNo, trade.time, trade.tradeNo, trade.time, trade.name, findIsin(trade), trade.side === 'B' ? 'B' : 'S']
		const rates = [toPrice(trade.price), BROKERAGE_RATE, toPrice(findNetRate(trade))].map(priceCell)
		const close = trade.close === null ? null : priceCell(toPrice(trade.close))
		return { cells: [...names, quantityCell(countUnits(trade, trade.quantity)), ...rates, close, moneyCell(net)] }
	})
	return {
		name: 'Trades',
		columns: [
			wordsColumn('Order no.', 19),
			wordsColumn('Order time', 9),
			wordsColumn('Trade no.', 10),
			wordsColumn('Trade time', 9),
			wordsColumn('Security', 28),
			wordsColumn('ISIN', 14),
			wordsColumn('B/S', 4),
			figureColumn('Quantity', 9),
			figureColumn('Gross rate', 12),
			figureColumn('Brokerage a unit', 13),
			figureColumn('Net rate', 12),
			figureColumn('Closing rate', 11),
			figureColumn('Net before levies', 16),
		],
		rows,
	}
}

/** The table of a bill that is a mark to market, not a contract note. */
function markTable({ name, quantity: held, multiplier, price: close, stood, amount }: MarkLine): SheetTable {
	return {
		name: 'Mark to market',
		columns: [
			wordsColumn('Contract', 40),
			figureColumn('Quantity', 14),
			figureColumn('Settlement price', 18),
			figureColumn('Value (₹)', 20),
			figureColumn('Stood at (₹)', 20),
			figureColumn('Difference (₹)', 20),
		],
		rows: [
			{
				cells: [
					name,
					quantityCell(countUnits({ multiplier }, held)),
					priceCell(toPrice(close)),
					moneyCell(amount + stood),
					moneyCell(stood),
					moneyCell(amount),
				],
			},
		],
	}
}

const side = (paise: Paise) => (paise === 0 ? '0.00' : `${formatAmount(Math.abs(paise))} ${paise > 0 ? 'Cr' : 'Dr'}`)

function footTable(note: NoteHead, charges: readonly ChargeLine[]): SheetTable {
	const rows: SheetRow[] = [
		{
			cells: [
				'Pay-in or pay-out obligation',
				null,
				null,
				'Sales less purchases; futures: differences to the last mark to market',
				side(note.obligation),
			],
		},
		...charges.map(({ kind, base, rate, amount, rule }): SheetRow => {
			const isPercent = /^[\d.]+$/.test(rate)
			return {
				cells: [CHARGE_NAMES[kind], base === 0 ? null : formatAmount(base), isPercent ? `${rate} %` : rate, rule, formatAmount(amount)],
			}
		}),
		{ cells: ['Total charges', null, null, null, formatAmount(sumBy(charges, ({ amount }) => amount))], isBold: true },
		{ cells: [note.net < 0 ? 'Net payable by you' : 'Net receivable by you', null, null, null, side(note.net)], isBold: true },
	]
	return {
		name: 'Obligation and charges',
		columns: [
			wordsColumn('Line', 26),
			figureColumn('Base (₹)', 18),
			figureColumn('Rate', 14),
			wordsColumn('Rule', 62),
			figureColumn('Amount (₹)', 20),
		],
		rows,
	}
}

/**
 * The details of a contract note besides the trades: SEBI Master Circular for Stock Brokers (22-May-2024), Annexure on contract notes,
 * and rule 46 of the CGST Rules 2017 (GSTIN, SAC, place of supply), because the note is the tax invoice of the brokerage. The numbers
 * are made up, in the correct format.
 */
const BROKER_FACTS = [
	['Broker', 'SEBI reg. INZ000000000 (sandbox), member 00000'],
	['GSTIN', '27AAAAA0000A1Z2 (sandbox)'],
	['SAC', '997152, brokerage and related securities and commodities services'],
] as const
/** Exchange and segment as a contract note names them. */
const EXCHANGES = {
	NSE_CASH: 'NSE, capital market',
	NSE_FNO: 'NSE, futures and options',
	CD_NSE: 'NSE, currency derivatives',
	MCX: 'MCX, commodity derivatives',
} as const
/** What is exchanged on the settlement day. */
const SETTLES = { NSE_CASH: 'money and securities', NSE_FNO: 'money', CD_NSE: 'money, in rupees', MCX: 'money' } as const

/**
 * How the futures of a note end: MCX contract specifications, and stock derivatives of NSE by delivery. Index and currency futures, which
 * end in cash alone, need no sentence.
 */
function tellEnds(trades: readonly TradeLine[]): string[] {
	const futures = trades.filter(({ kind }) => kind === 'FUTURE').map(({ instrument }) => findUnderlying(instrument))
	return [...new Set(futures)].flatMap(({ name, segment, isDelivered }) => {
		if (isDelivered)
			return [
				`${name} futures that are open at expiry are settled by delivery, which this broker does not offer: it closes them by an order on their last day.`,
			]
		return segment === 'MCX' ? [`${name} futures that are open at expiry are settled in cash.`] : []
	})
}

const COMPLIANCE = 'Sandbox Officer, compliance@sandbox.example'

/** `Maharashtra (27)`: the state and its GST code, which decide between CGST with SGST and IGST. */
function placeOfSupply(state: string): string {
	const code = GST_STATE_CODES[state]
	return code === undefined ? state : `${state} (${code})`
}

const Address = z.object({
	line1: z.string(),
	line2: z.string().nullish(),
	line3: z.string().nullish(),
	city: z.string(),
	state: z.string(),
	pincode: z.string(),
})

/** A contract note as a PDF: one page, or more when its trades need them. */
export function streamNote(
	parts: SandboxParts,
	client: Client,
	note: NoteHead,
	{ trades, charges, mark }: { trades: readonly TradeLine[]; charges: readonly ChargeLine[]; mark: MarkLine | undefined },
): ReadableStream<Uint8Array> {
	const { line1, line2, line3, city, state, pincode } = Address.parse(client.profile.personal_details.address)
	return streamStatement(parts, client, {
		heading: mark ? 'Bill: mark to market' : 'Contract note',
		period: formatDay(note.day),
		periodName: mark ? 'Bill date' : 'Trade date',
		hasFullPan: true,
		tellsSigning: true,
		facts: [['Address', [line1, line2, line3, city, state, pincode].filter(Boolean).join(', ')]],
		sideFacts: [
			['Note', [note.contractNo, `bill ${note.billNo}`].filter(Boolean).join(', ')],
			['Segment', EXCHANGES[note.segment]],
			['Settlement', `${note.settlementNo}, ${SETTLES[note.segment]} on ${formatDay(note.settlesOn)}`],
			...BROKER_FACTS,
			['Place of supply', placeOfSupply(state)],
			['Compliance officer', COMPLIANCE],
		],
		tables: [mark ? markTable(mark) : tradesTable(trades), footTable(note, charges)],
		closing: [
			mark
				? 'What an open future has gained or lost since it was last marked is paid in cash on the next settlement day. It is taxed once, when the contract is closed.'
				: 'DP charges are no part of a contract note: they are posted to the ledger on the settlement day.',
			...tellEnds(trades),
			'A broker sends this note with its digital signature under the Information Technology Act, 2000. This copy is the sandbox’s and unsigned.',
		],
	})
}
