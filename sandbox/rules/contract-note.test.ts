import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computeNote, type Note, type ExecutedTrade, splitIntraday } from './contract-note'
import { type InstrumentKind, type TradeSide } from './segments'

function trade(
	instrument: string,
	kind: InstrumentKind,
	side: TradeSide,
	quantity: number,
	rupees: number,
	more: Partial<ExecutedTrade> = {},
): ExecutedTrade {
	const order_no = more.order_no ?? `${instrument}${side}`
	return { instrument, kind, series: 'EQ', side, quantity, price: Math.round(rupees * 10_000), multiplier: 1, order_no, ...more }
}

function sumCharge(note: Note, kind: string): number {
	return note.charges.filter((charge) => charge.kind === kind).reduce((sum, charge) => sum + charge.amount, 0)
}

describe('the contract note', () => {
	test('agrees to the paisa with the equity note of 10-Jun-2026 worked by hand', () => {
		const note = computeNote(
			[
				trade('RELIANCE', 'EQUITY', 'B', 100, 1250),
				trade('INFY', 'EQUITY', 'S', 50, 1150),
				trade('SBIN', 'EQUITY', 'B', 200, 1000),
				trade('SBIN', 'EQUITY', 'S', 200, 1004),
			],
			{ day: '2026-06-10', segment: 'NSE_CASH', isIntraState: true },
		)
		expect(note.obligation).toBe(-66_700_00)
		const amounts = ['BROKERAGE', 'EXCHANGE', 'SEBI', 'CGST', 'SGST', 'STT', 'STAMP'].map((kind) => sumCharge(note, kind))
		expect(amounts).toEqual([44516, 1791, 58, 4173, 4173, 23300, 2500])
		expect(note.net).toBe(-67_505_11)
		expect(note.shares.map((share) => share.brokerage)).toEqual([25000, 11500, 4000, 4016])
		expect(note.shares.map((share) => share.intraday_quantity)).toEqual([0, 0, 200, 200])
	})

	test('agrees with the option note worked by hand, and charges IGST once across states', () => {
		const trades = [trade('NIFTY26JUN24000CE', 'OPTION', 'S', 65, 120), trade('NIFTY26JUN24000CE', 'OPTION', 'B', 65, 80)]
		const note = computeNote(trades, { day: '2026-06-10', segment: 'NSE_FNO', isIntraState: true })
		expect(note.net).toBe(2_535_33)
		const amounts = ['BROKERAGE', 'EXCHANGE', 'SEBI', 'CGST', 'SGST', 'STT', 'STAMP'].map((kind) => sumCharge(note, kind))
		expect(amounts).toEqual([4000, 462, 1, 402, 402, 1200, 0])
		const outside = computeNote(trades, { day: '2026-06-10', segment: 'NSE_FNO', isIntraState: false })
		expect(sumCharge(outside, 'IGST')).toBe(803)
	})

	test('charges the holder of an exercised option only the tax, at the rate of the day, and the writer nothing', () => {
		const exercised = (side: TradeSide) => trade('NIFTY26MAR24000CE', 'OPTION', side, 65, 200, { is_exercise: true })
		const makeNote = (side: TradeSide, day: string) => computeNote([exercised(side)], { day, segment: 'NSE_FNO', isIntraState: true })
		const amounts = (note: Note) => note.charges.map(({ kind, rate, amount }) => `${kind} ${rate} ${amount}`)
		expect(amounts(makeNote('S', '2026-03-30'))).toEqual(['STT 0.125 1625', 'STT rounding -25'])
		expect(amounts(makeNote('S', '2026-04-28'))).toEqual(['STT 0.15 1950', 'STT rounding 50'])
		expect(makeNote('S', '2026-04-28').net).toBe(13_000_00 - 20_00)
		expect(makeNote('B', '2026-04-28')).toMatchObject({ charges: [], net: -13_000_00 })
	})

	test('agrees with the commodity note worked by hand', () => {
		const note = computeNote(
			[
				trade('GOLDM26JULFUT', 'FUTURE', 'B', 1, 120_000, { multiplier: 10 }),
				trade('GOLDM26JULFUT', 'FUTURE', 'S', 1, 120_600, { multiplier: 10, settled: 6_000_00 }),
			],
			{ day: '2026-06-10', segment: 'MCX', isIntraState: true },
		)
		const amounts = ['BROKERAGE', 'EXCHANGE', 'SEBI', 'CGST', 'SGST', 'CTT', 'STAMP'].map((kind) => sumCharge(note, kind))
		expect(amounts).toEqual([4000, 5053, 241, 836, 836, 12100, 2400])
		expect(note.net).toBe(5_745_34)
	})

	test('uses the rate of the trade day', () => {
		const sale = (day: string) =>
			sumCharge(computeNote([trade('X', 'OPTION', 'S', 1000, 100)], { day, segment: 'NSE_FNO', isIntraState: true }), 'STT')
		expect([
			sale('2023-03-31'),
			sale('2023-04-03'),
			sale('2024-09-30'),
			sale('2024-10-01'),
			sale('2026-03-30'),
			sale('2026-04-01'),
		]).toEqual([5000, 6300, 6300, 10000, 10000, 15000])
	})

	test('never treats trade-for-trade shares as intraday', () => {
		expect(
			splitIntraday([
				{ instrument: 'A', series: 'BE', side: 'B', quantity: 5 },
				{ instrument: 'A', series: 'BE', side: 'S', quantity: 5 },
			]),
		).toEqual([0, 0])
	})

	test('divides every charge among the trades without losing a paisa', () => {
		const anyTrade = fc.record({
			instrument: fc.constantFrom('A', 'B', 'C'),
			kind: fc.constantFrom<InstrumentKind>('EQUITY', 'ETF', 'OTHER_ETF'),
			side: fc.constantFrom<TradeSide>('B', 'S'),
			quantity: fc.integer({ min: 1, max: 5000 }),
			price: fc.integer({ min: 500, max: 150_000_000 }),
		})
		const isIntraState = fc.boolean()
		const days = fc.constantFrom('2022-05-02', '2024-10-01', '2026-04-01')
		fc.assert(
			fc.property(fc.array(anyTrade, { minLength: 1, maxLength: 12 }), days, isIntraState, (trades, day, isIntra) => {
				const note = computeNote(
					trades.map((each, at) => ({ ...each, series: 'EQ', multiplier: 1, order_no: String(at) })),
					{ day, segment: 'NSE_CASH', isIntraState: isIntra },
				)
				const total = note.charges.reduce((sum, charge) => sum + charge.amount, 0)
				expect(note.shares.reduce((sum, share) => sum + share.charges, 0)).toBe(total)
				expect(note.shares.reduce((sum, share) => sum + share.stt, 0)).toBe(sumCharge(note, 'STT'))
				expect(note.net).toBe(note.obligation - total)
				for (const share of note.shares) expect(share.charges).toBeGreaterThanOrEqual(0)
			}),
			{ numRuns: 300 },
		)
	})
})
