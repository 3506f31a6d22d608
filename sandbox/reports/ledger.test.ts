import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod/v4'
import { envelope } from '#contract/common'
import { Dashboard, DashboardLedger } from '#contract/dashboard'
import { Deductions, LedgerReport, Withdrawable } from '#contract/ledger'
import { type Books } from '#sandbox/db/open'
import { parseWhole, type Whole } from '#sandbox/testing/reader'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'
import { unzip } from '#sandbox/testing/zip'

let books: Books
let ask: Awaited<ReturnType<ReturnType<typeof createTestSandbox>['signIn']>>
let signIn: ReturnType<typeof createTestSandbox>['signIn']

beforeAll(async () => {
	books = await openTestBooks()
	;({ signIn } = createTestSandbox(books))
	ask = await signIn('DEMO01')
})
afterAll(() => books.close())

async function read<Data extends z.ZodType>(
	schema: Data,
	path: string,
	init?: RequestInit & { headers?: Record<string, string> },
): Promise<Whole<z.output<Data>>> {
	const response = await ask(path, init)
	expect(response.status).toBe(200)
	const { data } = envelope(z.unknown()).parse(await response.json())
	return parseWhole(schema, data)
}

const readLedger = (query: string) => read(LedgerReport, `/v2/service/reports/ledger?${query}`)
const LEDGERS = ['NSE_CASH', 'MCX'] as const
const YEARS = [2022, 2023, 2024, 2025, 2026]

describe('the ledger report', () => {
	test.each(LEDGERS)('of %s runs from opening to closing balance, and each year opens with the last closing balance', async (cocd) => {
		const ends: number[] = []
		const beginnings: number[] = []
		for (const year of YEARS) {
			const { filtered_df: rows, totals_df } = await readLedger(`dataYear=${year}&cocd=${cocd}`)
			const [opening] = rows
			if (opening === undefined) continue
			expect(opening).toMatchObject({ VOUCHER_TYPE: 'OPENING', VOUCHER_DATE: `${year}-04-01`, NARRATION: 'OPENING BALANCE' })
			expect(opening.VOUCHER_NO).toMatch(/^OP\d{10}$/)
			beginnings.push(opening.BALANCE)
			let balance = 0
			let [debit, credit] = [0, 0]
			for (const row of rows) {
				balance += row.CR_AMT - row.DR_AMT
				debit += row.DR_AMT
				credit += row.CR_AMT
				expect(row.BALANCE).toBe(balance)
				expect(row.COCD).toBe(cocd)
			}
			expect(totals_df).toEqual([{ DR_AMT: debit, CR_AMT: credit, BALANCE: balance }])
			ends.push(balance)
		}
		expect(ends.length).toBeGreaterThan(2)
		expect(beginnings.slice(1)).toEqual(ends.slice(0, -1))
	})

	test('is sorted by day, then bills, journals, receipts, payments, then number', async () => {
		const order = ['OPENING', 'BILL', 'JOURNAL', 'RECEIPT', 'PAYMENT']
		const { filtered_df: rows } = await readLedger('dataYear=2025&cocd=NSE_CASH')
		const keys = rows.map((row) => `${row.VOUCHER_DATE}${order.indexOf(row.VOUCHER_TYPE)}${row.VOUCHER_NO}`)
		expect(keys).toEqual([...keys].sort())
		expect(rows.length).toBeGreaterThan(20)
	})

	test('lists one ledger after the other, with the totals of both', async () => {
		const both = await readLedger('dataYear=2025')
		const [cash, mcx] = await Promise.all(LEDGERS.map((cocd) => readLedger(`dataYear=2025&cocd=${cocd}`)))
		const stripped = (report: typeof both | undefined) =>
			report?.filtered_df.map(({ VOUCHER_NO, BALANCE }) => ({ VOUCHER_NO, BALANCE })) ?? []
		expect(stripped(both)).toEqual([...stripped(cash), ...stripped(mcx)])
		expect(both.totals_df[0]?.BALANCE).toBe((cash?.totals_df[0]?.BALANCE ?? 0) + (mcx?.totals_df[0]?.BALANCE ?? 0))
	})

	test('accepts days, a period without its opening balance, and margin entries on request', async () => {
		const period = 'from_date=2026-01-01&to_date=2026-06-30&cocd=NSE_CASH'
		const [full, bare, withMargin] = await Promise.all(['', '&with_opening=N', '&margin=Y'].map((more) => readLedger(`${period}${more}`)))
		expect(full?.filtered_df[0]?.VOUCHER_DATE).toBe('2026-01-01')
		expect(bare?.filtered_df.length).toBe((full?.filtered_df.length ?? 0) - 1)
		const opening = full?.filtered_df[0]?.BALANCE ?? 0
		expect((full?.totals_df[0]?.BALANCE ?? 0) - opening).toBe(bare?.totals_df[0]?.BALANCE)
		expect(withMargin?.filtered_df.length).toBeGreaterThanOrEqual(full?.filtered_df.length ?? 0)
		expect(await readLedger(`${period}`)).toEqual(
			await read(LedgerReport, `/v2/service/reports/ledger?${period}`, { headers: { 'hard-refresh': 'true' } }),
		)
	})

	test('is empty for a future year, for years before the account, and for a client without entries', async () => {
		const empty = { filtered_df: [], totals_df: [{ DR_AMT: 0, CR_AMT: 0, BALANCE: 0 }] }
		expect(await readLedger('dataYear=2027')).toEqual(empty)
		expect(await readLedger('dataYear=2010')).toEqual(empty)
		const other = await signIn('NEW001')
		expect(envelope(LedgerReport).parse(await (await other('/v2/service/reports/ledger?dataYear=2026')).json()).data).toEqual(empty)
	})

	test.each([
		'',
		'dataYear=26',
		'from_date=2026-01-01',
		'from_date=2026-02-30&to_date=2026-03-01',
		'from_date=2026-03-02&to_date=2026-03-01',
		'dataYear=2026&cocd=NSE_FNO',
	])('refuses "%s"', async (query) => {
		expect((await ask(`/v2/service/reports/ledger?${query}`)).status).toBe(422)
	})
})

