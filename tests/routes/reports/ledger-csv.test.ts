import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '#contract/values/dates'
import { startOfYear } from '#contract/values/financial-year'
import { BROKERS_DAY, BROKERS_YEARS } from '#tests/support/brokers-day'
import { makeLedgerRow } from '#tests/support/ledger-row'
import { openPortal, signedIn, type Visitor } from '#tests/support/portal'

const years = BROKERS_YEARS.toReversed()
const first = startOfYear(years[0] ?? 0)
const FIVE_YEARS = `from=${first}&to=${BROKERS_DAY}`

let opened: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => void (opened = await openPortal()))
afterAll(() => opened.close())

/** The file, and the periods that the broker was asked for. */
async function downloadCsv(visitor: Visitor, query: string): Promise<{ text: string; periods: string[] }> {
	opened.asked.length = 0
	const answer = await visitor.send(`/downloads/ledger/csv?${query}`)
	expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
	const text = await answer.text()
	const urls = opened.asked.map(({ url }) => new URL(url)).filter(({ pathname }) => pathname.endsWith('/reports/ledger'))
	return {
		text,
		periods: urls.map(
			({ searchParams }) => `${searchParams.get('from_date')} ${searchParams.get('to_date')} ${searchParams.get('with_opening')}`,
		),
	}
}

test('asks for five years by quarters, and for the opening balance once', async () => {
	const { text, periods } = await downloadCsv(await signedIn(opened, 'DEMO01'), FIVE_YEARS)
	const starts = years
		.flatMap((year) => [startOfYear(year), `${year}-07-01`, `${year}-10-01`, `${year + 1}-01-01`])
		.filter((day) => day <= BROKERS_DAY)
	const ends = [...starts.slice(1).map((start) => addDays(start, -1)), BROKERS_DAY]
	expect(periods).toEqual(starts.map((start, index) => `${start} ${ends[index]} ${index === 0 ? 'Y' : 'N'}`))
	expect(text.match(/Opening balance/g)).toHaveLength(1)
})

// Sorting needs all rows at once, so a file sorted by date (its normal order) comes from one call.
test.each([
	['both ledgers', ''],
	['one ledger', '&segment=MCX'],
	['without an opening balance', '&filtered=1'],
	['with margin', '&margin=Y'],
	['what a search found', '&q=bill'],
])('the file from several calls equals the file from one call: %s', async (_, more) => {
	const visitor = await signedIn(opened, 'DEMO01')
	const inParts = await downloadCsv(visitor, FIVE_YEARS + more)
	const atOnce = await downloadCsv(visitor, `${FIVE_YEARS}${more}&sort=date`)
	expect(inParts.periods.length).toBeGreaterThanOrEqual(17)
	expect(atOnce.periods).toHaveLength(1)
	expect(inParts.text.split('\r\n').length).toBeGreaterThan(10)
	expect(inParts.text).toBe(atOnce.text)
})

test('a ledger that begins later has the opening row of the whole period', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const early = `from=2015-01-01&to=${startOfYear(years[1] ?? 0)}`
	const inParts = await downloadCsv(visitor, early)
	expect(inParts.text).toBe((await downloadCsv(visitor, `${early}&sort=date`)).text)
	const newcomer = await signedIn(opened, 'NEW001')
	expect((await downloadCsv(newcomer, FIVE_YEARS)).text).toBe((await downloadCsv(newcomer, `${FIVE_YEARS}&sort=date`)).text)
})

test('a failure before the first row is a message; a later failure breaks off the file', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const failIn = (year = 0) =>
		opened.breakBroker(({ url }) =>
			new URL(url).searchParams.get('from_date') === startOfYear(year) ? new Response('', { status: 500 }) : undefined,
		)
	failIn(years[0])
	const refused = await visitor.send(`/downloads/ledger/csv?${FIVE_YEARS}`, { headers: { 'x-download': 'fetch' } })
	expect([refused.status, await refused.json()]).toEqual([502, { message: 'The broker’s system could not complete this request.' }])
	failIn(years[2])
	const broken = await visitor.send(`/downloads/ledger/csv?${FIVE_YEARS}`)
	expect(broken.status).toBe(200)
	await expect(broken.text()).rejects.toBeDefined()
	opened.breakBroker(undefined)
})

test('after an unreadable value a later part has no balances, because the broker’s start from zero there', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const quarters: Record<string, object[]> = {
		'2025-01-01': [
			{ VOUCHER_NO: 'OP', VOUCHER_TYPE: 'OPENING', DR_AMT: 0, CR_AMT: 1000, BALANCE: 1000 },
			{ VOUCHER_NO: 'R1', VOUCHER_TYPE: 'RECEIPT', DR_AMT: 'nonsense', CR_AMT: 500, BALANCE: 1500 },
		],
		'2025-04-01': [{ VOUCHER_NO: 'R2', VOUCHER_TYPE: 'RECEIPT', DR_AMT: 0, CR_AMT: 100, BALANCE: 100 }],
	}
	opened.breakBroker(({ url }) => {
		const { pathname, searchParams } = new URL(url)
		if (!pathname.endsWith('/reports/ledger')) return undefined
		const filtered_df = (quarters[searchParams.get('from_date') ?? ''] ?? []).map(makeLedgerRow)
		return Response.json({ status: 'success', message: '', data: { filtered_df, totals_df: [] } })
	})
	const { text } = await downloadCsv(visitor, 'from=2025-01-01&to=2025-06-30&segment=NSE_CASH')
	opened.breakBroker(undefined)
	const rows = text.split('\r\n').slice(1, 4)
	expect(rows.map((row) => row.split(',').slice(-3))).toEqual([
		['', '1000.00', '1000.00'],
		['', '500.00', '1500.00'],
		// 1,600 follows only when the unreadable debit was nothing.
		['', '100.00', ''],
	])
})
