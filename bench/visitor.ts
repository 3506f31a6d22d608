/** Returns the code of a copy of DEMO01 at the replaying broker, for a number from 1 to 1295. */
export const nameTwin = (at: number) => `TWIN${at.toString(36).toUpperCase().padStart(2, '0')}`

/** Signs in like a browser without JavaScript and returns the Cookie header of the session. */
export async function signIn(portal: string, username: string): Promise<string> {
	const cookies = new Map<string, string>()
	const keep = (answer: Response) => answer.headers.getSetCookie().forEach((cookie) => cookies.set(...readPair(cookie)))
	const header = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

	const page = await fetch(`${portal}/login`)
	keep(page)
	const csrf = /name="csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
	const answer = await fetch(`${portal}/login`, {
		method: 'POST',
		redirect: 'manual',
		headers: { cookie: header(), origin: portal },
		body: new URLSearchParams({ csrf, username, password: 'Demo@1234' }),
	})
	keep(answer)
	if (!answer.headers.get('location')?.endsWith('/dashboard'))
		throw new Error(`${username} could not sign in at ${portal} (${answer.status})`)
	return header()
}

function readPair(cookie: string): [string, string] {
	const [pair = ''] = cookie.split(';')
	const at = pair.indexOf('=')
	return [pair.slice(0, at), pair.slice(at + 1)]
}

/** Reads a whole page. Throws on an error page, because its figures would mean nothing. */
export async function readPage(
	portal: string,
	path: string,
	cookie: string,
	signal?: AbortSignal,
): Promise<{ bytes: Buffer; headers: Headers }> {
	const answer = await fetch(portal + path, { headers: { cookie, 'accept-encoding': 'identity' }, redirect: 'manual', signal })
	const bytes = Buffer.from(await answer.arrayBuffer())
	if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
	return { bytes, headers: answer.headers }
}

/** Posts a form and reads its reply. Returns the reply, and the Cookie header of the browser afterwards. */
export async function postForm(
	portal: string,
	path: string,
	cookie: string,
	body: FormData | URLSearchParams,
): Promise<{ answer: Response; cookie: string }> {
	const answer = await fetch(portal + path, { method: 'POST', redirect: 'manual', headers: { cookie, origin: portal }, body })
	await answer.arrayBuffer()
	const jar = new Map([...cookie.split('; '), ...answer.headers.getSetCookie()].map(readPair))
	return { answer, cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }
}

/** Returns the value of a hidden field of a page. */
export function hiddenIn(html: string, name: string): string {
	return new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? ''
}

/** Returns the seconds that a page takes, and the range of rows that its table shows. */
export async function seconds(portal: { url: string }, path: string, cookie: string): Promise<{ s: number; found: string }> {
	const started = performance.now()
	const { bytes } = await readPage(portal.url, path, cookie)
	return { s: (performance.now() - started) / 1000, found: /[\d,]+–[\d,]+ of [\d,]+/.exec(bytes.toString())?.[0] ?? '' }
}
