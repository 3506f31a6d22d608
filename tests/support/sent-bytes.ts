import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { expect, vi } from 'vitest'
import { hidden } from './account'
import { type Visitor } from './portal'

/* Raw bytes of browsers, sent to a portal on a port. */

const SEGMENTS = '/myaccount/segments'
export const OTP = `${SEGMENTS}/otp`

type Sending = { socket: Socket; text: () => string; closed: Promise<unknown> }

/** A connection to the portal on that port, on which these bytes were sent. */
export function send(port: number, bytes: string): Sending {
	const socket = connect(port, '127.0.0.1')
	let text = ''
	socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
	socket.on('error', () => {})
	socket.write(bytes, 'latin1')
	return { socket, text: () => text, closed: new Promise((resolve) => socket.once('close', resolve)) }
}

export const HEAD = 'Host: portal.test\r\nOrigin: https://portal.test\r\n'
export const readStatus = (text: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1])
const isComplete = (text: string) => {
	const [head = '', ...body] = text.split('\r\n\r\n')
	return body.join('\r\n\r\n').length >= Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Infinity)
}
export const answered = ({ text }: Sending) => vi.waitFor(() => expect(isComplete(text())).toBe(true), { timeout: 10_000, interval: 20 })

export const formatPart = (name: string, value: string) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
export const filePart = (name = 'file') =>
	`--b\r\ncontent-disposition: form-data; name="${name}"; filename="a.pdf"\r\ncontent-type: application/pdf\r\n\r\n%PDF-1.4\n`

/** A client who has requested a segment, and the first fields of each form with the OTP. */
export async function askForCode(visitor: Visitor, code: string) {
	await visitor.login(code)
	const asked = await visitor.post(SEGMENTS, SEGMENTS, { segment: 'Currency Derivatives' })
	expect(asked.headers.get('location')).toBe(OTP)
	const { html } = await visitor.visit(OTP)
	const kept = ['csrf', 'step'].map((name) => formatPart(name, hidden(html, name))).join('')
	const fields = () =>
		`${kept}${formatPart('idempotency_key', randomUUID())}${formatPart('otp', '123456')}${formatPart('file_type', 'Salary Slip')}`
	const head = `POST ${OTP} HTTP/1.1\r\n${HEAD}Cookie: ${visitor.cookieHeader()}\r\nContent-Type: multipart/form-data; boundary=b\r\n`
	return {
		/** A form with this declared length, of which only the beginning is sent. */
		open: (rest: string, length: number) => `${head}Content-Length: ${length}\r\n\r\n${fields()}${rest}`,
		/** A complete form that ends with this part. */
		whole(rest: string) {
			const body = fields() + rest
			return `${head}Content-Length: ${body.length}\r\n\r\n${body}`
		},
	}
}