describe('one balance', () => {
	test('is the same in the report, on the dashboard, and before deductions of a withdrawal', async () => {
		for (const year of YEARS) {
			for (const { COCD, DUE_AMT } of await read(DashboardLedger, `/v2/dashboard/ledger?source=connect&dataYear=${year}`)) {
				const { totals_df } = await readLedger(`dataYear=${year}&cocd=${COCD}`)
				expect(totals_df[0]?.BALANCE).toBe(DUE_AMT)
			}
		}
		const deducted = await read(DashboardLedger, '/v2/dashboard/deducted-ledger?source=connect')
		expect(deducted.map(({ COCD }) => COCD)).toEqual(LEDGERS)
		for (const { COCD, DUE_AMT } of deducted) {
			const money = await read(Withdrawable, `/v2/fund/withdrawable-amount?company_code=${COCD}`)
			const lines = await read(Deductions, `/v1/ours/deductions?company_code=${COCD}`)
			const sumKind = (kind: string) => lines.filter(({ KIND }) => KIND === kind).reduce((sum, line) => sum + line.AMOUNT, 0)
			const now = await readLedger(`dataYear=2026&cocd=${COCD}`)
			expect(money.ledger).toBe(now.totals_df[0]?.BALANCE)
			expect(money.unsettled).toBe(sumKind('UNSETTLED'))
			expect(money.margin_used).toBe(sumKind('MARGIN'))
			expect(money.interest_accrued).toBe(sumKind('INTEREST'))
			expect(DUE_AMT).toBe(money.ledger - money.unsettled - money.margin_used - (money.interest_accrued ?? 0))
			expect(money.balance).toBe(Math.max(0, DUE_AMT))
		}
	})

	test('is shown only for the ledgers that a client has', async () => {
		const other = await signIn('CASH01')
		const { data } = envelope(DashboardLedger).parse(await (await other('/v2/dashboard/ledger?source=connect&dataYear=2026')).json())
		expect(data.map(({ COCD }) => COCD)).toEqual(['NSE_CASH'])
		expect((await other('/v2/dashboard/ledger?dataYear=2026')).status).toBe(422)
	})
})

