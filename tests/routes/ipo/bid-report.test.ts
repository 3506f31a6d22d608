import { expect, test } from 'vitest'
import { listBids, REPORT } from '#tests/support/bids'
import { BROKERS_DAY } from '#tests/support/brokers-day'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { parsePage, readAll, readText, readTable } from '#tests/support/readers'

const opened = openPortalForFile()
const CALLS = { report: '/ipo/v1/get-client-wise-bid-report', applications: '/v1/ours/ipo-applications' }

test('the bid report shows the result of every bid, filters by days, and matches its CSV row by row', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const { html } = await visitor.visit(REPORT)
	const text = readText(html)
	expect(readAll(html, 'caption')).toContain('Bid report')
	for (const said of [
		'Approved',
		'Expired',
		'Not allotted',
		// On a phone, with what became of the money.
		'Not allotted, ₹ 14,952.00 released',
		'Rejected : The UPI mandate was not accepted in time',
		'Pending : Accept in your UPI app',
	])
		expect(text).toContain(said)
	// In short on a phone.
	expect(text).toContain('Accept mandate by 17:00')
	// The units and the price stand below the issue, on a phone also the amount and the day.
	expect(readTable(html, 'Bid report').rows[0]?.join(' ')).toMatch(/Ltd\. ₹ [\d,.]+ \d\d\/\d\d\/\d{4} \d+ shares at ₹ [\d,.]+ /)
	const csv = await (await visitor.send('/downloads/ipo-bids/csv')).text()
	expect(csv.trim().split('\r\n')).toHaveLength(1 + new Set(await listBids(visitor)).size)
	// Only what waits has a day until which it can be accepted: the one of the notice.
	const [, day, month, year] = /in your UPI app by 17:00 on (\d\d)\/(\d\d)\/(\d{4})/.exec(text) ?? []
	const lines = csv.split('\r\n').filter((line) => / 17:00,/.test(line))
	expect(lines).toEqual([expect.stringMatching(new RegExp(`^.*,Pending: Accept in your UPI app,.*,${year}-${month}-${day} 17:00,`))])
	const wrong = await visitor.visit(`${REPORT}?from=2025-02-30`)
	expect([wrong.status, readText(wrong.html)]).toEqual([400, expect.stringContaining('From date must be a real date')])
	expect((await visitor.visit(`${REPORT}?from=2026-11-02&to=2026-11-01`)).status).toBe(400)
})

test('the bid report refreshes the mandates of one exchange and shows the broker’s message', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const { html } = await visitor.visit(REPORT)
	const pending = readTable(html, 'Bid report').rows.find((row) => row.join(' ').includes('Pending : Accept')) ?? []
	const offered = parsePage(html)
		.querySelectorAll('main form button')
		.map((button) => readText(button).trim())
		.filter((words) => words.startsWith('Refresh mandate status: '))
		.map((words) => words.slice(-3))
	// What waits stands above the table, with the button.
	expect(readAll(html, 'main [role=note]')).toEqual([
		expect.stringMatching(
			/^Accept the mandate of ₹ [\d,.]+ for Sahyadri Agro Foods Ltd\. in your UPI app by 17:00 on [\d/]{10} Otherwise the bid is void\. Accepted already\? Refresh its status\. Refresh mandate status: NSE$/,
		),
	])
	// Only the exchange with a bid that waits. The others have nothing to refresh.
	expect(offered).toEqual(['NSE'])
	expect(pending.join(' ')).toContain('Sent to NSE ')
	// A status that is unknown or cannot be read may still change; final ones do not.
	for (const [status, count] of [
		['ON_ITS_WAY', 1],
		[null, 1],
		['ACCEPTED', 0],
	] as const) {
		opened.rewriteCalls('/ipo/v1/get-client-wise-bid-report', (json) => {
			for (const bid of json.data as { exchange: string; mandate_status: string | null }[])
				bid.mandate_status = bid.exchange === 'NSE' ? status : 'ACCEPTED'
		})
		const page = readText((await visitor.visit(REPORT)).html)
		expect([status, page.match(/Refresh mandate status: NSE/g)?.length ?? 0]).toEqual([status, count])
	}
	opened.breakBroker(undefined)
	const done = await visitor.post(REPORT, REPORT, { exchange: 'NSE' })
	expect([done.status, done.headers.get('location')]).toEqual([303, REPORT])
	expect((await visitor.visit(REPORT)).html).toContain('Mandate status has not changed')
	opened.asked.length = 0
	for (const exchange of ['LSE', '../x', '']) expect((await visitor.post(REPORT, REPORT, { exchange })).status).toBe(400)
	expect(opened.asked.filter(({ method }) => method === 'PUT')).toEqual([])
})

test('without the exchange’s answer, a bid is only failed when the report says that it was rejected', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const [number = ''] = await listBids(visitor)
	const shown = async (status: string) => {
		opened.breakBroker(async (request) => {
			const { pathname } = new URL(request.url)
			if (pathname === '/v1/ours/ipo-applications') return new Response('', { status: 404 })
			if (pathname !== '/ipo/v1/get-client-wise-bid-report') return undefined
			const json = (await (await opened.forward(request)).json()) as { data: { application_no: string }[] }
			const bid = json.data.find(({ application_no }) => application_no === number)
			const blank = { bid_reference_no: '', exchange: 'NSE', mandate_status: 'SENT', allotted_qty: null }
			return Response.json({ ...json, data: [{ ...bid, ...blank, status }] })
		})
		return readText(parsePage((await visitor.visit(`${REPORT}/${number}`)).html).querySelector('dialog') ?? '')
	}
	const pending = await shown('PENDING')
	expect(pending).toMatch(/^Bid KH\w+ .*Status Sent to NSE Application number KH\w+ Bid reference — Exchange NSE/)
	expect(pending).not.toContain('No money is blocked')
	expect(await shown('QUEUED')).toMatch(/^Bid KH\w+ .*Status QUEUED Application number/)
	expect(await shown('REJECTED')).toMatch(/^Bid not placed .*Status Rejected .*No money is blocked for this bid\./)
})

