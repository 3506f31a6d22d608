import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type z } from 'zod/v4'
import { Dashboard } from '#contract/dashboard'
import { LedgerReport } from '#contract/ledger'
import { Pnl, PnlSegmentAnswer, PnlTie, ScripCharges } from '#contract/pnl'
import { GlobalDetails, GlobalSummary, HoldingReport, PositionReport, StockMoves } from '#contract/reports'
import { IncomeTax, Schedule112a, TaxFacts } from '#contract/tax'
import { Segment } from '#contract/units'
import { type Books } from '#sandbox/db/open'
import { createReader, parseWhole, strictly, sumRows, type Whole } from '#sandbox/testing/reader'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

const CODES = ['DEMO01', 'CASH01', 'DEBT01', 'CLOS01', 'NEW001']
const YEARS = ['2022', '2023', '2024', '2025', '2026']

let books: Books
let sandbox: ReturnType<typeof createTestSandbox>
const asks = new Map<string, Awaited<ReturnType<typeof sandbox.signIn>>>()

beforeAll(async () => {
	books = await openTestBooks()
	sandbox = createTestSandbox(books)
	for (const code of CODES) asks.set(code, await sandbox.signIn(code))
})
afterAll(() => books.close())

function askAs(code: string) {
	const ask = asks.get(code)
	if (!ask) throw new RangeError(`${code} is not signed in`)
	return ask
}

/** Reads a call as a client, with createReader. */
function read<Data extends z.ZodType>(code: string, path: string, data: Data, body?: object): Promise<Whole<z.output<Data>>> {
	return createReader(code, askAs(code))(path, data, body)
}

const reports = {
	holding: (code: string, year: string) => read(code, `/v2/service/reports/holding?dataYear=${year}`, HoldingReport),
	position: (code: string, year: string) => read(code, `/v2/service/reports/position?dataYear=${year}`, PositionReport),
	summary: (code: string, year: string) => read(code, `/v2/service/reports/global-summary?dataYear=${year}`, GlobalSummary),
	details: (code: string, year: string) => read(code, `/v2/service/reports/global-details?dataYear=${year}`, GlobalDetails),
	moves: (code: string, year: string) => read(code, `/v1/ours/stock-moves?year=${year}`, StockMoves),
	charges: (code: string, year: string) => read(code, `/v1/ours/scrip-charges?year=${year}`, ScripCharges),
	tie: (code: string, year: string) => read(code, `/v1/ours/pnl-tie?year=${year}`, PnlTie),
	dashboard: (code: string, year: string) => read(code, `/v1/user/dashboard?year=${year}`, Dashboard, {}),
	segments: async (code: string, year: string) => {
		const response = await askAs(code)('/v1/reports/pnl-segment', { method: 'POST', body: JSON.stringify({ client_code: code, year }) })
		const json: unknown = await response.json()
		expect(strictly(PnlSegmentAnswer).safeParse(json).error?.issues).toBeUndefined()
		return parseWhole(PnlSegmentAnswer, json).data
	},
	pnl: (code: string, year: string, type: string) => read(code, '/v1/user/report/pnl', Pnl, { year, type }),
	tax: (code: string, year: string) =>
		read(code, '/v1/user/report/incometax', IncomeTax, { financial_year: `${year}-${Number(year) + 1}` }),
	facts112a: (code: string, year: string) => read(code, `/v1/ours/schedule-112a?year=${year}`, Schedule112a),
	taxFacts: (code: string, year: string) => read(code, `/v1/ours/tax-facts?year=${year}`, TaxFacts),
}

const everywhere = CODES.flatMap((code) => YEARS.map((year) => [code, year] as const))

