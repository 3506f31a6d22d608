import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hidden, lastCode, PDF, sendCode, sendForm, readText } from '#tests/support/account'
import { openPortal, ORIGIN, signedIn, type Visitor } from '#tests/support/portal'
import { listAttributes, readKeys, readTitle } from '#tests/support/readers'

/* Uploads to the broker: their type, size and number (security 50 and 51). The tests send them with a change of income. */

let opened: Awaited<ReturnType<typeof openPortal>>
let visitor: Visitor
const OTP = '/myaccount/income/otp'

beforeAll(async () => {
	opened = await openPortal()
	visitor = await signedIn(opened, 'CASH01')
	await visitor.post('/myaccount/income', '/myaccount/income', { income: '1-5 Lakh' })
})
afterAll(() => opened.close())
afterEach(() => opened.breakBroker(undefined))

const MEGABYTE = 1024 * 1024
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=', 'base64')

function createPng(width: number, height: number): Buffer {
	const png = Buffer.from(PNG)
	png.writeUInt32BE(width, 16)
	png.writeUInt32BE(height, 20)
	return png
}

/** The segments of a JPEG up to its picture: a preview of that many bytes, then the size. */
function createJpeg(width: number, height: number, preview = 0): Buffer {
	const app = Buffer.alloc(preview + 4, 0x20)
	app.writeUInt32BE(0xff_e1_00_00 + preview + 2)
	const size = Buffer.from('ffc2001108000000000301220002110103110100', 'hex').subarray(0, 19)
	size.writeUInt16BE(height, 5)
	size.writeUInt16BE(width, 7)
	return Buffer.concat([Buffer.from('ffd8', 'hex'), app, size, Buffer.from('ffda0008010100003f00', 'hex'), Buffer.alloc(40)])
}

const createPdf = (bytes: number) => Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(bytes - 9, 0x20)])
const file = (content: Buffer | string, name: string, type = 'application/pdf') =>
	new File([typeof content === 'string' ? content : new Uint8Array(content)], name, { type })

/** The uploads that reached the broker completely. */
const arrived = (from: number) => opened.asked.slice(from).filter(({ url }) => url.includes('verify_otp'))

const WRONG: [what: string, sent: File, status: number, words: string][] = [
	['a page called .pdf', file('<html><script>1</script>', 'proof.pdf'), 400, 'The selected file must be a PDF, JPG or PNG'],
	['a program called .pdf', file('MZ\u0090\0', 'proof.pdf'), 400, 'The selected file must be a PDF, JPG or PNG'],
	['an archive called .pdf', file('PK\u0003\u0004abcd', 'proof.pdf'), 400, 'The selected file must be a PDF, JPG or PNG'],
	['a drawing', file('<svg xmlns="http://www.w3.org/2000/svg"/>', 'proof.svg', 'image/svg+xml'), 400, 'must be a PDF, JPG or PNG'],
	['a GIF', file('GIF89a/*', 'proof.png', 'image/png'), 400, 'must be a PDF, JPG or PNG'],
	['a PDF called .exe', file(createPdf(40), 'proof.pdf.exe'), 400, 'must be a PDF, JPG or PNG'],
	['nothing', file('', 'proof.pdf'), 400, 'The selected file is empty'],
	['a picture of 20,000 pixels', file(createPng(20_000, 20_000), 'proof.png', 'image/png'), 400, 'at most 10,000 pixels'],
	[
		'a PDF under a password',
		file('%PDF-1.4\ntrailer\n<< /Encrypt 5 0 R /Root 1 0 R >>\n%%EOF', 'proof.pdf'),
		400,
		'The selected file is password protected',
	],
	[
		'a PDF whose password shows late',
		file(Buffer.concat([createPdf(200_003), Buffer.from('/Encrypt 5 0 R')]), 'proof.pdf'),
		400,
		'The selected file is password protected',
	],
	[
		'a PDF whose entry for its password is written with an escape',
		file('%PDF-1.4\ntrailer\n<< /#45ncryp#74 5 0 R /Root 1 0 R >>\n%%EOF', 'proof.pdf'),
		400,
		'The selected file is password protected',
	],
	['a photo of 20,000 pixels', file(createJpeg(20_000, 300), 'proof.jpg', 'image/jpeg'), 400, 'at most 10,000 pixels'],
	[
		'a photo of 20,000 pixels behind a long preview',
		file(createJpeg(300, 20_000, 60_000), 'proof.jpg', 'image/jpeg'),
		400,
		'at most 10,000 pixels',
	],
	['5 MB and a byte', file(createPdf(5 * MEGABYTE + 1), 'proof.pdf'), 400, 'The selected file must be smaller than 5MB'],
	['12 MB', file(createPdf(12 * MEGABYTE), 'proof.pdf'), 400, 'The selected file must be smaller than 5MB'],
]

