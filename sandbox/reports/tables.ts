import { type Segment } from '#contract/units'
import { SEGMENTS, SIDES } from '#contract/values/segments'
import { type SheetCell, type SheetColumn, type SheetRow, type SheetTable } from '#documents/table'
import { isCostUnknown, findIsin, toPrice, computeRate, type ScripPeriod, countUnits, computeUnrealised } from '#sandbox/book/read-scrips'
import { type ScripCharges, type TradeLine } from '#sandbox/book/read-trades'
import { sumBy } from './grouped'
import { type Held, percentOfCost, splitQuantity } from './holding-rows'
import { withMoves, withOpening } from './scrip-rows'

/*
 * The statements as tables, for PDF, xlsx and xls. The column heads are the same as on the portal's pages, so that a file and a page can
 * be compared.
 */

export const wordsColumn = (head: string, width: number): SheetColumn => ({ head, width })
export const figureColumn = (head: string, width: number): SheetColumn => ({ head, width, isFigure: true })
export const quantityCell = (number: number): SheetCell => ({ number, decimals: 0 })
export const priceCell = (number: number): SheetCell => ({ number, decimals: 4 })
export const moneyCell = (paise: number): SheetCell => ({ paise })
/** An expired contract has no price. */
const closeCell = ({ close }: ScripPeriod): SheetCell => (close === 0 ? null : priceCell(toPrice(close)))
const UNKNOWN = 'Cost not known'

/** The holdings as a table, with the total of known costs and the number of unknown ones. */
export function holdingTable(held: readonly Held[]): SheetTable {
	const rows = held.map((each): SheetRow => {
		const { scrip, position } = each
		const { pledged, unsettled, free } = splitQuantity(each)
		const { value, knownValue, cost } = position
		const isKnown = scrip.unknownQuantity < position.quantity
		const gain = isKnown ? [moneyCell(knownValue - cost), priceCell(percentOfCost(knownValue - cost, cost))] : [null, null]
		const paid = isKnown ? [priceCell(computeRate(cost, position.quantity - scrip.unknownQuantity)), moneyCell(cost)] : [UNKNOWN, null]
		const quantities = [position.quantity, free, pledged, unsettled].map(quantityCell)
		return {
			cells: [
				scrip.symbol,
				scrip.name,
				scrip.instrument,
				...quantities,
				...paid,
				priceCell(toPrice(scrip.close)),
				moneyCell(value),
				...gain,
			],
		}
	})
	const [cost, value, known] = [
		sumBy(held, ({ position }) => position.cost),
		sumBy(held, ({ position }) => position.value),
		sumBy(held, ({ position }) => position.knownValue),
	]
	const percent = priceCell(percentOfCost(known - cost, cost))
	const total = [
		'Total',
		null,
		null,
		null,
		null,
		null,
		null,
		null,
		moneyCell(cost),
		null,
		moneyCell(value),
		moneyCell(known - cost),
		percent,
	]
	return {
		name: 'Holding',
		empty: 'Nothing is held.',
		columns: [
			wordsColumn('Symbol', 12),
			wordsColumn('Name', 26),
			wordsColumn('ISIN', 14),
			figureColumn('Quantity', 9),
			figureColumn('Free', 8),
			figureColumn('Pledged', 8),
			figureColumn('Unsettled', 8),
			figureColumn('Average', 13),
			figureColumn('Invested', 15),
			figureColumn('Price', 11),
			figureColumn('Value', 15),
			figureColumn('Unrealised', 14),
			figureColumn('Unrealised %', 11),
		],
		rows: held.length === 0 ? [] : [...rows, { cells: total, isBold: true }],
	}
}

/** A sentence with the number of holdings whose cost is not known; undefined when all costs are known. */
export function tellUnknownHeld(held: readonly Held[]): string | undefined {
	const unknown = held.filter(({ scrip }) => scrip.unknownQuantity > 0).length
	if (unknown === 0) return undefined
	return `${unknown} of ${held.length} with a cost that is not known: in the value, left out of invested and gain.`
}

