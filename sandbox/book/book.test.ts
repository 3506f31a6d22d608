import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sumQuantity } from '#sandbox/rules/fifo'
import { type TradeSide } from '#sandbox/rules/segments'
import { bookCorporateAction, tenderBuyback } from './actions'
import { type Book, openBook, type Positions, openQueue } from './book'
import { postDpCharge, postFunding, postMargin, postPayIn, postPayOut, postTransfer } from './entries'
import { openLot } from './lots'
import { bookTrades, type Execution } from './trading'
import { openJournal, postVoucher, readMovement } from './voucher'

const place = { client: 'DEMO01', cocd: 'NSE_CASH', day: '2026-06-10' } as const

function execute(instrument: string, side: TradeSide, quantity: number, rupees: number, more: Partial<Execution> = {}): Execution {
	const base = {
		instrument,
		kind: 'EQUITY',
		series: 'EQ',
		multiplier: 1,
		time: '10:00:00',
		order_no: `${instrument}${side}`,
		trade_no: '1',
	} as const
	return { ...base, side, quantity, price: rupees * 10_000, ...more }
}

describe('vouchers', () => {
	test('refuses sides that do not sum to zero', () => {
		const draft = {
			day: place.day,
			type: 'JOURNAL',
			narration: 'X',
			sides: [{ account: 'CLIENT', client: 'A', cocd: 'MCX', amount: 5 }],
		} as const
		expect(() => postVoucher(openJournal(), draft)).toThrow('5 paise apart')
		expect(() => postVoucher(openJournal(), { ...draft, sides: [] })).toThrow('nothing to post')
	})

	test('numbers vouchers by kind and day', () => {
		const journal = openJournal()
		const numbers = [1, 2].map((amount) => postPayIn(journal, place, amount, 'UPI', '1').voucher_no)
		expect(numbers).toEqual(['RC2606100001', 'RC2606100002'])
		expect(postDpCharge(journal, place, 'INFY', false).voucher_no).toBe('JV2606100001')
		expect(readMovement(journal, 'CLIENT', 'DEMO01', 'NSE_CASH')).toBe(3 - 1534)
	})

	test('stays in balance with any postings', () => {
		const amount = fc.integer({ min: 1, max: 1e9 })
		const kind = fc.constantFrom('in', 'out', 'margin', 'fund', 'move', 'dp')
		fc.assert(
			fc.property(fc.array(fc.tuple(kind, amount), { minLength: 1, maxLength: 30 }), (entries) => {
				const journal = openJournal()
				for (const [what, paise] of entries) {
					if (what === 'in') postPayIn(journal, place, paise, 'UPI', '1')
					if (what === 'out') postPayOut(journal, place, paise, 'CLIENT REQUEST', '1')
					if (what === 'margin') postMargin(journal, place, -paise)
					if (what === 'fund') postFunding(journal, place, paise, 'BEL')
					if (what === 'move') postTransfer(journal, place, 'MCX', paise)
					if (what === 'dp') postDpCharge(journal, place, 'INFY', paise % 2 === 0)
				}
				const sums = new Map<number, number>()
				for (const { voucher_id, amount: side } of journal.postings) sums.set(voucher_id, (sums.get(voucher_id) ?? 0) + side)
				expect([...sums.values()].every((sum) => sum === 0)).toBe(true)
				expect(sums.size).toBe(entries.length)
			}),
			{ numRuns: 200 },
		)
	})
})

const trading = { client: 'DEMO01', day: '2026-06-10', segment: 'NSE_CASH', isIntraState: true } as const

