import { type Segment } from '#contract/units'
import { SEGMENTS, SIDES } from '#contract/values/segments'
import { isCostUnknown, findIsin, toPrice, computeRate, type ScripPeriod, countUnits, computeUnrealised } from '#sandbox/book/read-scrips'
import { type ScripCharges, type TradeLine } from '#sandbox/book/read-trades'
import { type Cell, type Column, type Row, type Table } from '#sandbox/files/table'
import { sumBy } from './grouped'
import { type Held, percentOfCost, splitQuantity } from './holding-rows'
import { withOpening } from './scrip-rows'

/*
 * The statements as tables, for PDF, xlsx and xls alike. Heads are those of the portal's tables, so that a file and a page can be laid
 * side by side.
 */

export const words = (head: string, width: number): Column => ({ head, width })
export const figure = (head: string, width: number): Column => ({ head, width, isFigure: true })
export const quantity = (number: number): Cell => ({ number, decimals: 0 })
export const price = (number: number): Cell => ({ number, decimals: 4 })
export const money = (paise: number): Cell => ({ paise })
const UNKNOWN = 'Cost not known'

/** Holdings, with the total of what has a known cost and the count of what has not. */
export function holdingTable(held: readonly Held[]): Table {
	const rows = held.map((each): Row => {
		const { scrip, position } = each
		const { pledged, unsettled, free } = splitQuantity(each)
		const { value, knownValue, cost } = position
		const isKnown = scrip.unknownQuantity < position.quantity
		const gain = isKnown ? [money(knownValue - cost), price(percentOfCost(knownValue - cost, cost))] : [null, null]
		const paid = isKnown ? [price(computeRate(cost, position.quantity - scrip.unknownQuantity)), money(cost)] : [UNKNOWN, null]
		const quantities = [position.quantity, free, pledged, unsettled].map(quantity)
		return {
			cells: [scrip.symbol, scrip.name, scrip.instrument, ...quantities, ...paid, price(toPrice(scrip.close)), money(value), ...gain],
		}
	})
	const [cost, value, known] = [
		sumBy(held, ({ position }) => position.cost),
		sumBy(held, ({ position }) => position.value),
		sumBy(held, ({ position }) => position.knownValue),
	]
	const percent = price(percentOfCost(known - cost, cost))
	const total = ['Total', null, null, null, null, null, null, null, money(cost), null, money(value), money(known - cost), percent]
	return {
		name: 'Holding',
		columns: [
			words('Symbol', 12),
			words('Name', 26),
			words('ISIN', 14),
			figure('Quantity', 9),
			figure('Free', 8),
			figure('Pledged', 8),
			figure('Unsettled', 8),
			figure('Average', 13),
			figure('Invested', 15),
			figure('Price', 11),
			figure('Value', 15),
			figure('Unrealised', 14),
			figure('Unrealised %', 11),
		],
		rows: held.length === 0 ? [] : [...rows, { cells: total, isBold: true }],
	}
}

/** How many of a statement's lines have no known cost, as a sentence; when all have one, none. */
export function tellUnknown(scrips: readonly ScripPeriod[]): string[] {
	const names = scrips.filter(isCostUnknown).map(({ name }) => name)
	if (names.length === 0) return []
	return [`${UNKNOWN}: ${names.length} of ${scrips.length} (${names.join(', ')}), left out of costs and gains.`]
}

/** Profit and loss of one segment, with its total. What has no known cost has no figure for it: a zero would be a wrong one. */
export function pnlTable(scrips: readonly ScripPeriod[], segment: Segment): Table {
	const computeNet = (scrip: ScripPeriod) => scrip.realised + computeUnrealised(scrip) - scrip.charges
	const rows = scrips.map((scrip): Row => {
		const { buyUnits, buyAmount, sellUnits, sellAmount } = withOpening(scrip)
		const isUnknown = isCostUnknown(scrip)
		const average = (amount: number, units: number) => (units === 0 ? null : price(computeRate(amount, units)))
		const cost = isUnknown ? [UNKNOWN, null] : [average(buyAmount, buyUnits), money(buyAmount)]
		const bought = [quantity(buyUnits), ...cost]
		const sold = [quantity(sellUnits), average(sellAmount, sellUnits), money(sellAmount)]
		// Of what has expired there is no price any more.
		const open = [quantity(countUnits(scrip, scrip.closeQuantity)), scrip.close === 0 ? null : price(toPrice(scrip.close))]
		const taken = isUnknown ? [null, null] : [money(scrip.realised), money(computeUnrealised(scrip))]
		const gains = [...taken, money(scrip.charges), money(computeNet(scrip))]
		return { cells: [scrip.name, findIsin(scrip), ...bought, ...sold, ...open, ...gains] }
	})
	const bought = money(sumBy(scrips, (scrip) => withOpening(scrip).buyAmount))
	const sold = money(sumBy(scrips, (scrip) => withOpening(scrip).sellAmount))
	const gains = [(scrip: ScripPeriod) => scrip.realised, computeUnrealised, (scrip: ScripPeriod) => scrip.charges, computeNet]
	const total = ['Total', null, null, null, bought, null, null, sold, null, null, ...gains.map((of) => money(sumBy(scrips, of)))]
	return {
		name: `Profit and loss, ${SEGMENTS[segment]}`,
		columns: [
			words('Name', 30),
			words('ISIN', 14),
			figure('Buy quantity', 11),
			figure('Buy average', 12),
			figure('Buy amount', 15),
			figure('Sell quantity', 11),
			figure('Sell average', 12),
			figure('Sell amount', 15),
			figure('Open quantity', 11),
			figure('Price', 11),
			figure('Realised', 14),
			figure('Unrealised', 14),
			figure('Charges', 13),
			figure('Net', 14),
		],
		rows: scrips.length === 0 ? [] : [...rows, { cells: total, isBold: true }],
	}
}

