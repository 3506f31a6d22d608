import { beforeAll, expect, test } from 'vitest'
import { formatYear } from '#contract/values/financial-year'
import { BROKERS_YEAR } from '#tests/support/brokers-day'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { readTable, readText } from '#tests/support/readers'

/* The sums of the profit and loss beside the figures that the broker states. */

const opened = openPortalForFile()
let client: Visitor
beforeAll(async () => void (client = await signedIn(opened, 'DEMO01')))

const PAGE = `/reports/profitnloss?year=${formatYear(BROKERS_YEAR - 1)}&refresh=1`
const SLBM = 'NSE_SLBM is not active on your account, but the broker states +₹ 1,200.00 after charges for it.'

test('says that only the table of segments includes a segment that is not active', async () => {
	// 1,250 - 50 = 1,200.
	opened.rewriteCalls('/v1/reports/pnl-segment', (json) => {
		const stated = json.data as object[]
		stated.push({ SEGMENT: 'NSE_SLBM', REALISED: 1250, UNREALISED: 0, CHARGES: 50, NET: 1200 })
		stated.push({ SEGMENT: 'BSE_SLB', REALISED: 0, UNREALISED: 0, CHARGES: 0, NET: 0 })
	})
	const all = readText((await client.visit(PAGE)).html)
	expect(all).toContain(`${SLBM} The table of segments includes this amount, the rows do not.`)
	expect(all).not.toContain('BSE_SLB is not active')
	// The page of one segment shows the rows of no other.
	expect(readText((await client.visit(`${PAGE}&segment=MCX`)).html)).not.toContain('is not active')
})

const row = (SCRIP_NAME: string, REALISED: number, CHARGES: number) => ({
	SCRIP_NAME,
	ISIN: null,
	BUY_QTY: 1,
	BUY_RATE: 100,
	BUY_AMT: 100,
	SELL_QTY: 1,
	SELL_RATE: 110,
	SELL_AMT: 110,
	OPEN_QTY: 0,
	CLOSE_PRICE: 0,
	REALISED,
	UNREALISED: 0,
	CHARGES,
})

/** Three rows of one segment, each with a gain of 10, and what the broker states of it. */
async function showSegment(charges: number, stated: { CHARGES: number; NET: number }) {
	opened.breakBroker((request) => {
		const { pathname } = new URL(request.url)
		const reply = (data: unknown, more = {}) => Response.json({ status: 'success', message: '', data, ...more })
		if (pathname === '/v1/user/report/pnl')
			return reply({ filtered_df: ['GOLD', 'SILVER', 'COPPER'].map((name) => row(name, 10, charges)), totals_df: [] })
		if (pathname !== '/v1/reports/pnl-segment') return undefined
		return reply([{ SEGMENT: 'MCX', REALISED: 30, UNREALISED: 0, ...stated }], { zip_time: null, is_genearte: false })
	})
	const { html } = await client.visit(`${PAGE}&segment=MCX`)
	expect(readTable(html, 'Profit & Loss').rows).toHaveLength(3)
	return readText(html)
}

/** 1.2534 rounds to 1.25, so three rows make 30 - 3.75 = 26.25; the broker's 30 - 3.7602 = 26.2398 rounds to 26.24. */
test('charges with parts of a paisa are not a fault of the broker’s sums', async () => {
	expect(await showSegment(1.2534, { CHARGES: 3.7602, NET: 26.2398 })).not.toContain('but the broker states')
})

test('a larger difference is a fault also with parts of a paisa, and a paisa is one without them', async () => {
	expect(await showSegment(1.2534, { CHARGES: 3.7602, NET: 26.19 })).toContain(
		'make +₹ 26.25 after charges, but the broker states +₹ 26.19',
	)
	expect(await showSegment(1.25, { CHARGES: 3.76, NET: 26.24 })).toContain('make +₹ 26.25 after charges, but the broker states +₹ 26.24')
})

/** Three lines of -0.334 round to -0.33, and their sum -1.002 to -1.00. */
test('a bridge of lines with parts of a paisa adds up', async () => {
	const terms = Array.from({ length: 3 }, () => ({ TERM: 'CHARGES', AMOUNT: -0.334 }))
	opened.failCalls('/v1/ours/pnl-tie', () =>
		Response.json({
			status: 'success',
			message: '',
			data: { segments: [{ SEGMENT: 'MCX', terms, BILLS: -1.002, DIFFERENCE: 0 }], ledgers: [] },
		}),
	)
	const text = readText((await client.visit(`${PAGE}&segment=MCX`)).html)
	expect(text).toContain('Bills in the ledger')
	expect(text).not.toContain('These lines make')
})

test('a security that is held at a price of 0 shows it, and a closed one shows no price', async () => {
	opened.breakBroker((request) => {
		if (new URL(request.url).pathname !== '/v1/user/report/pnl') return undefined
		const rows = [row('CLOSED', 10, 1), { ...row('HELD', 10, 1), OPEN_QTY: 5 }]
		return Response.json({ status: 'success', message: '', data: { filtered_df: rows, totals_df: [] } })
	})
	const { html } = await client.visit(`${PAGE}&segment=MCX&columns=all`)
	const { head, rows } = readTable(html, 'Profit & Loss')
	expect(rows.map((cells) => cells[head.indexOf('Price')])).toEqual(['—', '0.00'])
})