describe('an invalid file', () => {
	test.each(WRONG)('%s is refused at its field, and the code stays valid', async (_, sent, status, words) => {
		const answer = await sendCode(visitor, OTP, { otp: await lastCode('CASH01') }, { file: sent })
		expect(answer.status).toBe(status)
		const html = await answer.text()
		expect(readTitle(html)).toMatch(/^Error: Income/)
		expect(readText(html)).toContain(words)
		expect(listAttributes(html, 'a', 'href')).toContain('#otp-file')
		expect(readText((await visitor.visit('/myaccount/income')).html)).toContain('₹ 10 to 25 lakh')
	})

	test('is detected by its first bytes before the broker is called', async () => {
		const from = opened.asked.length
		await sendCode(visitor, OTP, { otp: await lastCode('CASH01') }, { file: file('<html>', 'proof.pdf') })
		await sendCode(visitor, OTP, { otp: await lastCode('CASH01') })
		expect(arrived(from)).toEqual([])
	})

	test('is refused with the whole form when the portal did not make the form', async () => {
		const { html } = await visitor.visit(OTP)
		const own = { ...readKeys(html), step: hidden(html, 'step'), otp: '123456' }
		const from = opened.asked.length
		expect((await sendForm(visitor, OTP, own, { file: PDF, file2: PDF, file3: PDF })).status).toBe(400)
		expect((await sendForm(visitor, OTP, own, { other: PDF })).status).toBe(400)
		const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`field${at}`, 'x']))
		expect((await sendForm(visitor, OTP, { ...many, ...own }, { file: PDF })).status).toBe(400)
		expect((await sendForm(visitor, OTP, { ...own, csrf: 'none' }, { file: PDF })).status).toBe(403)
		// A form that lost its token is refused for that reason.
		const raw = async (body: string, type = 'multipart/form-data; boundary=b') => {
			const answer = await visitor.send(OTP, { method: 'POST', body, headers: { 'content-type': type, origin: ORIGIN } })
			expect([400, 403]).toContain(answer.status)
		}
		await raw('--b\r\n', 'multipart/form-data')
		await raw('--b\r\ncontent-disposition: form-data; name="otp"\r\n\r\n123')
		await raw(`--b\r\ncontent-disposition: form-data; name="${'n'.repeat(100_000)}"\r\n\r\n1\r\n--b--`)
		expect(arrived(from)).toEqual([])
	})

	test('is not checked when its step is over: the client gets the same message as without a file', async () => {
		const late = await signedIn(opened, 'CASH01')
		const { html } = await visitor.visit(OTP)
		const own = { step: hidden(html, 'step'), idempotency_key: hidden(html, 'idempotency_key'), otp: '123456' }
		const from = opened.asked.length
		const page = await late.visit('/myaccount/income')
		const sent: Record<string, File>[] = [{}, { file: PDF }, { file: PDF, file2: PDF }, { file: file('<html>', 'proof.pdf') }]
		for (const files of sent) {
			const answer = await sendForm(late, OTP, { csrf: hidden(page.html, 'csrf'), ...own }, files)
			expect([answer.status, answer.headers.get('location')]).toEqual([303, '/myaccount/income'])
			expect(readText((await late.visit('/myaccount/income')).html)).toContain(
				'This OTP request is no longer valid. Nothing was changed by it.',
			)
		}
		// A form of another tab, from a step that requires other files.
		const left = await sendForm(visitor, OTP, { csrf: hidden(html, 'csrf'), ...own, step: 'another' }, { other: PDF })
		expect([left.status, left.headers.get('location')]).toEqual([303, OTP])
		expect(arrived(from)).toEqual([])
	})

	test('is refused unread when no file is expected', async () => {
		const page = await visitor.visit('/myaccount/email')
		const large = await sendForm(
			visitor,
			'/myaccount/email',
			{ csrf: hidden(page.html, 'csrf') },
			{ file: file(createPdf(200_000), 'a.pdf') },
		)
		expect([large.status, large.headers.get('connection')]).toEqual([413, 'close'])
	})

	test('of more than 25 MB is refused at its field too, in the page and in its data', async () => {
		for (const address of [OTP, `${OTP}.data`]) {
			const { html } = await visitor.visit(OTP)
			const form = new FormData()
			for (const name of ['csrf', 'step', 'idempotency_key']) form.set(name, hidden(html, name))
			form.set('otp', '123456')
			form.set('file', file(createPdf(26 * MEGABYTE), 'proof.pdf'))
			const { body, headers } = new Request(ORIGIN, { method: 'POST', body: form })
			// In chunks, as from a network.
			const init = { method: 'POST', body, headers: { 'content-type': headers.get('content-type') ?? '', origin: ORIGIN }, duplex: 'half' }
			const answer = await visitor.send(address, init as RequestInit)
			expect([answer.status, answer.headers.get('connection')]).toEqual([400, 'close'])
			const text = await answer.text()
			expect(text).toContain('The selected file must be smaller than 5MB')
			if (address === OTP) expect(listAttributes(text, 'input[type="file"]', 'name')).toEqual(['file'])
		}
	})
})

test('a file reaches the broker byte for byte, with a name and a type chosen by the portal', async () => {
	const from = opened.asked.length
	const exact = file(createPdf(5 * MEGABYTE), '../my own.PDF', 'text/html')
	const done = await sendCode(visitor, OTP, { otp: await lastCode('CASH01') }, { file: exact })
	expect(done.status).toBe(303)
	const [sent] = arrived(from)
	const got = (await sent?.formData())?.get('file') as File
	expect([got.name, got.type, got.size]).toEqual(['file.pdf', 'application/pdf', 5 * MEGABYTE])
	expect(Buffer.from(await got.arrayBuffer()).equals(createPdf(5 * MEGABYTE))).toBe(true)
})

test('a photo of ordinary size is accepted', async () => {
	await visitor.post('/myaccount/income', '/myaccount/income', { income: '1-5 Lakh' })
	const photo = file(createJpeg(4000, 3000, 30_000), 'proof.jpeg', 'image/jpeg')
	const done = await sendCode(visitor, OTP, { otp: await lastCode('CASH01') }, { file: photo })
	expect(done.status).toBe(303)
})

test('the log says that files were refused, and never their names', () => {
	const logs = opened.lines.join('\n')
	expect(logs).not.toContain('my own')
	expect(logs).not.toContain('proof.pdf')
})
