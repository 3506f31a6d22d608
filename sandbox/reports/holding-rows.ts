import { type z } from 'zod/v4'
import { type HoldingFacts } from '#contract/holding'
import { type HoldingReport } from '#contract/reports'
import { type Day } from '#contract/values/dates'
import { toRupees } from '#contract/values/money'
import { type Position, readPositions } from '#sandbox/book/read-holding'
import { type Encumbrance, type OpenLotRow, readEncumbrances, readOpenLots } from '#sandbox/book/read-open-lots'
import { toPrice, computeRate, readScripPeriods, type ScripPeriod } from '#sandbox/book/read-scrips'
import { type Books } from '#sandbox/db/open'
import { findLongTermDay, findTermOfSale } from '#sandbox/rules/capital-gains'
import { divideHalfUp } from '#sandbox/rules/rounding'
import { groupRows, sumBy } from './grouped'

/** One security held, with all data of the reports. */
export type Held = { scrip: ScripPeriod; position: Position; lots: OpenLotRow[]; encumbrance: Encumbrance | undefined }

/** Securities held at the end of a day, by symbol. */
export async function readHeld(books: Books, client: string, day: Day): Promise<Held[]> {
	const [positions, scrips, lots, encumbrances] = await Promise.all([
		readPositions(books, client, [day]),
		readScripPeriods(books, client, day, day),
		readOpenLots(books, client, day),
		readEncumbrances(books, client, day),
	])
	const lotsByInstrument = groupRows(lots, ({ instrument }) => instrument)
	const byInstrument = new Map(scrips.map((scrip) => [scrip.instrument, scrip]))
	return positions
		.flatMap((position): Held[] => {
			const scrip = byInstrument.get(position.instrument)
			if (!position.isSecurity || !scrip) return []
			const { instrument } = position
			return [{ scrip, position, lots: lotsByInstrument.get(instrument) ?? [], encumbrance: encumbrances.get(instrument) }]
		})
		.sort((a, b) => (a.position.symbol < b.position.symbol ? -1 : 1))
}

/**
 * Splits a quantity into pledged, undelivered (`unsettled`) and free units, which sum to it. Undelivered units are in no pledge yet.
 * `unpaid` is the part of the pledged units that is in the broker's unpaid-securities pledge (CUSPA).
 */
export function splitQuantity({ position, encumbrance }: Pick<Held, 'encumbrance'> & { position: { quantity: number } }) {
	const { quantity } = position
	const unsettled = Math.min(quantity, encumbrance?.unsettled ?? 0)
	const delivered = quantity - unsettled
	const confirmed = Math.min(delivered, (encumbrance?.margin ?? 0) + (encumbrance?.mtf ?? 0))
	const unpaid = Math.min(delivered - confirmed, encumbrance?.unpaid ?? 0)
	return { pledged: confirmed + unpaid, unpaid, unsettled, free: delivered - confirmed - unpaid }
}

/** Rows of the holding report at the end of a day. */
export function holdingRows(held: readonly Held[], day: Day): z.input<typeof HoldingReport> {
	return held.map((each) => {
		const { scrip, position, lots } = each
		const { value, valueBefore, knownValue, cost, quantity } = position
		const { pledged, unsettled, free } = splitQuantity(each)
		const unrealised = knownValue - cost
		const long = lots.filter((lot) => findTermOfSale(scrip.kind, lot.acquiredOn, day) === 'LONG')
		return {
			ISIN: scrip.instrument,
			SYMBOL: scrip.symbol,
			SCRIP_NAME: scrip.name,
			SECTOR: position.sector,
			QTY: quantity,
			FREE_QTY: free,
			PLEDGE_QTY: pledged,
			UNSETTLED_QTY: unsettled,
			AVG_RATE: computeRate(cost, quantity - scrip.unknownQuantity),
			INVESTED: toRupees(cost),
			CLOSE_PRICE: toPrice(scrip.close),
			VALUE: toRupees(value),
			UNREALISED: toRupees(unrealised),
			UNREALISED_PCT: percentOfCost(unrealised, cost),
			LONG_TERM_QTY: sumBy(long, (lot) => lot.quantity),
			DAY_CHANGE: toRupees(value - valueBefore),
		}
	})
}

/** Gain in per cent of the cost, with two decimals; 0 when nothing was paid (only bonus shares). */
export function percentOfCost(gain: number, cost: number): number {
	return cost === 0 ? 0 : divideHalfUp(gain * 10_000, cost) / 100
}

/** Facts about holdings that are not in the report's rows. */
export function holdingFacts(held: readonly Held[]): z.input<typeof HoldingFacts> {
	return held.map(({ scrip, position, lots, encumbrance }) => {
		const { pledged, unpaid } = splitQuantity({ position, encumbrance })
		const oldest = lots.reduce((first, lot) => (lot.acquiredOn < first ? lot.acquiredOn : first), lots[0]?.acquiredOn ?? position.day)
		return {
			ISIN: scrip.instrument,
			UNKNOWN_QTY: scrip.unknownQuantity,
			UNKNOWN_VALUE: toRupees(position.value - position.knownValue),
			MTF_QTY: Math.min(pledged - unpaid, encumbrance?.mtf ?? 0),
			UNPAID_QTY: unpaid,
			PRICE_DAY: scrip.closeDay,
			ACQUIRED_ON: oldest,
			LONG_TERM_FROM: findLongTermDay(scrip.kind, oldest),
		}
	})
}
