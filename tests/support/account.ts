import { ORIGIN, type Visitor } from './portal'
import { hidden, readKeys } from './readers'

export { hidden, readText } from './readers'

export const PDF = new File(['%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'], 'my salary.pdf', { type: 'application/pdf' })

/** The last OTP that the sandbox sent to this client, from its outbox. */
export async function lastCode(client: string): Promise<string> {
	const page = await (await fetch(`https://sandbox.test/outbox?client=${client}`)).text()
	return /(\d{6}) is the OTP/.exec(page)?.[1] ?? ''
}

/** A wrong OTP. */
export const wrongCode = (right: string) => (right === '111111' ? '222222' : '111111')

type Fields = Record<string, string>

/** Posts the OTP step as a browser does: hidden fields, the OTP, then files. */
export async function sendCode(visitor: Visitor, address: string, fields: Fields, files: Record<string, File> = {}, from?: string) {
	const html = from ?? (await visitor.visit(address)).html
	const all = { ...readKeys(html), step: hidden(html, 'step'), ...fields }
	if (Object.keys(files).length === 0) return await visitor.postRaw(address, all)
	return await sendForm(visitor, address, all, files)
}

/** Posts a form as multipart. */
export async function sendForm(visitor: Visitor, address: string, fields: Fields, files: Record<string, File>) {
	const form = new FormData()
	for (const [name, value] of Object.entries(fields)) form.set(name, value)
	for (const [name, file] of Object.entries(files)) form.set(name, file)
	const request = new Request(ORIGIN, { method: 'POST', body: form })
	const body = await request.arrayBuffer()
	const headers = {
		'content-type': request.headers.get('content-type') ?? '',
		'content-length': String(body.byteLength),
		origin: ORIGIN,
	}
	return await visitor.send(address, { method: 'POST', body, headers })
}

/** Signs, cancels or fails at the provider, and follows the redirect back. */
export async function atProvider(visitor: Visitor, outcome = 'sign') {
	const { html } = await visitor.visit('/esign')
	const left = await visitor.postRaw('/esign', { csrf: hidden(html, 'csrf'), signing: hidden(html, 'signing') })
	const response = new URL(left.headers.get('location') ?? '').searchParams.get('response') ?? ''
	const body = new URLSearchParams({ response, outcome })
	const sent = await fetch('https://esign.test/esign', { method: 'POST', body, redirect: 'manual' })
	const back = new URL(sent.headers.get('location') ?? '')
	return await visitor.visit(back.pathname + back.search)
}