describe.each(everywhere)('%s in %s', (code, year) => {
	test('has one value for each figure: dashboard, P&L, summary, holding', async () => {
		const [dashboard, segments, summary, holding] = await Promise.all([
			reports.dashboard(code, year),
			reports.segments(code, year),
			reports.summary(code, year),
			reports.holding(code, year),
		])
		const pnls = await Promise.all(segments.map(async ({ SEGMENT }) => (await reports.pnl(code, year, SEGMENT)).totals_df[0]))
		const total = summary.totals_df[0]
		expect(sumRows(segments, ({ REALISED }) => REALISED)).toBe(dashboard.realised_pnl)
		expect(sumRows(segments, ({ UNREALISED }) => UNREALISED)).toBe(dashboard.unrealised_pnl)
		expect(sumRows(segments, ({ CHARGES }) => CHARGES)).toBe(dashboard.charges)
		for (const [at, { REALISED, UNREALISED, CHARGES, NET }] of segments.entries()) {
			expect(pnls[at]).toMatchObject({ REALISED, UNREALISED, CHARGES })
			expect(NET).toBe(REALISED + UNREALISED - CHARGES)
		}
		expect([total?.REALISED, total?.UNREALISED]).toEqual([dashboard.realised_pnl, dashboard.unrealised_pnl])
		expect(sumRows(holding, ({ VALUE }) => VALUE)).toBe(sumRows(dashboard.allocation, ({ value }) => value))
		const last = dashboard.history.at(-1)
		// The last month of a year that is over ends on the year's last trading day.
		if (last && year !== '2026') expect(sumRows(holding, ({ INVESTED }) => INVESTED)).toBe(last.invested)
		for (const row of holding) expect(row.FREE_QTY + row.PLEDGE_QTY + row.UNSETTLED_QTY).toBe(row.QTY)
	})

	test('has totals that add up the rows, and rows that add up in themselves', async () => {
		const [summary, position, segments] = await Promise.all([
			reports.summary(code, year),
			reports.position(code, year),
			reports.segments(code, year),
		])
		for (const row of summary.filtered_df) {
			expect(row.CLOSE_QTY).toBe(row.OPEN_QTY + row.BUY_QTY - row.SELL_QTY)
			expect(row.CLOSE_AMT, row.SCRIP_NAME).toBe(row.OPEN_AMT + row.BUY_AMT + row.REALISED - row.SELL_AMT)
		}
		expect(position.totals_df[0]).toEqual({
			MTM: sumRows(position.filtered_df, ({ MTM }) => MTM),
			REALISED: sumRows(position.filtered_df, ({ REALISED }) => REALISED),
		})
		for (const row of position.filtered_df) expect(row.NET_QTY).toBe(row.BUY_QTY - row.SELL_QTY)
		for (const { SEGMENT } of segments) {
			const { filtered_df, totals_df } = await reports.pnl(code, year, SEGMENT)
			expect(totals_df[0]).toEqual({
				BUY_AMT: sumRows(filtered_df, ({ BUY_AMT }) => BUY_AMT),
				SELL_AMT: sumRows(filtered_df, ({ SELL_AMT }) => SELL_AMT),
				REALISED: sumRows(filtered_df, ({ REALISED }) => REALISED),
				UNREALISED: sumRows(filtered_df, ({ UNREALISED }) => UNREALISED),
				CHARGES: sumRows(filtered_df, ({ CHARGES }) => CHARGES),
			})
			for (const row of filtered_df) expect(row.OPEN_QTY, row.SCRIP_NAME).toBe(row.BUY_QTY - row.SELL_QTY)
		}
	})

	test('has details and stock moves that sum to the summary, and charges that sum to the notes', async () => {
		const [summary, details, moves, charges, segments] = await Promise.all([
			reports.summary(code, year),
			reports.details(code, year),
			reports.moves(code, year),
			reports.charges(code, year),
			reports.segments(code, year),
		])
		for (const row of summary.filtered_df) {
			const own = [...details, ...moves].filter(({ SCRIP_NAME, ISIN }) => SCRIP_NAME === row.SCRIP_NAME && ISIN === row.ISIN)
			for (const [side, quantity, amount] of [
				['BUY', row.BUY_QTY, row.BUY_AMT],
				['SELL', row.SELL_QTY, row.SELL_AMT],
			] as const) {
				const lines = own.filter(({ SIDE }) => SIDE === side)
				expect([row.SCRIP_NAME, side, sumRows(lines, ({ QTY }) => QTY), sumRows(lines, ({ AMOUNT }) => AMOUNT)]).toEqual([
					row.SCRIP_NAME,
					side,
					quantity,
					amount,
				])
			}
		}
		for (const row of charges) {
			expect(row.TOTAL).toBe(row.BROKERAGE + row.EXCHANGE + row.SEBI + row.GST + row.STT + row.STAMP)
		}
		for (const segment of segments) {
			const own = charges.filter(({ SEGMENT }) => SEGMENT === segment.SEGMENT)
			expect(sumRows(own, ({ TOTAL }) => TOTAL)).toBe(segment.CHARGES)
		}
		expect(sumRows(details, ({ BROKERAGE, CHARGES }) => BROKERAGE + CHARGES)).toBe(sumRows(charges, ({ TOTAL }) => TOTAL))
		for (const row of details) {
			expect(row.NET_AMT).toBe((row.SIDE === 'SELL' ? row.AMOUNT : -row.AMOUNT) - row.BROKERAGE - row.CHARGES)
		}
	})

	test('has a P&L that counts a split or demerger neither as bought nor as sold', async () => {
		const [pnl, details, moves] = await Promise.all([
			reports.pnl(code, year, 'NSE_CASH'),
			reports.details(code, year),
			reports.moves(code, year),
		])
		const isTurned = ({ KIND }: { KIND: string }) => KIND === 'SPLIT' || KIND === 'DEMERGER'
		const sold = [...details, ...moves.filter((move) => !isTurned(move))].filter(({ SIDE, ISIN }) => SIDE === 'SELL' && ISIN !== null)
		for (const row of pnl.filtered_df) {
			const own = sold.filter(({ ISIN }) => ISIN === row.ISIN)
			const sums = [sumRows(own, ({ QTY }) => QTY), sumRows(own, ({ AMOUNT }) => AMOUNT)]
			expect([row.SCRIP_NAME, row.SELL_QTY, row.SELL_AMT]).toEqual([row.SCRIP_NAME, ...sums])
		}
		expect(pnl.totals_df[0]?.SELL_AMT ?? 0).toBe(sumRows(sold, ({ AMOUNT }) => AMOUNT))
		// Cost that left one security came into another.
		const turned = moves.filter(isTurned)
		const sum = (side: string) =>
			sumRows(
				turned.filter(({ SIDE }) => SIDE === side),
				({ AMOUNT }) => AMOUNT,
			)
		expect(sum('BUY')).toBe(sum('SELL'))
	})

	test('has a P&L and charges that equal the bills in the ledger', async () => {
		const [tie, ledger] = await Promise.all([
			reports.tie(code, year),
			read(code, `/v2/service/reports/ledger?dataYear=${year}`, LedgerReport),
		])
		for (const { SEGMENT, DIFFERENCE, terms, BILLS } of tie.segments) {
			expect([SEGMENT, DIFFERENCE]).toEqual([SEGMENT, 0])
			expect(sumRows(terms, ({ AMOUNT }) => AMOUNT)).toBe(BILLS)
		}
		const billed = ledger.filtered_df.filter(({ VOUCHER_TYPE }) => VOUCHER_TYPE === 'BILL')
		expect(sumRows(tie.segments, ({ BILLS }) => BILLS)).toBe(sumRows(billed, ({ CR_AMT, DR_AMT }) => CR_AMT - DR_AMT))
		for (const own of tie.ledgers) {
			expect(own.OPENING + own.BILLS + own.OTHER).toBe(own.CLOSING)
			expect(ledger.filtered_df.findLast(({ COCD }) => COCD === own.COCD)?.BALANCE).toBe(own.CLOSING)
		}
	})

	test('has tax windows that are never negative and sum to their heads', async () => {
		const [tax, facts, schedule] = await Promise.all([reports.tax(code, year), reports.taxFacts(code, year), reports.facts112a(code, year)])
		const sumGains = (...terms: string[]) =>
			sumRows(
				tax.rows.filter(({ TERM }) => terms.includes(TERM)),
				({ GAIN }) => GAIN,
			)
		expect([tax.summary.short_term, tax.summary.long_term, tax.summary.speculative]).toEqual([
			sumGains('ST'),
			sumGains('LT'),
			sumGains('SPEC'),
		])
		expect(tax.summary.futures_options + tax.summary.commodity).toBe(sumGains('BUS'))
		expect(sumRows(facts.heads, ({ NET }) => NET)).toBe(sumRows(tax.rows, ({ GAIN }) => GAIN))
		// Every rupee of a gain is left after set-off or used in a step. Every rupee of a loss is used in a step or carried forward.
		const steps = sumRows(facts.set_off, ({ AMOUNT }) => AMOUNT)
		const paid = facts.set_off.filter(({ AGAINST }) => AGAINST === 'Dividends')
		expect(sumRows(facts.heads, ({ AFTER_SET_OFF }) => AFTER_SET_OFF) + steps - sumRows(paid, ({ AMOUNT }) => AMOUNT)).toBe(
			sumRows(facts.heads, ({ GAINS }) => GAINS),
		)
		expect(sumRows(paid, ({ AMOUNT }) => AMOUNT)).toBeLessThanOrEqual(facts.dividends.TOTAL)
		const carried = facts.carried.SHORT + facts.carried.LONG + facts.carried.SPECULATIVE + facts.carried.BUSINESS
		const ofYear = facts.set_off.filter(({ LOSS_YEAR }) => LOSS_YEAR.startsWith(year))
		expect(sumRows(ofYear, ({ AMOUNT }) => AMOUNT) + carried).toBe(sumRows(facts.heads, ({ LOSSES }) => LOSSES))
		// The losses of the year before are used, still there, or have lapsed, as a speculative loss does after four years (s.73(4)).
		const before = year === '2022' ? [] : (await reports.taxFacts(code, String(Number(year) - 1))).losses
		const brought = facts.set_off.filter(({ LOSS_YEAR }) => !LOSS_YEAR.startsWith(year))
		const last = before.filter(({ LAST_YEAR }) => LAST_YEAR.startsWith(year))
		const used = brought.filter(({ LOSS, LOSS_YEAR }) => last.some((loss) => loss.NAME === LOSS && loss.LOSS_YEAR === LOSS_YEAR))
		const lapsed = sumRows(last, ({ AMOUNT }) => AMOUNT) - sumRows(used, ({ AMOUNT }) => AMOUNT)
		expect(sumRows(facts.losses, ({ AMOUNT }) => AMOUNT)).toBe(
			sumRows(before, ({ AMOUNT }) => AMOUNT) - sumRows(brought, ({ AMOUNT }) => AMOUNT) - lapsed + carried,
		)
		for (const head of facts.heads) if (head.windows) expect(sumRows(head.windows, (amount) => amount)).toBe(head.AFTER_SET_OFF)
		for (const quarter of tax.quarters) {
			const { label: _, ...amounts } = quarter
			for (const amount of Object.values(amounts)) expect(amount).toBeGreaterThanOrEqual(0)
		}
		for (const row of tax.rows) expect(row.GAIN).toBe(row.SELL_AMT - row.COST - row.EXPENSES)
		expect(sumRows(facts.dividends.windows, (amount) => amount)).toBe(facts.dividends.TOTAL)
		expect(facts.dividends.TOTAL).toBe((await reports.dashboard(code, year)).dividend)
		const equity = facts.heads.filter(({ KEY }) => KEY.startsWith('LONG_EQUITY'))
		// A buyback of October 2024 to March 2026 is no sale with STT, so its loss is in the head and not in the schedule.
		const boughtBack = tax.rows.filter(
			({ TERM, SELL_AMT, SCRIP_NAME }) => TERM === 'LT' && SELL_AMT === 0 && SCRIP_NAME.endsWith(' (buyback)'),
		)
		expect(sumRows([...schedule.map(({ BALANCE }) => BALANCE), ...boughtBack.map(({ GAIN }) => GAIN)], (amount) => amount)).toBe(
			sumRows(equity, ({ NET }) => NET),
		)
		expect(Number(facts.ACT.slice(-4))).toBe(year === '2026' ? 2025 : 1961)
	})

	test('has tax rows whose gain equals the realised gain of the P&L', async () => {
		const [tax, facts, dashboard] = await Promise.all([
			reports.tax(code, year),
			reports.taxFacts(code, year),
			reports.dashboard(code, year),
		])
		// Realised before charges = gain + expenses + the amount by which grandfathering reduced it.
		const realised = sumRows(tax.rows, ({ GAIN, EXPENSES, COST, BUY_AMT }) => GAIN + EXPENSES + COST - BUY_AMT)
		expect(realised).toBe(dashboard.realised_pnl)
		expect(facts.unmatched).toEqual([])
	})
})

