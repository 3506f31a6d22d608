import { expect } from 'vitest'
import { ErrorEnvelope } from '#contract/common'
import { type createTestSandbox } from './sandbox'

type Sandbox = ReturnType<typeof createTestSandbox>
type Ask = Awaited<ReturnType<Sandbox['signIn']>>

/** The broker's reply: status and envelope. */
export async function readReply(response: Response): Promise<{ status: number; message: string; data: unknown }> {
	const { message, data } = (await response.json()) as { message: string; data: unknown }
	return { status: response.status, message, data }
}

/** The broker's refusal; its schema is checked. */
export async function readRefusal(response: Response) {
	const { message, data } = ErrorEnvelope.parse(await response.clone().json())
	return { status: response.status, message, data }
}

export const postJson = (ask: Ask, path: string, body: object, headers: Record<string, string> = {}) =>
	ask(path, { method: 'POST', body: JSON.stringify(body), headers })

export type Fields = Record<string, string | File>

/** Posts a multipart form, as the portal does. */
export async function postForm(ask: Ask, path: string, fields: Fields, more: Record<string, string> = {}): Promise<Response> {
	const form = new FormData()
	for (const [name, value] of Object.entries(fields)) form.append(name, value)
	const request = new Request('http://sandbox.test', { method: 'POST', body: form })
	const headers = { 'content-type': request.headers.get('content-type') ?? '', ...more }
	return await ask(path, { method: 'POST', body: await request.arrayBuffer(), headers })
}

/** The messages of a client, newest first, as on the outbox page: recipient, subject, text. */
export async function readOutbox({ app }: Pick<Sandbox, 'app'>, client: string): Promise<{ to: string; subject: string; body: string }[]> {
	const page = await (await app.request(`/outbox?client=${client}`)).text()
	const rows = [...page.matchAll(/(?:SMS|E-mail) to (.*?)<\/td>\s*<td><strong>(.*?)<\/strong><br \/>(.*?)<\/td>/gs)]
	return rows.map(([, to = '', subject = '', body = '']) => ({ to, subject, body }))
}

/** The latest code that was sent for a client. */
export async function latestCode(sandbox: Pick<Sandbox, 'app'>, client: string): Promise<string> {
	const message = (await readOutbox(sandbox, client)).find(({ subject }) => subject === 'OTP')
	const code = /^\d{6}/.exec(message?.body ?? '')?.[0]
	expect(code).toBeDefined()
	return code ?? ''
}

/** A code of six digits that differs from `code`. */
export const wrongCode = (code: string): string => `${code === '111111' ? '2' : '1'}11111`.replace('211111', '222222')

/** Signs the request of an e-sign response, or ends the visit with another outcome. */
export async function sign(
	{ app }: Pick<Sandbox, 'app'>,
	response: unknown,
	outcome: 'sign' | 'cancel' | 'fail' = 'sign',
): Promise<string> {
	const body = new URLSearchParams({ response: String(response), outcome })
	const answer = await app.request('/esign', { method: 'POST', body })
	expect(answer.status).toBe(303)
	return answer.headers.get('location') ?? ''
}

export const PDF = new File(['%PDF-1.7\nproof\n%%EOF'], 'file.pdf', { type: 'application/pdf' })
export const PNG = new File([Buffer.from('89504e470d0a1a0a00000000', 'hex')], 'file.png', { type: 'image/png' })
