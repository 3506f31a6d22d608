import { beforeAll, beforeEach, expect, test } from 'vitest'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { sendFile } from '~/http/download.server'

/* A broker that corrupts files of each kind in many ways: no broken file is saved, held in memory, or shown as complete. */

const open = openPortalForFile()
let client: Visitor
beforeAll(async () => {
	client = await signedIn(open)
	open.breakBroker(answerLink)
	await client.send('/client/reports?UserId=DEMO01&SessionId=b7a1f0c2-5d0e')
})
beforeEach(() => void (open.asked.length = 0))

/** The test answers the checks of the link's token, and the calls that a file needs. */
function answerLink(request: Request): Response | undefined {
	if (!request.url.includes('validate-report-link')) return undefined
	return Response.json({ status: 'success', message: '', data: { clientCode: 'DEMO01', authToken: 'x'.repeat(32) } })
}

const PDF = 'application/pdf'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const XLS = 'application/vnd.ms-excel'
const START = { [PDF]: '%PDF-1.7\n', [XLSX]: 'PK\u0003\u0004', [XLS]: '<?xml version="1.0"?>', 'application/zip': 'PK\u0003\u0004' }

/** Every file that streams from the broker: its address, the broker's call, its type and its name. */
const FILES: [address: string, call: string, type: keyof typeof START, name: string][] = [
	['/downloads/ledger/pdf', '/v1/reports/ledger', PDF, 'DEMO01_LEDGER.pdf'],
	['/downloads/ledger/xlsx', '/v1/reports/ledger', XLSX, 'DEMO01_LEDGER.xlsx'],
	['/downloads/holding/pdf', '/v1/downloads/download-holdings', PDF, 'DEMO01_HOLDING.pdf'],
	['/downloads/holding/xlsx', '/v1/downloads/download-holdings', XLSX, 'DEMO01_HOLDING.xlsx'],
	['/downloads/pnl/pdf', '/v1/reports/pnl', PDF, 'DEMO01_PNL.pdf'],
	['/downloads/pnl/xls', '/v1/reports/pnl', XLS, 'DEMO01_PNL.xls'],
	['/downloads/pnl/zip', '/v2/service/reports/pnl-summary', 'application/zip', 'DEMO01_PNL.zip'],
	['/downloads/global-summary/pdf', '/v1/account_profile/download_global_summary', PDF, 'DEMO01_GLOBAL_SUMMARY.pdf'],
	['/downloads/global-details/xlsx', '/v1/excel/download_global_details', XLSX, 'DEMO01_GLOBAL_DETAILS.xlsx'],
	['/downloads/income-tax/xlsx', '/v1/excel/download_income_tax', XLSX, 'DEMO01_INCOME_TAX.xlsx'],
	['/downloads/client-details/pdf', '/v1/account_profile/download_client_details', PDF, 'DEMO01_CLIENT_DETAILS.pdf'],
	['/downloads/approved-list/MTF', '/v1/excel/download_approved_list', XLSX, 'Approved_MTF_List.xlsx'],
	['/downloads/contract/NOTE', '/v1/reports/contract-bills-file', PDF, 'DEMO01_CONTRACT_NOTE.pdf'],
	['/client/downloads/pnl/pdf', '/v1/reports/pnl', PDF, 'DEMO01_PNL.pdf'],
	['/client/downloads/pnl/xls', '/v1/reports/pnl', XLS, 'DEMO01_PNL.xls'],
	['/client/downloads/pnl/zip', '/v2/service/reports/pnl-summary', 'application/zip', 'DEMO01_PNL.zip'],
]

/** One call returns this response, and the list of bills has one note. */
function answerWith(call: string, answer: () => Response) {
	open.breakBroker((request) => {
		const { pathname } = new URL(request.url)
		if (pathname === call) return answer()
		if (pathname === '/v1/ours/contract-note') return Response.json({ status: 'error', message: 'None', data: null }, { status: 404 })
		if (pathname === '/v1/reports/contractbills') {
			const row = { BILL_DATE: '2025-04-01', BILL_NO: 'NOTE', SETL_NO: '1', COCD: 'NSE_CASH', DOC_TYPE: 'CONTRACT NOTE', BILL_AMT: 1 }
			return Response.json({ status: 'success', message: '', data: [{ ...row, file_path: 'DEMO01/NOTE.pdf' }] })
		}
		return answerLink(request)
	})
}

const toBytes = (text: string) => Buffer.from(text, 'latin1')

