import { describe, expect, test } from 'vitest'
import { checkToken, commitToken, renewToken } from './csrf.server'
import { seal } from './sealed-cookie.server'

const requestWith = (cookie?: string) => new Request('https://portal.test/', { headers: cookie === undefined ? {} : { cookie } })
const readPair = (setCookie: string | null) => (setCookie ?? '').split('; ')[0] ?? ''

function formWith(token: string | File | undefined): FormData {
	const form = new FormData()
	if (token !== undefined) form.set('csrf', token)
	return form
}

/** The status of the refusal, or undefined when the form is accepted. */
async function readRefusal(token: string | File | undefined, cookie?: string): Promise<number | undefined> {
	try {
		await checkToken(formWith(token), requestWith(cookie))
		return undefined
	} catch (error) {
		if (!(error instanceof Response)) throw error
		expect(await error.json()).toMatchObject({ message: 'This form is out of date. Go back, reload the page and try again.' })
		return error.status
	}
}

describe('a form’s token', () => {
	test('is 256 random bits, sealed in the cookie, and kept as long as the cookie', async () => {
		const [token, setCookie] = await commitToken(requestWith())
		expect(Buffer.from(token, 'base64url')).toHaveLength(32)
		expect(setCookie).toMatch(/^__Host-csrf=[^;]+; .*HttpOnly/)
		expect(setCookie).not.toContain(token)
		expect(await commitToken(requestWith(readPair(setCookie)))).toEqual([token, null])
		expect((await commitToken(requestWith()))[0]).not.toBe(token)
	})

	test('is accepted only with its own cookie', async () => {
		const [token, setCookie] = await commitToken(requestWith())
		const [other, otherCookie] = await commitToken(requestWith())
		expect(await readRefusal(token, readPair(setCookie))).toBeUndefined()
		expect(await readRefusal(token, readPair(otherCookie))).toBe(403)
		expect(await readRefusal(other, readPair(setCookie))).toBe(403)
		expect(await readRefusal(`${token} `, readPair(setCookie))).toBe(403)
		expect(await readRefusal(undefined, readPair(setCookie))).toBe(403)
		expect(await readRefusal('', readPair(setCookie))).toBe(403)
		expect(await readRefusal(new File([token], 'token'), readPair(setCookie))).toBe(403)
		expect(await readRefusal(token)).toBe(403)
	})

	test('is not read from a cookie that is empty, plain, altered or sealed for another purpose', async () => {
		const [token, setCookie] = await commitToken(requestWith())
		const pair = readPair(setCookie)
		const foreign = `__Host-csrf=${encodeURIComponent(await seal('toast', btoa(JSON.stringify(token))))}`
		for (const cookie of ['__Host-csrf=', `__Host-csrf=${token}`, pair.slice(0, -4), `${pair}x`, foreign]) {
			expect([cookie, await readRefusal(token, cookie), await readRefusal('', cookie)]).toEqual([cookie, 403, 403])
			const [fresh, replaced] = await commitToken(requestWith(cookie))
			expect([fresh === token, fresh.length, replaced === null]).toEqual([false, 43, false])
		}
	})

	test('changes at login and logout', async () => {
		const [token, setCookie] = await commitToken(requestWith())
		const renewed = readPair(await renewToken())
		expect(renewed).not.toBe(readPair(setCookie))
		expect(await readRefusal(token, renewed)).toBe(403)
	})
})
