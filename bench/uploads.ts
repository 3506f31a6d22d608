import { type Program } from './programs'
import { hiddenIn, readPage, postForm } from './visitor'

const PROOF_BYTES = 4_900_000
const AT_ONCE = 20

/**
 * Sends twenty proofs at once for one income change, as a script would. Only one may be accepted, but each must pass through. Returns
 * the number of bytes sent. Throws when no code was sent or an upload got a 5xx.
 */
export async function sendUploads(portal: Program, cookie: string): Promise<number> {
	const start = await readText(portal, '/myaccount/income', cookie)
	const choices = [...start.matchAll(/type="radio"[^>]*value="([^"]+)"/g)].map(([, value]) => value ?? '')
	const asked = new URLSearchParams({ csrf: hiddenIn(start, 'csrf'), income: choices[0] ?? '' })
	const sent = await postForm(portal.url, '/myaccount/income', cookie, asked)
	if (sent.answer.headers.get('location') !== '/myaccount/income/otp') throw new Error(`No code was sent (${sent.answer.status})`)
	const step = await readText(portal, '/myaccount/income/otp', sent.cookie)
	const proof = new File(['%PDF-1.4\n', new Uint8Array(PROOF_BYTES)], 'proof.pdf', { type: 'application/pdf' })
	const uploads = Array.from({ length: AT_ONCE }, () => {
		const form = new FormData()
		for (const name of ['csrf', 'step', 'idempotency_key']) form.set(name, hiddenIn(step, name))
		form.set('otp', '000000')
		form.set('file', proof)
		return postForm(portal.url, '/myaccount/income/otp', sent.cookie, form)
	})
	const statuses = (await Promise.all(uploads)).map(({ answer }) => answer.status)
	if (statuses.some((status) => status >= 500)) throw new Error(`An upload failed: ${statuses.join(' ')}`)
	return AT_ONCE * PROOF_BYTES
}

async function readText(portal: Program, path: string, cookie: string): Promise<string> {
	return (await readPage(portal.url, path, cookie)).bytes.toString('utf8')
}