/** A sentence with the number of lines without a known cost; an empty list when all costs are known. */
export function tellUnknown(scrips: readonly ScripPeriod[]): string[] {
	const names = scrips.filter(isCostUnknown).map(({ name }) => name)
	if (names.length === 0) return []
	return [`${UNKNOWN}: ${names.length} of ${scrips.length} (${names.join(', ')}), left out of costs and gains.`]
}

/** Profit and loss of one segment, with its total. An unknown cost is left empty, because a zero would be wrong. */
export function pnlTable(scrips: readonly ScripPeriod[], segment: Segment): SheetTable {
	const computeNet = (scrip: ScripPeriod) => scrip.realised + computeUnrealised(scrip) - scrip.charges
	const rows = scrips.map((scrip): SheetRow => {
		const { buyUnits, buyAmount, sellUnits, sellAmount } = withOpening(scrip)
		const isUnknown = isCostUnknown(scrip)
		const average = (amount: number, units: number) => (units === 0 ? null : priceCell(computeRate(amount, units)))
		const cost = isUnknown ? [UNKNOWN, null] : [average(buyAmount, buyUnits), moneyCell(buyAmount)]
		const bought = [quantityCell(buyUnits), ...cost]
		const sold = [quantityCell(sellUnits), average(sellAmount, sellUnits), moneyCell(sellAmount)]
		const open = [quantityCell(countUnits(scrip, scrip.closeQuantity)), closeCell(scrip)]
		const taken = isUnknown ? [null, null] : [moneyCell(scrip.realised), moneyCell(computeUnrealised(scrip))]
		const gains = [...taken, moneyCell(scrip.charges), isUnknown ? null : moneyCell(computeNet(scrip))]
		return { cells: [scrip.name, findIsin(scrip), ...bought, ...sold, ...open, ...gains] }
	})
	const bought = moneyCell(sumBy(scrips, (scrip) => withOpening(scrip).buyAmount))
	const sold = moneyCell(sumBy(scrips, (scrip) => withOpening(scrip).sellAmount))
	const gains = [(scrip: ScripPeriod) => scrip.realised, computeUnrealised, (scrip: ScripPeriod) => scrip.charges, computeNet]
	const total = ['Total', null, null, null, bought, null, null, sold, null, null, ...gains.map((of) => moneyCell(sumBy(scrips, of)))]
	return {
		name: `P&L, ${SEGMENTS[segment]}`,
		columns: [
			wordsColumn('Name', 30),
			wordsColumn('ISIN', 14),
			figureColumn('Buy quantity', 11),
			figureColumn('Buy average', 12),
			figureColumn('Buy amount', 15),
			figureColumn('Sell quantity', 11),
			figureColumn('Sell average', 12),
			figureColumn('Sell amount', 15),
			figureColumn('Open quantity', 11),
			figureColumn('Price', 11),
			figureColumn('Realised', 14),
			figureColumn('Unrealised', 14),
			figureColumn('Charges', 13),
			figureColumn('Net', 14),
		],
		rows: scrips.length === 0 ? [] : [...rows, { cells: total, isBold: true }],
	}
}