test.for(FILES)('%s has the portal’s name and type, and never the broker’s', async ([address, call, type, name]) => {
	answerWith(
		call,
		() =>
			new Response(toBytes(`${START[type]} the rest`), {
				headers: {
					'content-type': 'text/html',
					'content-disposition': 'attachment; filename="../../evil\u00a0.exe"; filename*=UTF-8\'\'%0d%0aX%3a1',
					'set-cookie': 'evil=1',
					'x-evil': '1',
					location: 'http://evil.test/',
					'content-encoding': 'identity',
					'cache-control': 'public, max-age=1000',
				},
			}),
	)
	const answer = await client.send(`${address}?name=evil.exe&filename=%0d%0aX-Evil:1`)
	expect(answer.status).toBe(200)
	expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${name}"; filename*=UTF-8''${name}`)
	expect(answer.headers.get('content-type')).toBe(type)
	expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
	expect(answer.headers.get('cache-control')).toBe('private, no-store, no-transform')
	for (const leaked of ['x-evil', 'location', 'content-encoding']) expect([leaked, answer.headers.get(leaked)]).toEqual([leaked, null])
	expect(answer.headers.getSetCookie().join()).not.toContain('evil')
	expect(await answer.text()).toMatch(/the rest$/)
})

test.for([
	['quotes and slashes', 'A"B\\C/../D', 'A_B_C____D'],
	['a line break', 'A\r\nX-Evil: 1', 'A__X-Evil__1'],
	['text that runs right to left', 'A\u202Efdp', 'A_fdp'],
	['an emoji', 'A😀', 'A__'],
	['three hundred letters', 'A'.repeat(300), 'A'.repeat(80)],
	['percent signs', 'A%0d%0aB', 'A_0d_0aB'],
] as const)('a name with %s becomes a plain name', async ([, name, safe]) => {
	const answer = await sendFile(new Request('https://portal.test/'), { name, kind: 'pdf', body: new ReadableStream() })
	expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${safe}.pdf"; filename*=UTF-8''${safe}.pdf`)
})

const success = (data: unknown) => Response.json({ status: 'success', message: '', data })
const refusal = (status: number, message: string) => Response.json({ status: 'error', message, data: null }, { status })
const NOT_SENT = 'The broker’s system did not send the file.'
const SPOILED: [what: string, answer: () => Response, status: number, message: string][] = [
	['a page', () => new Response('<!doctype html><h1>It works!</h1>', { headers: { 'content-type': 'text/html' } }), 502, NOT_SENT],
	['a page that calls itself a PDF', () => new Response('<html>%PDF-', { headers: { 'content-type': PDF } }), 502, NOT_SENT],
	['JSON', () => success({ url: 'javascript:alert(1)' }), 502, NOT_SENT],
	['a refusal with status 200', () => refusal(200, 'Not for <b>you</b>'), 422, 'Not for <b>you</b>'],
	['nothing', () => new Response(null, { headers: { 'content-type': PDF } }), 502, NOT_SENT],
	['less than its first bytes', () => new Response('%P', { headers: { 'content-type': PDF } }), 502, NOT_SENT],
	['an error before its first byte', () => new Response(new ReadableStream({ start: (c) => c.error(new Error('gone')) })), 502, NOT_SENT],
	['404', () => refusal(404, 'No Data Found!'), 404, 'No Data Found!'],
	['500', () => refusal(500, 'Books are closed till 6 pm'), 502, 'Books are closed till 6 pm'],
	['a 500 with text', () => new Response('stack at x.js', { status: 500 }), 502, 'The broker’s system could not complete this request.'],
	['a 429 with HTML', () => new Response('<html>', { status: 429 }), 429, 'There were too many requests. Wait a minute, then try again.'],
]

test.for(FILES)('%s shows a message instead of a corrupt file', async ([address, call]) => {
	for (const [what, answer, status, message] of SPOILED) {
		answerWith(call, answer)
		const scripted = await client.send(address, { headers: { 'x-download': 'fetch' } })
		expect([what, scripted.status, await scripted.json()]).toEqual([what, status, { message }])
		expect(scripted.headers.get('content-disposition')).toBeNull()
	}
	// A plain link leads back to the page with the message. Checked once, because the message is the same.
	answerWith(call, () => refusal(200, 'Not for <b>you</b>'))
	const page = address.startsWith('/client') ? '/client/reports' : '/reports/downloads'
	const plain = await client.send(address, { headers: { referer: `https://portal.test${page}?year=2025-2026` } })
	expect([plain.status, plain.headers.get('location')]).toEqual([303, `${page}?year=2025-2026`])
	open.breakBroker(answerLink)
	expect((await client.visit('/error404')).html).toContain('Not for &lt;b&gt;you&lt;/b&gt;')
})

