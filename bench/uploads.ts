import { type Program } from './programs'
import { pageOf } from './visitor'

const PROOF_BYTES = 4_900_000
const AT_ONCE = 20

/**
 * Twenty proofs at once for one change of income, as a script would send them. One of them may be taken and the others not: what
 * counts is that each has passed through. Answers how many bytes went out.
 */
export async function sendUploads(portal: Program, cookie: string): Promise<number> {
	const jar = new Map(
		cookie.split('; ').map((pair): [string, string] => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
	)
	const header = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
	const post = async (path: string, body: FormData | URLSearchParams) => {
		const answer = await fetch(portal.url + path, {
			method: 'POST',
			redirect: 'manual',
			headers: { cookie: header(), origin: portal.url },
			body,
		})
		await answer.arrayBuffer()
		return answer
	}
	const start = await textOf(portal, '/myaccount/income', header())
	const choices = [...start.matchAll(/type="radio"[^>]*value="([^"]+)"/g)].map(([, value]) => value ?? '')
	const sent = await post('/myaccount/income', new URLSearchParams({ csrf: hiddenIn(start, 'csrf'), income: choices[0] ?? '' }))
	if (sent.headers.get('location') !== '/myaccount/income/otp') throw new Error(`No code was sent (${sent.status})`)
	for (const set of sent.headers.getSetCookie()) {
		const [pair = ''] = set.split(';')
		jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
	}
	const step = await textOf(portal, '/myaccount/income/otp', header())
	const proof = new File(['%PDF-1.4\n', new Uint8Array(PROOF_BYTES)], 'proof.pdf', { type: 'application/pdf' })
	const uploads = Array.from({ length: AT_ONCE }, () => {
		const form = new FormData()
		for (const name of ['csrf', 'step', 'idempotency_key']) form.set(name, hiddenIn(step, name))
		form.set('otp', '000000')
		form.set('file', proof)
		return post('/myaccount/income/otp', form)
	})
	const statuses = (await Promise.all(uploads)).map(({ status }) => status)
	if (statuses.some((status) => status >= 500)) throw new Error(`An upload failed: ${statuses.join(' ')}`)
	return AT_ONCE * PROOF_BYTES
}

async function textOf(portal: Program, path: string, cookie: string): Promise<string> {
	return (await pageOf(portal.url, path, cookie)).bytes.toString('utf8')
}

function hiddenIn(html: string, name: string): string {
	return new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? ''
}
