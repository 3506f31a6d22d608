import { type z } from 'zod/v4'
import { type Pnl, type PnlSegments } from '#contract/pnl'
import { type GlobalSummary, type PositionReport } from '#contract/reports'
import { Segment } from '#contract/units'
import { toRupees } from '#contract/values/money'
import { findIsin, toPrice, computeRate, type ScripPeriod, countUnits, computeUnrealised } from '#sandbox/book/read-scrips'
import { sumBy } from './grouped'

/**
 * Purchases and sales with the opening position added: a long position to the purchases, a short one to the sales. A split or demerger
 * moves units and cost from the purchases of one security to those of another, and sells nothing. In units and paise.
 */
export function withOpening(scrip: ScripPeriod) {
	const { openQuantity, openCost, buyQuantity, buyAmount, sellQuantity, sellAmount } = scrip
	return {
		buyUnits: countUnits(scrip, buyQuantity + Math.max(0, openQuantity) + scrip.movedInQuantity - scrip.movedOutQuantity),
		buyAmount: buyAmount + (openQuantity > 0 ? openCost : 0) + scrip.movedInAmount - scrip.movedOutAmount,
		sellUnits: countUnits(scrip, sellQuantity + Math.max(0, -openQuantity)),
		sellAmount: sellAmount + (openQuantity < 0 ? -openCost : 0),
	}
}

/** False for a security that a split turned into another before anything was sold: its whole position is in the other's row. */
export function hasProfitAndLoss(scrip: ScripPeriod): boolean {
	const { buyUnits, sellUnits } = withOpening(scrip)
	return buyUnits !== 0 || sellUnits !== 0 || scrip.charges !== 0
}

/** What came in and what went out, traded or not: splits and demergers count as bought and sold at cost. In units and paise. */
export function withMoves(scrip: ScripPeriod) {
	return {
		inUnits: countUnits(scrip, scrip.buyQuantity + scrip.movedInQuantity),
		inAmount: scrip.buyAmount + scrip.movedInAmount,
		outUnits: countUnits(scrip, scrip.sellQuantity + scrip.movedOutQuantity),
		outAmount: scrip.sellAmount + scrip.movedOutAmount,
	}
}

/** Rows of profit and loss, with the row of totals. */
export function pnlReportRows(scrips: readonly ScripPeriod[]): z.input<typeof Pnl> {
	const sides = scrips.map(withOpening)
	return {
		filtered_df: scrips.map((scrip, at) => {
			const { buyUnits, buyAmount, sellUnits, sellAmount } = sides[at] ?? withOpening(scrip)
			return {
				SCRIP_NAME: scrip.name,
				ISIN: findIsin(scrip),
				BUY_QTY: buyUnits,
				BUY_RATE: computeRate(buyAmount, buyUnits),
				BUY_AMT: toRupees(buyAmount),
				SELL_QTY: sellUnits,
				SELL_RATE: computeRate(sellAmount, sellUnits),
				SELL_AMT: toRupees(sellAmount),
				OPEN_QTY: countUnits(scrip, scrip.closeQuantity),
				CLOSE_PRICE: toPrice(scrip.close),
				REALISED: toRupees(scrip.realised),
				UNREALISED: toRupees(computeUnrealised(scrip)),
				CHARGES: toRupees(scrip.charges),
			}
		}),
		totals_df: [
			{
				BUY_AMT: toRupees(sumBy(sides, (side) => side.buyAmount)),
				SELL_AMT: toRupees(sumBy(sides, (side) => side.sellAmount)),
				REALISED: toRupees(sumBy(scrips, (scrip) => scrip.realised)),
				UNREALISED: toRupees(sumBy(scrips, computeUnrealised)),
				CHARGES: toRupees(sumBy(scrips, (scrip) => scrip.charges)),
			},
		],
	}
}

/** One row for each segment with data, in the usual order. */
export function segmentRows(scrips: readonly ScripPeriod[]): z.input<typeof PnlSegments> {
	return Segment.options.flatMap((SEGMENT) => {
		const own = scrips.filter(({ segment }) => segment === SEGMENT)
		if (own.length === 0) return []
		const realised = sumBy(own, (scrip) => scrip.realised)
		const unrealised = sumBy(own, computeUnrealised)
		const charges = sumBy(own, (scrip) => scrip.charges)
		return [
			{
				SEGMENT,
				REALISED: toRupees(realised),
				UNREALISED: toRupees(unrealised),
				CHARGES: toRupees(charges),
				NET: toRupees(realised + unrealised - charges),
			},
		]
	})
}

