import { beforeAll, expect, test } from 'vitest'
import { openPortalForFile, signedIn, Visitor } from '#tests/support/portal'
import { listAttributes, parsePage, readText } from '#tests/support/readers'

/* A field whose value has another shape than the contract says. It costs that field or its list, never the whole page. */

const open = openPortalForFile()
let client: Visitor
beforeAll(async () => {
	client = await signedIn(open)
})

type Json = Record<string, unknown>
const PROFILE = '/v2/account-profile/personal-details'

async function visitWith(page: string, path: string, change: (data: Record<string, Json & Json[]>) => void, by = client) {
	open.rewriteCalls(path, ({ data }) => change(data as Record<string, Json & Json[]>))
	const { status, html } = await by.visit(page)
	open.breakBroker(undefined)
	return { status, text: readText(parsePage(html).querySelector('main') ?? ''), html }
}

const inProfile = (fields: Json) => (data: Record<string, Json>) => void Object.assign(data.personal_details ?? {}, fields)

test('an address as one text is shown', async () => {
	const { status, text } = await visitWith('/myaccount?refresh=1', PROFILE, inProfile({ address: '12 MG Road, Mumbai 400001' }))
	expect([status, text.includes('12 MG Road, Mumbai 400001')]).toEqual([200, true])
})

test.for([
	['an address that is a list', inProfile({ address: [1, 2] }), 'Aarav Rajesh Mehta'],
	['a client code in small letters', inProfile({ client_code: ' demo01 ' }), 'Client code DEMO01'],
	['no client code', inProfile({ client_code: null }), 'Client code DEMO01'],
	['nominees in words', (data: Record<string, unknown>) => void (data.nominees = 'Opted out'), '1 entry could not be read'],
	[
		'one nominee in place of the list',
		(data: Record<string, Json[]>) => void Object.assign(data, { nominees: data.nominees?.[0] }),
		'Ananya Mehta',
	],
] as const)('the profile has everything else with %s', async ([, change, words]) => {
	const { status, text } = await visitWith('/myaccount?refresh=1', PROFILE, change)
	expect(status).toBe(200)
	for (const each of [words, '14/03/1986', 'Khata Sandbox Broking Ltd.']) expect(text).toContain(each)
})

test('nominees that cannot be read are never replaced: their form is not shown', async () => {
	const { text, html } = await visitWith('/myaccount/nominee?refresh=1', PROFILE, (data) => Object.assign(data, { nominees: 'Yes' }))
	expect(text).toContain('You can change your nominees once the current ones can be shown.')
	expect(parsePage(html).querySelector('input[name="nominees[0].name"]')).toBeNull()
})

test('company codes as a list are the client’s segments', async () => {
	const { status, text } = await visitWith('/myaccount/segments?refresh=1', PROFILE, ({ dp_details }) =>
		Object.assign(dp_details ?? {}, { company_code: ['NSE_CASH', 'MCX'] }),
	)
	expect(status).toBe(200)
	expect(text).toContain('Commodity')
})

test.for(['SON', 'Son ', 'son'])('a nominee’s relation written as "%s" is selected in the form', async (relation) => {
	const { html } = await visitWith('/myaccount/nominee?refresh=1', PROFILE, ({ nominees }) =>
		Object.assign(nominees?.[0] ?? {}, { relation, guardian: { name: 'Anand Mehta', relation, pan: null } }),
	)
	for (const name of ['relation', 'guardian.relation'])
		expect(listAttributes(html, `select[name="nominees[0].${name}"] option[selected]`, 'value')).toEqual(['Son'])
})

test.for(['nse_cash,mcx', 'BSE_CASH', 'NSE_CASH|MCX', 'NSE_CASH;MCX', 'NSE_CASH MCX'])(
	'company codes written as "%s" are the client’s segments, and equity is always one',
	async (company_code) => {
		const other = await signedIn(open)
		const change = ({ dp_details }: Record<string, Json>) => Object.assign(dp_details ?? {}, { company_code })
		const { text } = await visitWith('/reports/profitnloss?segment=NSE_CASH', PROFILE, change, other)
		expect(text).not.toContain('not active on your account')
		expect(text).toContain('Reliance')
		const { html } = await other.visit('/reports/profitnloss')
		expect(listAttributes(html, 'select[name=segment] option', 'value').includes('MCX')).toBe(/mcx/i.test(company_code))
	},
)

test.for([null, undefined, '', 'ALL'])('no segment is called inactive when the company codes are %j', async (company_code) => {
	const other = await signedIn(open, 'CASH01')
	const change = ({ dp_details }: Record<string, Json>) => Object.assign(dp_details ?? {}, { company_code })
	for (const page of ['/myaccount', '/myaccount/segments', '/reports/profitnloss?segment=MCX']) {
		const { status, text } = await visitWith(page, PROFILE, change, other)
		expect(status, page).toBe(200)
		expect(text).not.toMatch(/not active on your account|cannot be added here/)
	}
})

