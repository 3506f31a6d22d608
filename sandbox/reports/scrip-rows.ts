import { type z } from 'zod/v4'
import { type Pnl, type PnlSegments } from '#contract/pnl'
import { type GlobalSummary, type PositionReport } from '#contract/reports'
import { Segment } from '#contract/units'
import { rupeesOf } from '#contract/values/money'
import { isinOf, priceOf, rateOf, type ScripPeriod, unitsOf, unrealisedOf } from '#sandbox/book/read-scrips'
import { sumBy } from './grouped'

/** What was bought and sold with what was open at the start: long with the purchases, short with the sales. In units and paise. */
export function withOpening(scrip: ScripPeriod) {
	const { openQuantity, openCost, buyQuantity, buyAmount, sellQuantity, sellAmount } = scrip
	return {
		buyUnits: unitsOf(scrip, buyQuantity + Math.max(0, openQuantity)),
		buyAmount: buyAmount + (openQuantity > 0 ? openCost : 0),
		sellUnits: unitsOf(scrip, sellQuantity + Math.max(0, -openQuantity)),
		sellAmount: sellAmount + (openQuantity < 0 ? -openCost : 0),
	}
}

/** Rows of profit and loss, with the one row of totals. */
export function pnlReport(scrips: readonly ScripPeriod[]): z.input<typeof Pnl> {
	const sides = scrips.map(withOpening)
	return {
		filtered_df: scrips.map((scrip, at) => {
			const { buyUnits, buyAmount, sellUnits, sellAmount } = sides[at] ?? withOpening(scrip)
			return {
				SCRIP_NAME: scrip.name,
				ISIN: isinOf(scrip),
				BUY_QTY: buyUnits,
				BUY_RATE: rateOf(buyAmount, buyUnits),
				BUY_AMT: rupeesOf(buyAmount),
				SELL_QTY: sellUnits,
				SELL_RATE: rateOf(sellAmount, sellUnits),
				SELL_AMT: rupeesOf(sellAmount),
				OPEN_QTY: unitsOf(scrip, scrip.closeQuantity),
				CLOSE_PRICE: priceOf(scrip.close),
				REALISED: rupeesOf(scrip.realised),
				UNREALISED: rupeesOf(unrealisedOf(scrip)),
				CHARGES: rupeesOf(scrip.charges),
			}
		}),
		totals_df: [
			{
				BUY_AMT: rupeesOf(sumBy(sides, (side) => side.buyAmount)),
				SELL_AMT: rupeesOf(sumBy(sides, (side) => side.sellAmount)),
				REALISED: rupeesOf(sumBy(scrips, (scrip) => scrip.realised)),
				UNREALISED: rupeesOf(sumBy(scrips, unrealisedOf)),
				CHARGES: rupeesOf(sumBy(scrips, (scrip) => scrip.charges)),
			},
		],
	}
}

/** One row for each segment that has anything, in the usual order. */
export function segmentRows(scrips: readonly ScripPeriod[]): z.input<typeof PnlSegments> {
	return Segment.options.flatMap((SEGMENT) => {
		const own = scrips.filter(({ segment }) => segment === SEGMENT)
		if (own.length === 0) return []
		const realised = sumBy(own, (scrip) => scrip.realised)
		const unrealised = sumBy(own, unrealisedOf)
		const charges = sumBy(own, (scrip) => scrip.charges)
		return [
			{
				SEGMENT,
				REALISED: rupeesOf(realised),
				UNREALISED: rupeesOf(unrealised),
				CHARGES: rupeesOf(charges),
				NET: rupeesOf(realised + unrealised - charges),
			},
		]
	})
}

/** Rows of the global summary, with the one row of totals. */
export function globalSummary(scrips: readonly ScripPeriod[]): z.input<typeof GlobalSummary> {
	return {
		filtered_df: scrips.map((scrip) => ({
			SCRIP_NAME: scrip.name,
			ISIN: isinOf(scrip),
			OPEN_QTY: unitsOf(scrip, scrip.openQuantity),
			OPEN_AMT: rupeesOf(scrip.openCost),
			BUY_QTY: unitsOf(scrip, scrip.buyQuantity),
			BUY_AMT: rupeesOf(scrip.buyAmount),
			SELL_QTY: unitsOf(scrip, scrip.sellQuantity),
			SELL_AMT: rupeesOf(scrip.sellAmount),
			CLOSE_QTY: unitsOf(scrip, scrip.closeQuantity),
			CLOSE_AMT: rupeesOf(scrip.closeCost),
			CLOSE_PRICE: priceOf(scrip.close),
			CLOSE_VALUE: rupeesOf(scrip.closeValue),
			REALISED: rupeesOf(scrip.realised),
			UNREALISED: rupeesOf(unrealisedOf(scrip)),
		})),
		totals_df: [
			{
				OPEN_AMT: rupeesOf(sumBy(scrips, (scrip) => scrip.openCost)),
				BUY_AMT: rupeesOf(sumBy(scrips, (scrip) => scrip.buyAmount)),
				SELL_AMT: rupeesOf(sumBy(scrips, (scrip) => scrip.sellAmount)),
				CLOSE_AMT: rupeesOf(sumBy(scrips, (scrip) => scrip.closeCost)),
				CLOSE_VALUE: rupeesOf(sumBy(scrips, (scrip) => scrip.closeValue)),
				REALISED: rupeesOf(sumBy(scrips, (scrip) => scrip.realised)),
				UNREALISED: rupeesOf(sumBy(scrips, unrealisedOf)),
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

/** Contracts that are still open, with what the period did in them. */
export function positionReport(scrips: readonly ScripPeriod[]): z.input<typeof PositionReport> {
	const open = scrips.filter(({ expiry, closeQuantity }) => expiry !== null && closeQuantity !== 0)
	return {
		filtered_df: open.map((scrip) => {
			const { buyUnits, buyAmount, sellUnits, sellAmount } = withOpening(scrip)
			const units = unitsOf(scrip, scrip.closeQuantity)
			return {
				COCD: scrip.segment,
				SYMBOL: scrip.symbol.replace(/\d{2}[A-Z]{3}(\d+(CE|PE)|FUT)$/, ''),
				SCRIP_NAME: scrip.name,
				INSTRUMENT: instrumentCode(scrip),
				EXPIRY: scrip.expiry,
				STRIKE: scrip.strike === null ? null : priceOf(scrip.strike),
				OPTION_TYPE: scrip.optionType,
				BUY_QTY: buyUnits,
				BUY_AVG: rateOf(buyAmount, buyUnits),
				SELL_QTY: sellUnits,
				SELL_AVG: rateOf(sellAmount, sellUnits),
				NET_QTY: units,
				NET_AVG: rateOf(scrip.closeCost, units),
				CLOSE_PRICE: priceOf(scrip.close),
				MTM: rupeesOf(unrealisedOf(scrip)),
				REALISED: rupeesOf(scrip.realised),
				MTM_PAID: rupeesOf(scrip.kind === 'FUTURE' ? unrealisedOf(scrip) : 0),
			}
		}),
		totals_df: [{ MTM: rupeesOf(sumBy(open, unrealisedOf)), REALISED: rupeesOf(sumBy(open, (scrip) => scrip.realised)) }],
	}
}