/** Rows of the global summary, with the one row of totals. */
export function globalSummaryRows(scrips: readonly ScripPeriod[]): z.input<typeof GlobalSummary> {
	return {
		filtered_df: scrips.map((scrip) => {
			const { inUnits, inAmount, outUnits, outAmount } = withMoves(scrip)
			return {
				SCRIP_NAME: scrip.name,
				ISIN: findIsin(scrip),
				OPEN_QTY: countUnits(scrip, scrip.openQuantity),
				OPEN_AMT: toRupees(scrip.openCost),
				BUY_QTY: inUnits,
				BUY_AMT: toRupees(inAmount),
				SELL_QTY: outUnits,
				SELL_AMT: toRupees(outAmount),
				CLOSE_QTY: countUnits(scrip, scrip.closeQuantity),
				CLOSE_AMT: toRupees(scrip.closeCost),
				CLOSE_PRICE: toPrice(scrip.close),
				CLOSE_VALUE: toRupees(scrip.closeValue),
				REALISED: toRupees(scrip.realised),
				UNREALISED: toRupees(computeUnrealised(scrip)),
			}
		}),
		totals_df: [
			{
				OPEN_AMT: toRupees(sumBy(scrips, (scrip) => scrip.openCost)),
				BUY_AMT: toRupees(sumBy(scrips, (scrip) => withMoves(scrip).inAmount)),
				SELL_AMT: toRupees(sumBy(scrips, (scrip) => withMoves(scrip).outAmount)),
				CLOSE_AMT: toRupees(sumBy(scrips, (scrip) => scrip.closeCost)),
				CLOSE_VALUE: toRupees(sumBy(scrips, (scrip) => scrip.closeValue)),
				REALISED: toRupees(sumBy(scrips, (scrip) => scrip.realised)),
				UNREALISED: toRupees(sumBy(scrips, computeUnrealised)),
			},
		],
	}
}

const indexes = /^(NIFTY|BANKNIFTY|FINNIFTY|MIDCPNIFTY|SENSEX)/

function instrumentCode({ segment, kind, instrument }: ScripPeriod) {
	if (segment === 'MCX') return 'FUTCOM'
	if (segment === 'CD_NSE') return 'FUTCUR'
	const isIndex = indexes.test(instrument)
	if (kind === 'OPTION') return isIndex ? 'OPTIDX' : 'OPTSTK'
	return isIndex ? 'FUTIDX' : 'FUTSTK'
}

/** Contracts that are still open, with their figures of the period. */
export function positionReport(scrips: readonly ScripPeriod[]): z.input<typeof PositionReport> {
	const open = scrips.filter(({ expiry, closeQuantity }) => expiry !== null && closeQuantity !== 0)
	return {
		filtered_df: open.map((scrip) => {
			const { buyUnits, buyAmount, sellUnits, sellAmount } = withOpening(scrip)
			const units = countUnits(scrip, scrip.closeQuantity)
			return {
				COCD: scrip.segment,
				SYMBOL: scrip.symbol.replace(/\d{2}[A-Z]{3}(\d+(CE|PE)|FUT)$/, ''),
				SCRIP_NAME: scrip.name,
				INSTRUMENT: instrumentCode(scrip),
				EXPIRY: scrip.expiry,
				STRIKE: scrip.strike === null ? null : toPrice(scrip.strike),
				OPTION_TYPE: scrip.optionType,
				BUY_QTY: buyUnits,
				BUY_AVG: computeRate(buyAmount, buyUnits),
				SELL_QTY: sellUnits,
				SELL_AVG: computeRate(sellAmount, sellUnits),
				NET_QTY: units,
				NET_AVG: computeRate(scrip.closeCost, units),
				CLOSE_PRICE: toPrice(scrip.close),
				MTM: toRupees(computeUnrealised(scrip)),
				REALISED: toRupees(scrip.realised),
				MTM_PAID: toRupees(scrip.kind === 'FUTURE' ? computeUnrealised(scrip) : 0),
			}
		}),
		totals_df: [{ MTM: toRupees(sumBy(open, computeUnrealised)), REALISED: toRupees(sumBy(open, (scrip) => scrip.realised)) }],
	}
}