test('a bid opened from the report says what became of it, as the report does', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const report = readTable((await visitor.visit(REPORT)).html, 'Bid report')
	const show = async (number: string) =>
		readText(parsePage((await visitor.visit(`${REPORT}/${number}`)).html).querySelector('dialog') ?? '')
	const find = (name: string) => report.rows.find((row) => row.join(' ').includes(name)) ?? []
	const at = (name: string, head: string) => find(name)[report.head.indexOf(head)] ?? ''
	// Six weeks old: no shares, and ₹ 14,952.00 (84 shares at ₹ 178.00) are free again.
	const [, malabar = ''] = /(KH\d+)/.exec(find('Malabar Tools').join(' ')) ?? []
	const finished = await show(malabar)
	expect(finished).toMatch(
		new RegExp(
			`^Bid ${malabar} Close Issue Malabar Tools Ltd\\. Amount ₹ 14,952\\.00 Allotment Not allotted, ₹ 14,952\\.00 released Mandate status Approved Status Accepted Message when submitted Bid accepted by the exchange`,
		),
	)
	expect(finished).not.toMatch(/Bid submitted|Success|Accept the mandate in/)
	// The address of a bid just made is that of any bid when it is over.
	expect(await show(`${malabar}?submitted=${BROKERS_DAY}`)).toBe(finished)
	// One that waits has the status of its row.
	const [, sahyadri = ''] = /(KH\d+)/.exec(find('Sahyadri Agro').join(' ')) ?? []
	expect(at('Sahyadri Agro', 'Bid status')).toMatch(/^Sent to NSE/)
	const waiting = await show(sahyadri)
	expect(waiting).toMatch(/^Bid KH\d+ .*Status Sent to NSE Message when submitted /)
	// The address of a bid made yesterday is old, also when the bid is not in the report.
	expect(await show(`${sahyadri}?submitted=2026-11-19`)).toBe(waiting)
	opened.rewriteCalls(CALLS.report, (json) => void (json.data = []))
	expect(await show(`${sahyadri}?submitted=2026-11-19`)).toMatch(/^Bid KH/)
	expect(await show(`${sahyadri}?submitted=${BROKERS_DAY}`)).toMatch(/^Bid submitted/)
	opened.breakBroker(undefined)
})

test('an answer of the exchange stands beside the row with its reference, in whatever order the broker lists them', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const [number = ''] = await listBids(visitor)
	type Row = { application_no: string; results?: object[] }
	const references = ['R1', '', '']
	opened.breakBroker(async (request) => {
		const { pathname } = new URL(request.url)
		if (!Object.values(CALLS).includes(pathname)) return undefined
		const json = (await (await opened.forward(request)).json()) as { data: Row[] }
		const own = json.data.find(({ application_no }) => application_no === number)
		const [first, ...others] = references.map((bid_reference_no, at) => ({ ...own, bid_reference_no, quantity: 45 * (at + 1) }))
		if (pathname === CALLS.report) return Response.json({ ...json, data: [...others, first] })
		const results = references.map((bid_reference_no) => ({ ...own?.results?.[0], bid_reference_no }))
		return Response.json({ ...json, data: [{ ...own, results }] })
	})
	const { html } = await visitor.visit(`${REPORT}/${number}`)
	expect(readText(parsePage(html).querySelector('dialog') ?? '')).toMatch(
		/Bid reference R1 [^0-9]*45 shares .*reference — [^0-9]*90 shares .*reference — [^0-9]*135 shares/,
	)
	opened.breakBroker(undefined)
})

test('with all columns the bid report holds the issue, and no cell repeats another column', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const table = parsePage((await visitor.visit(`${REPORT}?columns=all`)).html).querySelector('table.report')
	expect(table?.querySelectorAll('tbody th[scope=row]').map((cell) => cell.classList.contains('of-issue'))).toEqual([
		true,
		true,
		true,
		true,
	])
	expect(table?.querySelector('thead th')?.classList.contains('of-application')).toBe(true)
	// Its padding and its line are those of a table that is wider than a phone.
	expect(table?.classList.contains('fits')).toBe(false)
	expect(readText(table ?? '')).not.toContain('Mandate approved')
	const { html } = await visitor.visit('/connect/ipo?columns=all')
	const names = parsePage(html).querySelectorAll('tbody .of-issue').map(readText)
	expect(names.toSorted()).toEqual(['Konkan Marine Logistics Ltd.', 'Novatec Robotics Ltd.', 'Sahyadri Agro Foods Ltd.'])
})

test('a tablet shows the allotment of a bid', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const heads = parsePage((await visitor.visit(REPORT)).html).querySelectorAll('table.report thead th')
	const tierOf = (key: string) => heads.find((head) => head.classList.contains(`of-${key}`))?.getAttribute('class') ?? ''
	expect(tierOf('allotment')).toContain('from-tablet')
	expect(tierOf('date')).toContain('from-laptop')
})