/** The global summary, with its total. */
export function globalSummaryTable(scrips: readonly ScripPeriod[]): Table {
	const known = (scrip: ScripPeriod, paise: number) => (isCostUnknown(scrip) ? null : money(paise))
	const figures = (scrip: ScripPeriod): Cell[] => [
		quantity(countUnits(scrip, scrip.openQuantity)),
		isCostUnknown(scrip) ? UNKNOWN : money(scrip.openCost),
		quantity(countUnits(scrip, scrip.buyQuantity)),
		known(scrip, scrip.buyAmount),
		quantity(countUnits(scrip, scrip.sellQuantity)),
		money(scrip.sellAmount),
		quantity(countUnits(scrip, scrip.closeQuantity)),
		known(scrip, scrip.closeCost),
		price(toPrice(scrip.close)),
		money(scrip.closeValue),
		known(scrip, scrip.realised),
		known(scrip, computeUnrealised(scrip)),
	]
	const sum = (of: (scrip: ScripPeriod) => number) => money(sumBy(scrips, of))
	const opened = [null, sum((scrip) => scrip.openCost), null, sum((scrip) => scrip.buyAmount), null, sum((scrip) => scrip.sellAmount)]
	const closed = [null, sum((scrip) => scrip.closeCost), null, sum((scrip) => scrip.closeValue)]
	const total = ['Total', null, ...opened, ...closed, sum((scrip) => scrip.realised), sum(computeUnrealised)]
	const pairs = ['Opening', 'Bought', 'Sold', 'Closing'].flatMap((head) => [figure(`${head} quantity`, 11), figure(`${head} amount`, 15)])
	return {
		name: 'Global summary',
		columns: [
			words('Name', 28),
			words('ISIN', 14),
			...pairs,
			figure('Price', 11),
			figure('Value', 15),
			figure('Realised', 14),
			figure('Unrealised', 14),
		],
		rows:
			scrips.length === 0
				? []
				: [...scrips.map((scrip): Row => ({ cells: [scrip.name, findIsin(scrip), ...figures(scrip)] })), { cells: total, isBold: true }],
	}
}

export const detailColumns: readonly Column[] = [
	words('Date', 12),
	words('Settlement', 15),
	words('Contract', 19),
	words('Name', 44),
	words('ISIN', 17),
	words('Side', 7),
	figure('Quantity', 11),
	figure('Rate', 12),
	figure('Amount', 16),
	figure('Brokerage', 12),
	figure('Charges', 12),
	figure('Net', 16),
]

/** One trade of the global details. */
export function detailCells(trade: TradeLine): Row {
	const { amount, brokerage, charges } = trade
	const net = trade.side === 'S' ? amount - charges : -amount - charges
	const names = [{ day: trade.day }, trade.settlementNo, trade.contractNo, trade.name, findIsin(trade)]
	const traded = [trade.side === 'B' ? SIDES.BUY : SIDES.SELL, quantity(countUnits(trade, trade.quantity)), price(toPrice(trade.price))]
	return { cells: [...names, ...traded, ...[amount, brokerage, charges - brokerage, net].map(money)] }
}

/** Charges by security and kind, with the total of each kind. */
export function chargesTable(charges: readonly ScripCharges[]): Table {
	const figures = ['turnover', 'brokerage', 'exchange', 'sebi', 'gst', 'stt', 'stamp', 'total'] as const
	const total = ['Total', null, null, ...figures.map((name) => money(sumBy(charges, (scrip) => scrip[name])))]
	const rows = charges.map((scrip): Row => ({
		cells: [SEGMENTS[scrip.segment], scrip.name, findIsin(scrip), ...figures.map((name) => money(scrip[name]))],
	}))
	const heads = ['Turnover', 'Brokerage', 'Exchange', 'SEBI', 'GST', 'STT or CTT', 'Stamp', 'Total'].map((head) => figure(head, 14))
	return {
		name: 'Charges',
		columns: [words('Segment', 18), words('Name', 34), words('ISIN', 15), ...heads],
		rows: charges.length === 0 ? [] : [...rows, { cells: total, isBold: true }],
	}
}
