import { expect, test } from 'vitest'
import { type ScripPeriod } from '#sandbox/book/read-scrips'
import { globalSummaryRows, hasProfitAndLoss, pnlReportRows } from './scrip-rows'

const HELD: ScripPeriod = {
	instrument: 'INE154A01025',
	symbol: 'ITC',
	name: 'ITC Ltd.',
	kind: 'EQUITY',
	segment: 'NSE_CASH',
	multiplier: 1,
	expiry: null,
	strike: null,
	optionType: null,
	openQuantity: 100,
	openCost: 20_000_00,
	buyQuantity: 300,
	buyAmount: 90_000_00,
	sellQuantity: 150,
	sellAmount: 73_800_00,
	movedInQuantity: 250,
	movedInAmount: 67_500_00,
	movedOutQuantity: 250,
	movedOutAmount: 75_000_00,
	realised: 38_800_00,
	closeQuantity: 250,
	closeCost: 67_500_00,
	unknownQuantity: 0,
	unknownProceeds: 0,
	charges: 0,
	close: 410_0000,
	closeDay: '2025-03-31',
	closeValue: 102_500_00,
	knownValue: 102_500_00,
}

/*
 * 100 shares at 200.00 are held and 300 are bought at 300.00. 150 are sold at 492.00: by FIFO the 100 and 50 of the 300, which cost
 * 20,000.00 + 15,000.00, so 73,800.00 - 35,000.00 = 38,800.00 is realised. Then a tenth of the cost of the other 250, 75,000.00, moves to
 * a new company.
 */
test('a demerger is no sale: it only moves cost', () => {
	const [row] = pnlReportRows([HELD]).filtered_df
	// 20,000.00 + 90,000.00 - 7,500.00.
	expect(row).toMatchObject({ BUY_QTY: 400, BUY_AMT: 102_500, SELL_QTY: 150, SELL_RATE: 492, SELL_AMT: 73_800, OPEN_QTY: 250 })
	// In the global summary the old shares go out and the new come in, so that opening + bought - sold = closing.
	const [summed] = globalSummaryRows([HELD]).filtered_df
	expect(summed).toMatchObject({ OPEN_QTY: 100, BUY_QTY: 550, BUY_AMT: 157_500, SELL_QTY: 400, SELL_AMT: 148_800, CLOSE_QTY: 250 })
	const nothing = { openQuantity: 0, openCost: 0, buyQuantity: 0, buyAmount: 0, sellQuantity: 0, sellAmount: 0, realised: 0 }
	const born = {
		...HELD,
		...nothing,
		movedInQuantity: 25,
		movedInAmount: 7_500_00,
		movedOutQuantity: 0,
		movedOutAmount: 0,
		closeQuantity: 25,
	}
	expect(pnlReportRows([born]).filtered_df).toMatchObject([{ BUY_QTY: 25, BUY_RATE: 300, BUY_AMT: 7_500, SELL_QTY: 0, OPEN_QTY: 25 }])
})

test('a security that a split turned into another has no row of its own', () => {
	const kept = { ...HELD, buyQuantity: 0, buyAmount: 0, sellQuantity: 0, sellAmount: 0, movedInQuantity: 0, movedInAmount: 0 }
	const turned = { ...kept, movedOutQuantity: 100, movedOutAmount: 20_000_00, closeQuantity: 0, closeCost: 0, realised: 0 }
	expect([hasProfitAndLoss(HELD), hasProfitAndLoss(turned)]).toEqual([true, false])
	expect(pnlReportRows([turned]).totals_df).toMatchObject([{ BUY_AMT: 0, SELL_AMT: 0 }])
})
