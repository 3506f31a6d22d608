import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod/v4'
import { BrokerRefusal, connectBroker } from './client.server'
import { listFields, type Form } from './form-body.server'

const TIMEOUT_MS = 400

let stop: (() => void) | undefined
afterEach(() => stop?.())

/** A broker on a real port, because this tests how a body is sent. */
async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void) {
	const server = createServer(answer).listen(0, '127.0.0.1')
	await once(server, 'listening')
	stop = () => {
		server.closeAllConnections()
		server.close()
	}
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
	const baseUrls = { broker: url, ekyc: url, edis: url, ipo: url, payment: url }
	const broker = connectBroker(
		{ baseUrls, timeoutMs: TIMEOUT_MS, tell: () => {} },
		{
			token: 'token-of-the-client',
			clientCode: 'KH10042',
			requestId: randomUUID(),
			onExpired: async () => new Response(null, { status: 302 }),
		},
	)
	return (form: Form) => broker.post('/v1/x', z.unknown(), { form }).catch((thrown: unknown) => thrown)
}

function success(response: ServerResponse, data: unknown) {
	response.setHeader('content-type', 'application/json')
	response.end(JSON.stringify({ status: 'success', message: 'ok', data }))
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = []
	for await (const chunk of request) chunks.push(chunk as Buffer)
	return Buffer.concat(chunks)
}

async function* bytes(...parts: string[]) {
	for (const part of parts) yield Buffer.from(part)
}

test('fields and files arrive unchanged, and no name can break out of its header', async () => {
	const send = await listen(async (request, response) => {
		const headers = { 'content-type': request.headers['content-type'] ?? '' }
		const form = await new Response(new Uint8Array(await readBody(request)), { headers }).formData()
		const file = form.get('file') as File
		success(response, { fields: [...form.keys()], otp: form.get('otp'), file: [file.name, file.type, await file.text()] })
	})
	async function* form() {
		yield* listFields({ otp: '482913', left_out: undefined, set_default: false })
		yield { name: 'a"\r\nb', value: '' }
		yield { name: 'file', filename: 'proof.pdf', type: 'application/pdf', body: bytes('%PDF-', '1.7\r\n--khata-', '\r\n') }
	}
	expect(await send(form())).toEqual({
		fields: ['otp', 'set_default', 'a___b', 'file'],
		otp: '482913',
		file: ['proof.pdf', 'application/pdf', '%PDF-1.7\r\n--khata-\r\n'],
	})
})

test('an upload that fails half way throws its own error, and the broker never gets a complete body', async () => {
	const arrived: string[] = []
	const send = await listen((request, response) => {
		readBody(request).then(
			() => {
				arrived.push('whole')
				success(response, null)
			},
			() => arrived.push('part'),
		)
	})
	const tooLarge = new Error('The selected file must be smaller than 5MB')
	async function* body() {
		yield Buffer.alloc(100_000)
		throw tooLarge
	}
	expect(await send([{ name: 'file', filename: 'x.pdf', type: 'application/pdf', body: body() }])).toBe(tooLarge)
	await expect.poll(() => arrived).toEqual(['part'])
})

test('a slow upload is not cut while bytes arrive; a stalled upload is', async () => {
	const send = await listen(
		(request, response) =>
			void readBody(request).then(
				({ length }) => success(response, length),
				() => {},
			),
	)
	async function* slow(stepMs: number) {
		for (let part = 0; part < 5; part += 1) {
			await pause(stepMs)
			yield Buffer.from('x')
		}
	}
	const file = (body: AsyncIterable<Uint8Array>) => [{ name: 'file', filename: 'x.pdf', type: 'application/pdf', body }]
	expect(await send(file(slow(TIMEOUT_MS / 3)))).toBeGreaterThan(5)
	const still = (await send(file(slow(TIMEOUT_MS * 2)))) as Response
	expect(still.status).toBe(504)
})

test('a refusal before the end of an upload stops the upload', async () => {
	const send = await listen((_, response) => {
		response.writeHead(413, { 'content-type': 'application/json' })
		response.end(JSON.stringify({ status: 'error', message: 'File is larger than 5 MB', data: null }))
	})
	let isReturned = false
	async function* endless() {
		try {
			for (;;) yield Buffer.alloc(65_536)
		} finally {
			isReturned = true
		}
	}
	const thrown = await send([{ name: 'file', filename: 'x.pdf', type: 'application/pdf', body: endless() }])
	expect(thrown).toBeInstanceOf(BrokerRefusal)
	expect(thrown).toMatchObject({ status: 413, message: 'File is larger than 5 MB' })
	await expect.poll(() => isReturned).toBe(true)
})

test('a redirect of an upload is not followed and becomes a 502', async () => {
	const asked: (string | undefined)[] = []
	const send = await listen((request, response) => {
		asked.push(request.url)
		request.resume()
		response.writeHead(307, { location: '/elsewhere' }).end()
	})
	const thrown = (await send([{ name: 'file', filename: 'x.pdf', type: 'application/pdf', body: bytes('%PDF-') }])) as Response
	expect([thrown.status, asked]).toEqual([502, ['/v1/x?source=connect']])
})