test('answers for no client but the session’s', async () => {
	const post = (path: string, body: object) => askAs('DEMO01')(path, { method: 'POST', body: JSON.stringify(body) })
	const other = { client_code: 'CASH01', year: '2025' }
	const calls = [
		post('/v1/reports/pnl-segment', other),
		post('/v1/user/report/pnl', { ...other, type: 'NSE_CASH' }),
		post('/v1/reports/pnl', { ...other, type: 'NSE_CASH', download_type: 'pdf' }),
		post('/v2/service/reports/pnl-summary', { ...other, process_type: 'new' }),
		post('/v1/user/report/incometax', { financial_year: '2025-2026', client_code: 'CASH01' }),
		post('/v1/reports/contractbills', { client_code: 'CASH01', from_date: '2025-04-01', to_date: '2026-03-31', company_code: 'ALL' }),
		askAs('DEMO01')('/v2/service/reports/holding?dataYear=2025&client_code=CASH01'),
	]
	for (const call of calls) expect((await call).status).toBe(403)
})

test('refuses an invalid period, year or range', async () => {
	const statuses = await Promise.all(
		[
			'/v2/service/reports/holding',
			'/v2/service/reports/position?from_date=2026-02-01&to_date=2026-01-01',
			'/v1/ours/tax-facts?year=1999',
			'/v1/ours/lots?isin=nonsense',
		].map(async (path) => (await askAs('DEMO01')(path)).status),
	)
	expect(statuses).toEqual([422, 422, 422, 422])
	const body = JSON.stringify({ financial_year: '2024-2026' })
	expect((await askAs('DEMO01')('/v1/user/report/incometax', { method: 'POST', body })).status).toBe(422)
})

test('is empty for a client without trades, and for a future year', async () => {
	expect(await reports.segments('NEW001', '2026')).toEqual([])
	expect(await reports.holding('DEMO01', '2030')).toEqual([])
	expect((await reports.summary('DEMO01', '2030')).filtered_df).toEqual([])
	for (const type of Segment.options) expect((await reports.pnl('NEW001', '2026', type)).filtered_df).toEqual([])
})
