import { type z } from 'zod/v4'
import { type ContractNote, type NoteCharge, type NoteMark, type NoteTrade } from '#contract/bills'
import { unreadIn } from '#contract/tolerant'
import { CHARGE_NAMES } from '#contract/values/code-names'
import { formatBalance, formatDeduction, formatGain, formatRupees } from '#contract/values/money'
import { SIDES } from '#contract/values/segments'
import { type BridgeRow } from '~/components/bridge-table'
import { type KeyFigure } from '~/lib/table'
import { formatUnits } from '~/lib/units'
import { DASH, nameCode, orDash, sumOrNull } from '~/lib/unknown'
import { formatPrice, isFuture, money, price, quantity, scrip, tellTrade, text } from '~/reports/columns.server'
import { type Column, type Report } from '~/reports/declaration'

type Trade = z.output<typeof NoteTrade>

/** A number of the exchange, with its time on the line below. */
function numberAt(key: string, label: string, get: (trade: Trade) => [number: string | null, time: string | null]): Column<Trade> {
	return {
		...text<Trade>(key, label, (trade) => orDash(get(trade)[0] || null, (number) => `${number} ${get(trade)[1] ?? ''}`)),
		cell: (trade) => {
			const [number, time] = get(trade)
			return number ? { text: number, second: time ?? undefined } : DASH
		},
	}
}

/** The contract has no rate below 0, which a sale for less than its brokerage has. A broker states 0 for it. */
function readNetRate({ SIDE, GROSS_RATE, BROKERAGE_RATE, NET_RATE }: Trade): number | null {
	if (SIDE !== 'SELL' || NET_RATE !== 0 || GROSS_RATE === null || BROKERAGE_RATE === null) return NET_RATE
	return Math.min(0, Number((GROSS_RATE - BROKERAGE_RATE).toFixed(4)))
}

/** The trades of a contract note, in the columns that the exchanges require. */
export const noteTrades: Report<Trade> = {
	title: 'Trades',
	words: (trade) => `${trade.SCRIP_NAME} ${trade.ORDER_NO ?? ''} ${trade.TRADE_NO}`,
	tiers: {
		keys: ['name', 'amount'],
		tablet: ['side', 'quantity', 'net', 'charges'],
		laptop: ['order', 'trade', 'gross'],
	},
	columns: [
		// An exercise or a settlement by the exchange has no order number.
		numberAt('order', 'Order', (trade) => [trade.ORDER_NO, trade.ORDER_TIME]),
		numberAt('trade', 'Trade', (trade) => [trade.TRADE_NO, trade.TRADE_TIME]),
		{
			...scrip<Trade>(),
			below: (trade) => [tellTrade(trade.SIDE, trade.QTY, trade.GROSS_RATE), trade.TRADE_TIME].filter(Boolean).join(' · ') || undefined,
		},
		text('side', 'Side', (trade) => nameCode(SIDES, trade.SIDE)),
		quantity('quantity', 'Quantity', (trade) => trade.QTY),
		price('gross', 'Gross rate', (trade) => trade.GROSS_RATE),
		price('brokerage-rate', 'Brokerage a unit', (trade) => trade.BROKERAGE_RATE),
		price('net', 'Net rate', readNetRate),
		money('amount', 'Amount', (trade) => trade.AMOUNT),
		money('charges', 'All charges', (trade) => trade.CHARGES, { isSummed: true }),
	],
}

/** Returns the calculation of a charge, `₹ 5,83,300.00 × 0.00307 %`, or another note of the broker. */
function formatWorking({ BASE, RATE }: z.output<typeof NoteCharge>): string {
	return /^[\d.]+$/.test(RATE) ? `${formatRupees(BASE)} × ${RATE} %` : RATE
}

/** Returns the rule of a charge without the name and the rate that stand before it. */
function tellRule(name: string, { RULE, RATE }: z.output<typeof NoteCharge>): string {
	const isNamed = RULE.toLowerCase().startsWith(name.toLowerCase())
	const rule = (isNamed ? RULE.slice(name.length) : RULE)
		.replace(/^[\s,:;]+/, '')
		.replace(`${RATE} % `, (rate, at) => (at === 0 ? '' : rate))
	return rule.charAt(0).toUpperCase() + rule.slice(1)
}

/**
 * Describes a mark to market: the value of a future at the price of the day, less its previous value, as a price when it is one of the
 * whole quantity. The difference is paid in cash.
 */