/** The global summary, with its total. */
export function globalSummaryTable(scrips: readonly ScripPeriod[]): SheetTable {
	const known = (scrip: ScripPeriod, paise: number) => (isCostUnknown(scrip) ? null : moneyCell(paise))
	const figures = (scrip: ScripPeriod): SheetCell[] => {
		const { inUnits, inAmount, outUnits, outAmount } = withMoves(scrip)
		const opened = [quantityCell(countUnits(scrip, scrip.openQuantity)), isCostUnknown(scrip) ? UNKNOWN : moneyCell(scrip.openCost)]
		const moved = [quantityCell(inUnits), known(scrip, inAmount), quantityCell(outUnits), moneyCell(outAmount)]
		const closed = [quantityCell(countUnits(scrip, scrip.closeQuantity)), known(scrip, scrip.closeCost), closeCell(scrip)]
		const result = [moneyCell(scrip.closeValue), known(scrip, scrip.realised), known(scrip, computeUnrealised(scrip))]
		return [...opened, ...moved, ...closed, ...result]
	}
	const sum = (of: (scrip: ScripPeriod) => number) => moneyCell(sumBy(scrips, of))
	const [bought, sold] = [sum((scrip) => withMoves(scrip).inAmount), sum((scrip) => withMoves(scrip).outAmount)]
	const opened = [null, sum((scrip) => scrip.openCost), null, bought, null, sold]
	const closed = [null, sum((scrip) => scrip.closeCost), null, sum((scrip) => scrip.closeValue)]
	const total = ['Total', null, ...opened, ...closed, sum((scrip) => scrip.realised), sum(computeUnrealised)]
	const pairs = ['Opening', 'Bought', 'Sold', 'Closing'].flatMap((head) => [
		figureColumn(`${head} quantity`, 11),
		figureColumn(`${head} amount`, 15),
	])
	return {
		name: 'Global summary',
		columns: [
			wordsColumn('Name', 28),
			wordsColumn('ISIN', 14),
			...pairs,
			figureColumn('Price', 11),
			figureColumn('Value', 15),
			figureColumn('Realised', 14),
			figureColumn('Unrealised', 14),
		],
		rows:
			scrips.length === 0
				? []
				: [
						...scrips.map((scrip): SheetRow => ({ cells: [scrip.name, findIsin(scrip), ...figures(scrip)] })),
						{ cells: total, isBold: true },
					],
	}
}

export const detailColumns: readonly SheetColumn[] = [
	wordsColumn('Date', 12),
	wordsColumn('Settlement', 15),
	wordsColumn('Contract', 20),
	wordsColumn('Name', 44),
	wordsColumn('ISIN', 17),
	wordsColumn('Side', 7),
	figureColumn('Quantity', 11),
	figureColumn('Rate', 12),
	figureColumn('Amount', 16),
	figureColumn('Brokerage', 12),
	figureColumn('Charges', 12),
	figureColumn('Net', 16),
]

/** One trade of the global details. */
export function detailCells(trade: TradeLine): SheetRow {
	const { amount, brokerage, charges } = trade
	const net = trade.side === 'S' ? amount - charges : -amount - charges
	const names = [{ day: trade.day }, trade.settlementNo, trade.contractNo, trade.name, findIsin(trade)]
	const traded = [
		trade.side === 'B' ? SIDES.BUY : SIDES.SELL,
		quantityCell(countUnits(trade, trade.quantity)),
		priceCell(toPrice(trade.price)),
	]
	return { cells: [...names, ...traded, ...[amount, brokerage, charges - brokerage, net].map(moneyCell)] }
}

/** Charges by security and kind, with the total of each kind. */
export function chargesTable(charges: readonly ScripCharges[]): SheetTable {
	const figures = ['turnover', 'brokerage', 'exchange', 'sebi', 'gst', 'stt', 'stamp', 'total'] as const
	const total = ['Total', null, null, ...figures.map((name) => moneyCell(sumBy(charges, (scrip) => scrip[name])))]
	const rows = charges.map((scrip): SheetRow => ({
		cells: [SEGMENTS[scrip.segment], scrip.name, findIsin(scrip), ...figures.map((name) => moneyCell(scrip[name]))],
	}))
	const heads = ['Turnover', 'Brokerage', 'Exchange', 'SEBI', 'GST', 'STT or CTT', 'Stamp', 'Total'].map((head) => figureColumn(head, 14))
	return {
		name: 'Charges',
		columns: [wordsColumn('Segment', 18), wordsColumn('Name', 34), wordsColumn('ISIN', 15), ...heads],
		rows: charges.length === 0 ? [] : [...rows, { cells: total, isBold: true }],
	}
}
