import { expect } from 'vitest'
import { type openPortal, Visitor } from './portal'
import { standInForBroker } from './test-wire'

/*
 * Links of another product that open a report. The portal makes no such links, so the tests make the broker's responses about them. The
 * tokens come from real sandbox logins.
 */
export const REPORT = '/client/reports'
export const SESSION = 'b7a1f0c2-5d0e-4a86-9f4e-1c42d1004200'
export const VALIDATE = '/v2/web/validate-report-link'
/** The report of one of the links that are open in a browser. */
const OPENED = /^\/client\/reports\?link=[\w-]{36}$/
export const NOT_VALID = 'This link is not valid or has expired'

export const formatLink = (user: string, session = SESSION) => `${REPORT}?UserId=${user}&SessionId=${session}&Product=CONNECT`
export const error = (status: number, message: string) => Response.json({ status: 'error', message, data: null }, { status })

export function openLinks(open: Awaited<ReturnType<typeof openPortal>>) {
	/** A new broker token, as a link has it. */
	async function readToken(username: string): Promise<string> {
		const person = new Visitor(open.portal)
		let token = ''
		const end = standInForBroker(async (request) => {
			const answer = await fetch(request)
			const said = (await answer
				.clone()
				.json()
				.catch(() => undefined)) as { data?: { authToken?: string } } | undefined
			token ||= said?.data?.authToken ?? ''
			return answer
		})
		await person.login(username)
		end()
		expect(token).not.toBe('')
		return token
	}

	return {
		readToken,

		/** The broker's response about a link; undefined for every other call. */
		async answer(request: Request): Promise<Response | undefined> {
			const { pathname, searchParams } = new URL(request.url)
			if (pathname !== VALIDATE) return undefined
			if (searchParams.get('SessionId') !== SESSION) return error(401, 'Link is not valid')
			const clientCode = searchParams.get('UserId') ?? ''
			return Response.json({ status: 'success', message: '', data: { clientCode, authToken: await readToken(clientCode) } })
		},

		/** A browser that has opened a client's link. */
		async openedBy(user = 'DEMO01') {
			const visitor = new Visitor(open.portal)
			const answer = await visitor.send(formatLink(user))
			expect([answer.status, answer.headers.get('location')]).toEqual([302, expect.stringMatching(OPENED)])
			return { visitor, answer }
		},

		/** The calls made at a path. */
		asked: (path: string) => open.asked.filter((request) => new URL(request.url).pathname === path),
	}
}