test.for(['/downloads/contract/NOTE', '/client/downloads/pnl/pdf'])('%s shows a message when the body never starts', async (address) => {
	answerWith(FILES.find(([file]) => file === address)?.[1] ?? '', () => new Response(new ReadableStream({})))
	const answer = await client.send(address, { headers: { 'x-download': 'fetch' } })
	expect([answer.status, await answer.json()]).toEqual([504, { message: 'The broker took too long to answer.' }])
})

test.for<[what: string, referer: string]>([
	['another site', 'https://evil.test/dashboard'],
	['an address of ours that is another site', 'https://portal.test//evil.test/x'],
	['the download itself', 'https://portal.test/downloads/ledger/pdf'],
	['the download of a link', 'https://portal.test/client/downloads/pnl/pdf'],
	['no address', 'nonsense'],
])('a refused download never leads back to %s', async ([, referer]) => {
	answerWith('/v1/reports/ledger', () => refusal(404, 'None'))
	expect((await client.send('/downloads/ledger/pdf', { headers: { referer } })).headers.get('location')).toBe('/reports/ledger')
})

const CHUNK = 65_536

/** A file of as many chunks as are read, until the reader cancels. */
function endless(type: keyof typeof START) {
	const seen = { chunks: 0, isLetGo: false }
	const body = new ReadableStream<Uint8Array>(
		{
			pull(controller) {
				controller.enqueue(seen.chunks++ === 0 ? toBytes(START[type].padEnd(CHUNK)) : new Uint8Array(CHUNK))
			},
			cancel: () => void (seen.isLetGo = true),
		},
		{ highWaterMark: 0 },
	)
	return { seen, answer: () => new Response(body, { headers: { 'content-type': type } }) }
}

test.for(FILES)('%s is read from the broker only as fast as the client reads, and stops with the client', async ([address, call, type]) => {
	const { seen, answer } = endless(type)
	answerWith(call, answer)
	const reader = (await client.send(address)).body?.getReader()
	for (let read = 0; read < 40; read++) expect((await reader?.read())?.value?.byteLength).toBe(CHUNK)
	await client.send('/healthz')
	expect(seen.chunks).toBeLessThan(44)
	expect(seen.isLetGo).toBe(false)
	await reader?.cancel()
	await expect.poll(() => seen.isLetGo).toBe(true)
})

test.for(FILES)('%s that breaks off is a failed download, and the next try is complete', async ([address, call, type]) => {
	let sent = 0
	const broken = new ReadableStream<Uint8Array>({
		pull(controller) {
			if (sent++ < 3) controller.enqueue(toBytes(START[type].padEnd(100)))
			else controller.error(new Error('gone'))
		},
	})
	answerWith(call, () => new Response(broken, { headers: { 'content-type': type } }))
	const answer = await client.send(address)
	expect(answer.status).toBe(200)
	await expect(answer.arrayBuffer()).rejects.toBeDefined()
	answerWith(call, () => new Response(toBytes(`${START[type]} whole`), { headers: { 'content-type': type } }))
	expect(await (await client.send(address)).text()).toMatch(/whole$/)
})

test('a year pack is read only as fast as the client reads, and stops with the client', async () => {
	const { seen, answer } = endless(PDF)
	answerWith('/v1/reports/ledger', answer)
	const pack = await client.send('/downloads/year-pack?year=2024-2025')
	expect(pack.status).toBe(200)
	const reader = pack.body?.getReader()
	let taken = 0
	for (let read = 0; read < 80; read++) taken += (await reader?.read())?.value?.byteLength ?? 0
	expect(taken).toBeGreaterThan(30 * CHUNK)
	await client.send('/healthz')
	expect(seen.chunks).toBeLessThan(100)
	await reader?.cancel()
	await expect.poll(() => seen.isLetGo).toBe(true)
})

// Last, because these tests end sessions.
test.for(FILES)('%s without a session leads to the login page, or to the link’s end page, and is no file', async ([address, call]) => {
	const person = await signedIn(open)
	open.breakBroker(answerLink)
	await person.send('/client/reports?UserId=DEMO01&SessionId=b7a1f0c2-5d0e')
	answerWith(call, () => refusal(401, 'Session was closed'))
	const answer = await person.send(address)
	expect(answer.headers.get('content-disposition')).toBeNull()
	expect(answer.headers.get('location')).toMatch(address.startsWith('/client') ? /^\/client\/reports$/ : /^\/login/)
})