function formatMark({ SCRIP_NAME, QTY, CLOSE_RATE, STOOD_AT }: z.output<typeof NoteMark>): string {
	const units = orDash(QTY, formatUnits)
	const rate = orDash(CLOSE_RATE, (price) => `₹ ${formatPrice(price)}`)
	// A price has four decimals of a rupee, which is a hundredth of a paisa.
	if (QTY && STOOD_AT !== null && (STOOD_AT * 100) % QTY === 0)
		return `${SCRIP_NAME}: ${units} × (${rate} that day − ₹ ${formatPrice(STOOD_AT / QTY / 100)} before)`
	return `${SCRIP_NAME}: ${units} × ${rate} that day, less ${orDash(STOOD_AT, formatRupees)} before`
}

/** The words have the side, so the amount needs none. */
const nameNet = ({ NET }: ContractNote) => (NET === null ? 'Net' : NET < 0 ? 'You pay' : 'You receive')
const tellNet = ({ NET }: ContractNote) => orDash(NET, (paise) => formatRupees(Math.abs(paise)))

const findEntry = ({ LEDGER, BILL_DATE, BILL_NO }: ContractNote) =>
	`/reports/ledger/${encodeURIComponent(LEDGER ?? '')}?filtered=1&opening=Y&from=${BILL_DATE}&to=${BILL_DATE}&q=${encodeURIComponent(BILL_NO)}`

/** The answer of the page: what the client pays or receives, and where the ledger has it. */
export function listNoteFigures(note: ContractNote): KeyFigure[] {
	return [
		{ label: nameNet(note), text: tellNet(note), isMain: true },
		...(note.mark ? [] : [{ label: 'All charges', text: orDash(note.TOTAL_CHARGES, formatRupees) }]),
		...(note.VOUCHER_NO ? [{ label: 'Voucher', text: note.VOUCHER_NO, href: findEntry(note) }] : []),
	]
}

/** Returns the lines from the trades to the posted amount, signed so that they can be added down the column: one per charge with its calculation and its rule. */
export function listNoteLines(note: ContractNote): BridgeRow[] {
	const charges = note.charges.map((charge) => {
		const name = nameCode(CHARGE_NAMES, charge.KIND)
		const isRounding = charge.RATE === 'rounding'
		return {
			label: isRounding ? `Rounding of ${name.toLowerCase()}` : name,
			note: isRounding ? charge.RULE : [formatWorking(charge), tellRule(name, charge)].filter(Boolean).join('. '),
			figure: formatDeduction(charge.AMOUNT),
			isPart: true,
		}
	})
	return [
		{ ...tellResult(note), figure: orDash(note.OBLIGATION, formatGain) },
		...(note.mark ? [] : [{ label: 'All charges', figure: orDash(note.TOTAL_CHARGES, formatDeduction) }]),
		...charges,
		{ label: nameNet(note), figure: tellNet(note), isTotal: true },
	]
}

const DAILY = 'Sold less bought; a future counts since its last mark to market.'
const UNPAID = 'Its contract value is not paid: only its mark to market is, in the bill of each day.'

function tellResult({ mark, COCD, trades }: ContractNote): Pick<BridgeRow, 'label' | 'note'> {
	if (mark) return { label: 'Mark to market', note: formatMark(mark) }
	const note = trades.some(isFuture) ? `${DAILY} ${UNPAID}` : COCD === 'NSE_CASH' ? 'Sold less bought' : DAILY
	return { label: 'Result before charges', note }
}

/** Returns as a sentence what does not add up in a note; undefined when everything adds up, or when not all of it could be read. */
export function findNoteFault(note: ContractNote): string | undefined {
	const { NET, OBLIGATION, LEDGER_AMT } = note
	const charges = note.charges.reduce((sum, { AMOUNT }) => sum + AMOUNT, 0)
	const shares = sumOrNull(note.trades.map(({ CHARGES: own }) => own))
	if (unreadIn(note) || NET === null || OBLIGATION === null || LEDGER_AMT === null) return undefined
	if (charges !== note.TOTAL_CHARGES || shares !== note.TOTAL_CHARGES) return 'The charges of the trades and of the note differ.'
	if (OBLIGATION - charges !== NET) return 'Obligation less charges is not the net amount.'
	if (LEDGER_AMT !== NET) return `The ledger has ${formatBalance(LEDGER_AMT)} for this bill, not ${formatBalance(NET)}.`
	return undefined
}