describe('booking trades', () => {
	test('posts the example note as one bill', () => {
		const book = openBook()
		const positions: Positions = new Map()
		const lot = { side: 'L', opened_on: '2024-01-02', quantity: 50, cost: 50_000_00, expenses: 100, origin: 'TRADE' } as const
		openLot(book, positions, { client: 'DEMO01', instrument: 'INFY', segment: 'NSE_CASH' }, lot)
		const note = bookTrades(book, positions, trading, [
			execute('RELIANCE', 'B', 100, 1250),
			execute('INFY', 'S', 50, 1150),
			execute('SBIN', 'B', 200, 1000),
			execute('SBIN', 'S', 200, 1004),
		])
		expect(note.net).toBe(-67_505_11)
		expect(note.settles_on).toBe('2026-06-11')
		expect(book.vouchers).toHaveLength(1)
		expect(book.vouchers[0]).toMatchObject({ voucher_no: 'BL2606100001', bill_no: 'NC26061001', settles_on: '2026-06-11' })
		expect(book.vouchers[0]?.narration).toMatch(/^BILL NSE CASH M2026\d{3}$/)
		expect(readMovement(book, 'CLIENT', 'DEMO01', 'NSE_CASH')).toBe(-67_505_11)
		expect(book.disposals.map(({ quantity, proceeds, cost, is_intraday }) => [quantity, proceeds, cost, is_intraday])).toEqual([
			[50, 57_500_00, 50_000_00, false],
			[200, 2_00_800_00, 2_00_000_00, true],
		])
	})

	test('refuses to sell shares that are not held', () => {
		expect(() => bookTrades(openBook(), new Map(), trading, [execute('INFY', 'S', 1, 100)])).toThrow('too many')
	})

	test('realises a future only on the closed part, long or short, over several days', () => {
		const book = openBook()
		const positions: Positions = new Map()
		const future = (day: string, ...trades: [TradeSide, number, number][]) =>
			bookTrades(
				book,
				positions,
				{ ...trading, day, segment: 'MCX' },
				trades.map(([side, quantity, rupees], at) =>
					execute('GOLDM', side, quantity, rupees, { kind: 'FUTURE', multiplier: 10, order_no: String(at) }),
				),
			)
		expect(future('2026-06-10', ['B', 2, 120_000]).obligation).toBe(0)
		expect(future('2026-06-11', ['S', 3, 120_600]).obligation).toBe(2 * 10 * 600_00)
		expect(sumQuantity(openQueue(positions, 'GOLDM'))).toBe(-1)
		expect(future('2026-06-12', ['B', 1, 120_500]).obligation).toBe(10 * 100_00)
		// Opened and closed within a day. The opening's charges are on the lot and on its disposal.
		expect(future('2026-06-15', ['B', 1, 120_000], ['S', 1, 120_600]).net).toBe(5_745_34)
		const last = book.lots.at(-1)
		expect(book.disposals.at(-1)?.expenses).toBe(last?.expenses)
		expect(readMovement(book, 'CLIENT', 'DEMO01', 'MCX')).toBe(book.notes.reduce((sum, note) => sum + note.net, 0))
	})

	test('keeps holdings equal to buys less sales adjusted for actions, and no lot negative', () => {
		const step = fc.record({
			side: fc.constantFrom<TradeSide>('B', 'S'),
			quantity: fc.integer({ min: 1, max: 300 }),
			rupees: fc.integer({ min: 1, max: 5000 }),
			bonus: fc.boolean(),
		})
		fc.assert(
			fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
				const book = openBook()
				const positions: Positions = new Map()
				let held = 0
				for (const [at, { side, quantity, rupees, bonus }] of steps.entries()) {
					const day = `2025-09-${String(at + 1).padStart(2, '0')}`
					if (bonus) {
						bookCorporateAction(book, positions, 'DEMO01', {
							id: at,
							instrument: 'X',
							ex_day: day,
							kind: 'BONUS',
							numerator: 1,
							denominator: 2,
						})
						held += Math.floor(held / 2)
					}
					if (side === 'S' && held === 0) continue
					const traded = side === 'S' ? Math.min(quantity, held) : quantity
					// Every day of the month is a session here, because the calendar is not tested.
					bookTrades(book, positions, { ...trading, segment: 'NSE_CASH', day: '2025-09-01' }, [execute('X', side, traded, rupees)])
					held += side === 'B' ? traded : -traded
					expect(sumQuantity(openQueue(positions, 'X'))).toBe(held)
				}
				const taken = new Map<number, number>()
				for (const { lot_id, quantity } of book.disposals) taken.set(lot_id, (taken.get(lot_id) ?? 0) + quantity)
				for (const lot of book.lots) expect(lot.quantity - (taken.get(lot.id) ?? 0)).toBeGreaterThanOrEqual(0)
				for (const note of book.notes) {
					const own = book.trades.filter(({ bill_no }) => bill_no === note.bill_no)
					expect(own.reduce((sum, trade) => sum + trade.charges, 0)).toBe(note.obligation - note.net)
				}
			}),
			{ numRuns: 100 },
		)
	})
})

