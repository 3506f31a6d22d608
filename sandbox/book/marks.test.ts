import { expect, test } from 'vitest'
import { type TradeSide } from '#sandbox/rules/segments'
import { openBook, type Positions } from './book'
import { bookMark } from './marks'
import { bookTrades } from './trading'
import { readMovement } from './voucher'

/*
 * Gold Mini, ten units a lot, over the end of the year of 2025-26. Cash by day, and what is realised when:
 *   27 March  bought 2 at 1,20,000; closes at 1,20,500: 2 × 10 × 500           = +10,000
 *   30 March  closes at 1,19,800: 2 × 10 × -700                                = -14,000   the year ends 4,000 down, nothing realised
 *   2 April   sold 1 at 1,20,300: 10 × (1,20,300 - 1,19,800)                   =  +5,000   realised 10 × 300 = 3,000
 *             closes at 1,20,100: 1 × 10 × 300                                 =  +3,000
 *   6 April   sold 2 at 1,20,400: of the one that is closed 10 × 300           =  +3,000   realised 10 × 400 = 4,000
 *             closes at 1,20,600: the short has lost 10 × 200                  =  -2,000
 *   7 April   bought 1 at 1,20,200: 10 × (1,20,600 - 1,20,200)                 =  +4,000   realised 10 × 200 = 2,000
 * In total 9,000 in cash and 9,000 realised: -4,000 and 0 in the first year, 13,000 and 9,000 in the second.
 */
test('pays a future daily, and realises it once, when it is closed', () => {
	const book = openBook()
	const positions: Positions = new Map()
	const trading = { client: 'DEMO01', segment: 'MCX', isIntraState: true } as const
	const trade = (day: string, side: TradeSide, quantity: number, rupees: number) => {
		const contract = { instrument: 'GOLDM', kind: 'FUTURE', series: 'XX', multiplier: 10 } as const
		const execution = { ...contract, side, quantity, price: rupees * 10_000, time: '10:00:00', order_no: day, trade_no: day }
		return bookTrades(book, positions, { ...trading, day }, [execution]).obligation
	}
	const close = (day: string, rupees: number) => {
		const place = { client: 'DEMO01', segment: 'MCX', instrument: 'GOLDM', day, price: rupees * 10_000 } as const
		bookMark(book, positions, place, 10)
	}
	expect(trade('2026-03-27', 'B', 2, 1_20_000)).toBe(0)
	close('2026-03-27', 1_20_500)
	close('2026-03-30', 1_19_800)
	expect(trade('2026-04-02', 'S', 1, 1_20_300)).toBe(5_000_00)
	close('2026-04-02', 1_20_100)
	// An unchanged close makes no bill.
	close('2026-04-02', 1_20_100)
	expect(trade('2026-04-06', 'S', 2, 1_20_400)).toBe(3_000_00)
	close('2026-04-06', 1_20_600)
	expect(trade('2026-04-07', 'B', 1, 1_20_200)).toBe(4_000_00)
	close('2026-04-07', 1_21_000)

	expect(book.marks.map(({ day, quantity, stood, amount }) => [day, quantity, stood, amount])).toEqual([
		['2026-03-27', 2, 24_00_000_00, 10_000_00],
		['2026-03-30', 2, 24_10_000_00, -14_000_00],
		['2026-04-02', 1, 11_98_000_00, 3_000_00],
		['2026-04-06', -1, -12_04_000_00, -2_000_00],
	])
	const realised = book.disposals.map(({ day, lot_id, cost, proceeds }) => {
		const isShort = book.lots.find(({ id }) => id === lot_id)?.side === 'S'
		return [day, isShort ? (cost ?? 0) - proceeds : proceeds - (cost ?? 0)]
	})
	expect(realised).toEqual([
		['2026-04-02', 3_000_00],
		['2026-04-06', 4_000_00],
		['2026-04-07', 2_000_00],
	])
	// Each mark is a separate bill: no trade, no charge, one voucher, settled like trades of the day (1 April is no settlement day).
	const marks = book.notes.filter(({ bill_no }) => book.marks.some((mark) => mark.bill_no === bill_no))
	expect(marks.every(({ obligation, net }) => obligation === net)).toBe(true)
	expect(new Set(book.notes.map(({ bill_no }) => bill_no)).size).toBe(book.notes.length)
	expect(
		book.vouchers.filter(({ narration }) => narration.startsWith('MTM')).map((row) => [row.day, row.narration, row.settles_on]),
	).toEqual([
		['2026-03-27', 'MTM GOLDM C20260327', '2026-03-30'],
		['2026-03-30', 'MTM GOLDM C20260330', expect.stringMatching(/^2026-0[34]-\d\d$/)],
		['2026-04-02', 'MTM GOLDM C20260402', expect.stringMatching(/^2026-04-\d\d$/)],
		['2026-04-06', 'MTM GOLDM C20260406', '2026-04-07'],
	])
	const charges = book.notes.reduce((sum, { obligation, net }) => sum + obligation - net, 0)
	expect(charges).toBeGreaterThan(0)
	expect(readMovement(book, 'CLIENT', 'DEMO01', 'MCX')).toBe(9_000_00 - charges)
	expect(book.postings.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
})