describe('the dashboard', () => {
	test.each(YEARS)('of %i adds up', async (year) => {
		const data = await read(Dashboard, `/v1/user/dashboard?year=${year}`, { method: 'POST' })
		const response = await ask(`/v2/dashboard/holding?source=connect&dataYear=${year}`)
		const holding = ((await response.json()) as { data: { total_amount: number; invested_amount: number } }).data
		const value = Math.round(holding.total_amount * 100)
		expect(data.allocation.reduce((sum, slice) => sum + slice.value, 0)).toBe(value)
		const last = data.history.at(-1)
		expect(last?.value).toBe(value)
		expect(last?.invested).toBe(Math.round(holding.invested_amount * 100))
		expect(data.history.length).toBe(year === 2026 ? 8 : 12)
	})

	test('shows nothing but notices to a client without trades', async () => {
		const other = await signIn('NEW001')
		const { data } = envelope(Dashboard).parse(await (await other('/v1/user/dashboard?year=2026', { method: 'POST' })).json())
		expect(data).toMatchObject({ realised_pnl: 0, unrealised_pnl: 0, charges: 0, dividend: 0, allocation: [] })
		expect(data.notices.some(({ title }) => title.startsWith('Trading holiday'))).toBe(true)
	})
})

describe('the ledger as a file', () => {
	const download = (type: string, download_type: string) =>
		ask('/v1/reports/ledger', { method: 'POST', body: JSON.stringify({ type, client_code: 'DEMO01', download_type, year: '2025' }) })

	test('is a PDF with numbered pages', async () => {
		const response = await download('ALL', 'pdf')
		expect(response.headers.get('content-type')).toBe('application/pdf')
		expect(response.headers.get('content-disposition')).toBe('attachment; filename="DEMO01_LEDGER.pdf"')
		const pdf = Buffer.from(await response.arrayBuffer())
		expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
		expect(pdf.subarray(-6).toString()).toContain('%%EOF')
	})

	test('is a workbook with the rows of the report', async () => {
		const response = await download('NSE_CASH', 'excel')
		expect(response.headers.get('content-disposition')).toBe('attachment; filename="DEMO01_LEDGER.xlsx"')
		const sheet = unzip(Buffer.from(await response.arrayBuffer()), 'xl/worksheets/sheet1.xml')
		const { filtered_df, totals_df } = await readLedger('dataYear=2025&cocd=NSE_CASH')
		// Five lines of the title block, an empty line and the column heads; then the entries and their total.
		const rows = [...sheet.matchAll(/<row[^>]*>(.*?)<\/row>/g)].map(([, row = '']) => row)
		expect(rows.length).toBe(7 + filtered_df.length + 1)
		expect(rows.slice(0, 3).join('')).toMatch(/Ledger \(Equity\).*Client: Aarav Rajesh Mehta \(DEMO01\).*01\/04\/2025 to 31\/03\/2026/)
		expect(rows.slice(0, 6).join('')).toContain('Balance: above zero is owed to you (Cr), below zero you owe (Dr).')
		const balances = rows.slice(7).map((row) => {
			const [, amount] = [...row.matchAll(/<v>(-?[\d.]+)<\/v>/g)].at(-1) ?? []
			return Math.round(Number(amount) * 100)
		})
		expect(balances).toEqual([...filtered_df.map(({ BALANCE }) => BALANCE), totals_df[0]?.BALANCE])
		expect(sheet).not.toMatch(/>(NSE_CASH|OPENING|JOURNAL)</)
	})
})
