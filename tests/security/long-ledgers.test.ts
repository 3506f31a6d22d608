import { type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PortalProcess, readLongestWait, startProcess, WATCH } from '#tests/services/processes'
import { readText } from '#tests/support/readers'
import { startBroker, success } from '#tests/support/served'

/* The longest known ledgers, read at the same time. The process must still serve other clients. It is separate, and measures itself. */

const PORT = 3264
const ROWS = 60_000
const AT_ONCE = 6
/** Milliseconds of computing without a turn of the event loop. A page that needs ten turns still comes within seconds. */
const LONGEST_WAIT = 250

/** Each row is a credit of 1 rupee. */
const ledger = Buffer.from(
	JSON.stringify({
		status: 'success',
		message: 'ok',
		data: {
			filtered_df: Array.from({ length: ROWS }, (_, n) => ({
				VOUCHER_DATE: '2026-07-01',
				VOUCHER_NO: `V${n}`,
				VOUCHER_TYPE: 'RECEIPT',
				COCD: 'NSE_CASH',
				SETL_NO: null,
				NARRATION: `Funds received by UPI, reference ${(n * 7919) % ROWS}`,
				DR_AMT: 0,
				CR_AMT: 1,
				BALANCE: n + 1,
				BILL_NO: null,
			})),
			totals_df: [{ DR_AMT: 0, CR_AMT: ROWS, BALANCE: ROWS }],
		},
	}),
)

/**
 * The request of each reader, the number of rows, and the reference in the first row. 7,919 is a prime that does not divide 60,000, so
 * every reference from 0 to 59,999 is in one row. References that begin with a 5 are 5, 50–59, 500–599, 5,000–5,999 and
 * 50,000–59,999: 1 + 10 + 100 + 1,000 + 10,000 rows. The rows in the broker's order: 0, 7,919, 15,838, 23,757, 31,676, 39,595,
 * 47,514, 55,433. Sorted as text, the last reference is 9999, because no reference of five digits begins with a 9.
 */
const VIEWS = [
	{ query: '', count: '60,000', first: '0' },
	{ query: '&q=reference 5', count: '11,111', first: '55433' },
	{ query: '&sort=-narration', count: '60,000', first: '9999' },
	{ query: '&sort=voucher&q=upi', count: '60,000', first: '0' },
	{ query: '&q=reference 59999', count: undefined, first: '59999' },
	{ query: '&sort=narration', count: '60,000', first: '0' },
]

let broker: Awaited<ReturnType<typeof startBroker>>
let portal: PortalProcess
beforeAll(async () => {
	broker = await startBroker((request: IncomingMessage, response: ServerResponse) => {
		if (request.url?.includes('/reports/ledger')) return response.setHeader('content-type', 'application/json').end(ledger)
		return success(response, null)
	})
	portal = await startProcess(PORT, `http://127.0.0.1:${broker.port}`, { NODE_ARGS: `--max-semi-space-size=16 ${WATCH}` })
})
afterAll(async () => {
	await portal.stop('SIGKILL')
	broker.close()
})

test(
	'never blocks the event loop for more than 250 ms while six ledgers of 60,000 rows are read, searched and sorted',
	{ timeout: 90_000 },
	async () => {
		const visitors = Array.from({ length: AT_ONCE }, () => portal.visitor())
		for (const visitor of visitors) expect((await visitor.login()).status).toBe(303)
		// The first page of a kind loads and compiles its code.
		const [first] = visitors
		expect((await first?.visit('/reports/ledger?from=2026-06-01&to=2026-07-31'))?.status).toBe(200)
		await readLongestWait(portal)

		const pages = await Promise.all(
			visitors.map((visitor, n) => visitor.visit(`/reports/ledger?from=2026-06-02&to=2026-07-31${VIEWS[n]?.query}`)),
		)
		for (const [n, { status, html }] of pages.entries()) {
			const { query, count, first } = VIEWS[n] ?? {}
			const text = readText(html)
			expect([
				query,
				status,
				/1–(?:1|100) of ([\d,]+)/.exec(text)?.[1],
				/reference (\d+)/.exec(html.slice(html.indexOf('<tbody')))?.[1],
			]).toEqual([query, 200, count, first])
		}
		expect(await readLongestWait(portal)).toBeLessThan(LONGEST_WAIT)
	},
)