describe('corporate actions on the book', () => {
	test('moves a split to the new ISIN and a demerger to two, realising nothing', () => {
		const book = openBook()
		const positions: Positions = new Map()
		const lot = { side: 'L', opened_on: '2023-01-02', quantity: 100, cost: 40_000_00, expenses: 101, origin: 'TRADE' } as const
		for (const instrument of ['OLD', 'TATA']) openLot(book, positions, { client: 'A', instrument, segment: 'NSE_CASH' }, lot)
		const action = { id: 1, ex_day: '2026-01-14', numerator: 5, denominator: 1 }
		bookCorporateAction(book, positions, 'A', { ...action, instrument: 'OLD', kind: 'SPLIT', into_instrument: 'NEW' })
		const demerger = { ...action, numerator: 1, instrument: 'TATA', kind: 'DEMERGER', into_instrument: 'TMCV', cost_moved_bps: 3115 }
		bookCorporateAction(book, positions, 'A', demerger)
		const held = [...positions].map(([id, queue]) => [id, sumQuantity(queue), queue[0]?.cost, queue[0]?.acquired_on])
		expect(held).toEqual([
			['OLD', 0, undefined, undefined],
			['TATA', 100, 27_540_00, '2023-01-02'],
			['NEW', 500, 40_000_00, '2023-01-02'],
			['TMCV', 100, 12_460_00, '2023-01-02'],
		])
		expect(book.disposals.map(({ kind, proceeds, cost }) => [kind, proceeds === cost])).toEqual([
			['SPLIT', true],
			['DEMERGER', true],
		])
		expect(book.vouchers).toEqual([])
	})

	test('gives the new shares of a demerger for the whole holding, not lot by lot', () => {
		const book = openBook()
		const positions: Positions = new Map()
		// ITC Hotels, one for ten: 7 + 15 + 9 = 31 shares make 3. After 7 there is none, after 22 there are 2, after 31 there are 3.
		for (const quantity of [7, 15, 9]) {
			const lot = { side: 'L', opened_on: '2023-01-02', quantity, cost: quantity * 400_00, expenses: 0, origin: 'TRADE' } as const
			openLot(book, positions, { client: 'A', instrument: 'ITC', segment: 'NSE_CASH' }, lot)
		}
		const action = { id: 1, ex_day: '2025-01-06', numerator: 1, denominator: 10, cost_moved_bps: 1351 }
		bookCorporateAction(book, positions, 'A', { ...action, instrument: 'ITC', kind: 'DEMERGER', into_instrument: 'HOTELS' })
		// The second lot moves 13.51 % of 15 x 400.00 = 810.60, the third 13.51 % of 9 x 400.00 = 486.36. The first lot's 378.28 are
		// dropped with its fraction of a share.
		expect(positions.get('HOTELS')?.map(({ quantity, cost }) => [quantity, cost])).toEqual([
			[2, 810_60],
			[1, 486_36],
		])
		expect(positions.get('ITC')?.map(({ quantity, cost }) => [quantity, cost])).toEqual([
			[7, 2_800_00 - 378_28],
			[15, 6_000_00 - 810_60],
			[9, 3_600_00 - 486_36],
		])
	})

	const INFY = 'INE009A01021'
	const [KOTAK_BEFORE, KOTAK] = ['INE237A01028', 'INE237A01036']
	const pay = (book: Book, positions: Positions, instrument: string, ex_day: string, rupees: number) =>
		bookCorporateAction(book, positions, 'A', {
			id: 1,
			instrument,
			ex_day,
			kind: 'DIVIDEND',
			numerator: 1,
			denominator: 1,
			amount: rupees * 10_000,
		})
	const hold = (book: Book, positions: Positions, instrument: string) =>
		openLot(
			book,
			positions,
			{ client: 'A', instrument, segment: 'NSE_CASH' },
			{ side: 'L', opened_on: '2023-01-02', quantity: 100, cost: 1_00_000_00, expenses: 0, origin: 'TRADE' },
		)
	const listPaid = ({ dividends }: Book) => dividends.map(({ amount, tds }) => [amount / 100, (tds ?? 0) / 100])

	test('deducts a tenth of a company’s payments of the year once they exceed the limit', () => {
		const book = openBook()
		const positions: Positions = new Map()
		for (const instrument of [INFY, KOTAK_BEFORE, KOTAK]) hold(book, positions, instrument)
		// 2024-25, limit 5,000: 3,000 + 2,000 do not exceed it. With 500 more it is 5,500, and the tax is a tenth of that, 550; then a
		// tenth of each payment.
		for (const [day, rupees] of [
			['2024-06-03', 30],
			['2024-08-01', 20],
			['2024-11-01', 5],
			['2025-03-31', 10],
		] as const)
			pay(book, positions, INFY, day, rupees)
		// A new year with a limit of 10,000: 9,000 + 1,000 do not exceed it. The receipt of a buyback of 2025 is a dividend: 20 x 1,800
		// = 36,000.
		pay(book, positions, INFY, '2025-06-02', 90)
		pay(book, positions, INFY, '2025-08-01', 10)
		const buyback = { id: 2, instrument: INFY, ex_day: '2025-11-26', kind: 'BUYBACK', numerator: 1, denominator: 4, amount: 18_000_000 }
		tenderBuyback(book, positions, 'A', buyback, 20)
		expect(listPaid(book)).toEqual([
			[3_000, 0],
			[2_000, 0],
			[500, 550],
			[1_000, 100],
			[9_000, 0],
			[1_000, 0],
			// (10,000 + 36,000) / 10.
			[36_000, 4_600],
		])
		// One company under two ISINs, before and after a split: 6,000 and 6,000 in a year.
		const split = openBook()
		pay(split, positions, KOTAK_BEFORE, '2025-07-01', 60)
		pay(split, positions, KOTAK, '2026-02-02', 60)
		expect(listPaid(split)).toEqual([
			[6_000, 0],
			[6_000, 1_200],
		])
	})

	test('posts a company’s payment to the tax and the client’s own bank, and nothing to the ledger', () => {
		const book = openBook()
		const positions: Positions = new Map()
		hold(book, positions, INFY)
		pay(book, positions, INFY, '2025-06-02', 120)
		expect(book.postings.map(({ account, client, amount }) => [account, client, amount])).toEqual([
			['ISSUER', undefined, -12_000_00],
			['TDS', 'A', 1_200_00],
			['OWN_BANK', 'A', 10_800_00],
		])
		// From 1-Apr-2026 a buyback is a sale: all of 10 x 1,900 reaches the bank.
		const buyback = { id: 2, instrument: INFY, ex_day: '2026-06-10', kind: 'BUYBACK', numerator: 1, denominator: 4, amount: 19_000_000 }
		tenderBuyback(book, positions, 'A', buyback, 10)
		expect(book.postings.slice(3).map(({ account, amount }) => [account, amount])).toEqual([
			['ISSUER', -19_000_00],
			['OWN_BANK', 19_000_00],
		])
		expect(book.vouchers.map(({ narration }) => narration)).toEqual([`DIVIDEND ${INFY}`, `BUYBACK ${INFY}`])
	})
})
