import { beforeAll, expect, test } from 'vitest'
import { formatYear } from '#contract/values/financial-year'
import { BROKERS_YEAR } from '#tests/support/brokers-day'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { listAttributes, readText } from '#tests/support/readers'

/* Balances of a broker that writes several rows for one ledger, or ledgers that only one of its two replies has. */

const opened = openPortalForFile()
let client: Visitor
beforeAll(async () => void (client = await signedIn(opened, 'DEMO01')))

type Due = [cocd: string, rupees: number | null]
const toRows = (dues: readonly Due[]) => dues.map(([COCD, DUE_AMT]) => ({ COCD, DUE_AMT }))

/** From now on the broker states these balances. */
function state(ledger: readonly Due[], deducted: readonly Due[] = ledger, companyCodes?: string) {
	opened.breakBroker(async (request) => {
		const { pathname } = new URL(request.url)
		const reply = (data: unknown) => Response.json({ status: 'success', message: '', data })
		if (pathname === '/v2/dashboard/ledger') return reply(toRows(ledger))
		if (pathname === '/v2/dashboard/deducted-ledger') return reply(toRows(deducted))
		if (companyCodes === undefined || pathname !== '/v2/account-profile/personal-details') return undefined
		const json = (await (await opened.forward(request)).json()) as { data: { dp_details: Record<string, unknown> } }
		json.data.dp_details.company_code = companyCodes
		return Response.json(json)
	})
}

const FIVE: Due[] = [
	['NSE_CASH', 100],
	['NSE_CASH', 50],
	['NSE_FNO', 25],
	['MCX', 10],
	['BSE_SLB', 3],
]

/** 100 + 50 = 150 in Equity; 150 + 25 + 10 + 3 = 188 in all. */
test('adds up the rows of one ledger: dashboard, deducted ledger and funds state the same balance', async () => {
	state(FIVE)
	const dashboard = readText((await client.visit('/dashboard')).html)
	expect(dashboard.match(/₹ 188\.00 Cr/g)).toHaveLength(2)
	expect(dashboard.match(/Equity\s+₹ 150\.00 Cr\s+Commodity\s+₹ 10\.00 Cr\s+NSE_FNO\s+₹ 25\.00 Cr\s+BSE_SLB\s+₹ 3\.00 Cr/g)).toHaveLength(2)
	const deducted = readText((await client.visit('/reports/ledger/deducted')).html)
	expect(deducted).toContain('Deducted ledger, in all ₹ 188.00 Equity ₹ 150.00 Commodity ₹ 10.00')
	expect(deducted).toContain('but the broker’s deducted ledger is ₹ 150.00 Cr')
	expect(readText((await client.visit('/funds')).html)).toMatch(/₹ 188\.00 Cr\s+Equity ₹ 150\.00 Cr, NSE_FNO/)
})

test('explains a debit only where there is one', async () => {
	const read = async (equity: number, commodity: number) => {
		state([
			['NSE_CASH', equity],
			['MCX', commodity],
		])
		const text = readText((await client.visit('/dashboard')).html)
		return /(?:Cr|Dr) ([^₹]*?) Equity/.exec(text)?.[1]
	}
	expect(await read(100, 10)).toBe('Your money with the broker')
	expect(await read(100, -10)).toBe('Your money with the broker; Dr: you owe')
	expect(await read(-100, -10)).toBe('What you owe the broker')
	state([['NSE_CASH', -100]])
	const { html } = await client.visit(`/dashboard?year=${formatYear(BROKERS_YEAR - 1)}`)
	expect(readText(html)).toContain(`Your money on 31/03/${BROKERS_YEAR}; Dr: you owe Equity ₹ 100.00 Dr Commodity —`)
})

test('a ledger has no balance when one of its rows could not be read', async () => {
	state([
		['NSE_CASH', 100],
		['NSE_CASH', null],
		['MCX', 10],
	])
	const text = readText((await client.visit('/dashboard')).html)
	expect(text).toMatch(/Equity\s+—\s+Commodity\s+₹ 10\.00 Cr/)
	expect(text).toContain('1 value could not be read and is shown as —.')
})

test('counts a balance in a ledger that the profile does not name', async () => {
	client = await signedIn(opened, 'DEMO01')
	state(
		[
			['NSE_CASH', 100],
			['MCX', 10],
		],
		[['NSE_CASH', 100]],
		'NSE_CASH',
	)
	const { html } = await client.visit('/dashboard')
	expect(readText(html)).toMatch(/₹ 110\.00 Cr[^₹]*Equity\s+₹ 100\.00 Cr\s+Commodity\s+₹ 10\.00 Cr/)
	expect(html).not.toContain('href="/reports/ledger/MCX')
})

test('links no ledger that has no page', async () => {
	client = await signedIn(opened, 'DEMO01')
	state([['NSE_CASH', 100]], [...FIVE], '')
	const { html } = await client.visit('/dashboard')
	expect(readText(html)).toMatch(/NSE_FNO\s+₹ 25\.00 Cr/)
	const links = listAttributes(html, 'a[href^="/reports/ledger/"]', 'href')
	expect(links).toContain(`/reports/ledger/NSE_CASH?year=${formatYear(BROKERS_YEAR)}`)
	for (const href of new Set(links)) expect([href, (await client.visit(href)).status]).toEqual([href, 200])
})
