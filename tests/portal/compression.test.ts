import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'

const open = openPortalForFile()
let client: Visitor
beforeAll(async () => {
	client = await signedIn(open)
})

const asIs = (bytes: Buffer) => bytes

test.for([
	// What Chromium and Firefox send over https, and Chromium over http.
	['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
	['gzip, deflate', 'gzip', gunzipSync],
	['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
	['BR', 'br', brotliDecompressSync],
	['gzip;q=0', null, asIs],
	['identity', null, asIs],
	['*', null, asIs],
	['', null, asIs],
] as const)('a page and its data are compressed as the browser accepts: %s', async ([accepted, encoding, decode]) => {
	for (const [path, expected] of [
		['/dashboard', '</html>'],
		['/dashboard.data', 'Aarav'],
	] as const) {
		const answer = await client.send(path, { headers: { 'accept-encoding': accepted } })
		expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, encoding])
		if (encoding) expect(answer.headers.get('vary')).toContain('accept-encoding')
		expect(decode(Buffer.from(await answer.arrayBuffer())).toString()).toContain(expected)
	}
})

test('a file is sent as it is', async () => {
	const answer = await client.send('/downloads/ledger/csv', { headers: { 'accept-encoding': 'gzip, br' } })
	expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, null])
	expect(await answer.text()).toContain('Narration')
})