test('the segments of a client may be a list', async () => {
	const change = ({ dp_details }: Record<string, Json>) => Object.assign(dp_details ?? {}, { activate_segment: ['Cash', 'Mutual fund'] })
	const { text } = await visitWith('/myaccount?refresh=1', PROFILE, change)
	expect(text).toMatch(/Active segments Cash,? Commodity,? Mutual fund/)
	const odd = ({ dp_details }: Record<string, Json>) => Object.assign(dp_details ?? {}, { activate_segment: [{ name: 'Cash' }] })
	expect((await visitWith('/myaccount?refresh=1', PROFILE, odd)).text).toContain('Active segments Commodity')
})

test('a note whose charges, mark or trades cannot be read shows the rest', async () => {
	const { html } = await client.visit('/reports/contractnbill')
	const [, bill = ''] = /href="(\/reports\/contractnbill\/NC[^"?]+)"/.exec(html) ?? []
	for (const change of [{ charges: 'none today' }, { mark: {} }, { trades: 7 }]) {
		const { status, text } = await visitWith(bill, '/v1/ours/contract-note', (data) => Object.assign(data, change))
		expect(status, JSON.stringify(change)).toBe(200)
		expect(text).toContain('Voucher')
		expect(text).not.toMatch(/null|undefined|Invalid/)
	}
})

test('a note without a file is complete', async () => {
	const { html } = await client.visit('/reports/contractnbill')
	const [, bill = ''] = /href="(\/reports\/contractnbill\/NC[^"?]+)"/.exec(html) ?? []
	const { text } = await visitWith(bill, '/v1/ours/contract-note', (data) => Object.assign(data, { file_path: null }))
	expect(text).toContain('Voucher')
	expect(text).not.toMatch(/could not be read|incomplete/)
})

test('a pledge page without its totals, and a margin page without its positions, show the rest', async () => {
	for (const total of [0, [], 'none']) {
		const { status, text } = await visitWith('/dpprocess/pledge', '/v1/margin_epledge_data', (data) => Object.assign(data, { total }))
		expect([status, text.includes('Reliance Industries')]).toEqual([200, true])
	}
	const { status, text } = await visitWith('/connect/mtf', '/v2/account-profile/mtf-details', (data) =>
		Object.assign(data, { positions: 'many' }),
	)
	expect(status).toBe(200)
	expect(text).toContain('could not be read')
	expect(text).toMatch(/Funded ₹ [\d,]{6,}\.\d\d .* Positions — /)
})

/** Answers with the sandbox's JSON, changed as text. */
function rewriteText(change: (json: string) => string) {
	open.breakBroker(async (request) => {
		const answer = await open.forward(request)
		const type = answer.headers.get('content-type') ?? ''
		return type.includes('json')
			? new Response(change(await answer.text()), { status: answer.status, headers: { 'content-type': type } })
			: answer
	})
}

test('a byte order mark before the JSON is ignored, also at the login and before a long list', async () => {
	rewriteText((json) => `\uFEFF${json}`)
	const other = new Visitor(open.portal)
	expect((await other.login('DEMO01')).status).toBe(303)
	for (const page of ['/dashboard', '/reports/holding', '/myaccount']) {
		const { status, html } = await other.visit(page)
		expect([status, html.includes('could not be loaded')], page).toEqual([200, false])
	}
	open.breakBroker(undefined)
})

test('−0 is zero: no page shows a sign before it', async () => {
	// As Python writes round(-0.004, 2).
	rewriteText((json) => json.replace(/:0(?=[,}\]])/g, ':-0.0'))
	const other = await signedIn(open)
	for (const page of [
		'/dpprocess',
		'/dpprocess/pledge',
		'/connect/mtf',
		'/reports/holding',
		'/reports/position',
		'/reports/pnl',
		'/connect/ipo/bids',
	]) {
		const { html } = await other.visit(page)
		expect(readText(parsePage(html).querySelector('main') ?? '').match(/[-−](₹ )?0(\.0+)?(?![\w.])[^-/]{0,9}/g), page).toBeNull()
	}
	open.breakBroker(undefined)
})

test('control characters of a name are not written into a file', async () => {
	open.rewriteCalls('/v2/service/reports/holding', (json) => {
		const text = JSON.stringify(json.data).replaceAll('Axis Bank', 'Axis\\u0000\\u0007 Bank')
		json.data = JSON.parse(text) as unknown
	})
	const csv = await (await client.send('/downloads/holding/csv')).text()
	open.breakBroker(undefined)
	expect(csv).toContain('Axis Bank Ltd.')
	expect(csv).not.toMatch(/(?![\r\n])\p{Cc}/u)
})

test('days at the ends of the calendar are no period of a report', async () => {
	for (const query of ['to=0050-06-01', 'from=2026-11-01&to=9999-12-31', 'from=0001-01-01'])
		for (const page of ['/connect/ipo/bids', '/reports/ledger', '/reports/contractnbill']) {
			const { length } = open.asked
			const { status, html } = await client.visit(`${page}?${query}`)
			expect([status, readText(html).includes('must be a real date')], `${page}?${query}`).toEqual([400, true])
			expect(open.asked.slice(length).filter(({ url }) => /bid|reports\/(ledger|contractbills)/.test(new URL(url).pathname))).toEqual([])
		}
})
