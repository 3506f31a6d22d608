import { expect, test } from 'vitest'
import { openPortalForFile, signedIn, Visitor } from '#tests/support/portal'
import { parsePage, readText } from '#tests/support/readers'

/* The title of every error page starts with its h1. */

const opened = openPortalForFile()

async function readHeadings(answer: Response) {
	const page = parsePage(await answer.text())
	return { status: answer.status, h1: page.querySelectorAll('h1').map(readText), title: readText(page.querySelector('title') ?? '') }
}

const same = (status: number, heading: string) => ({ status, h1: [heading], title: `${heading} · Khata` })

test.for(['/myaccount/email', '/funds/withdraw', '/dpprocess', '/connect/ipo/KONKANLOG', '/myaccount/closure', '/change-password'])(
	'POST %s with an old CSRF token',
	async (page) => {
		opened.breakBroker(undefined)
		const visitor = await signedIn(opened, 'DEMO01')
		expect(await readHeadings(await visitor.postRaw(page, { csrf: 'old' }))).toEqual(same(403, 'Not allowed'))
	},
)

test('POST /login with an old CSRF token, outside the shell', async () => {
	const answer = await new Visitor(opened.portal).postRaw('/login', { csrf: 'old', username: 'DEMO01', password: 'x' })
	expect(await readHeadings(answer)).toEqual(same(403, 'Not allowed'))
})

test('an unknown address, and a thing that does not exist', async () => {
	opened.breakBroker(undefined)
	const visitor = await signedIn(opened, 'DEMO01')
	expect(await readHeadings(await visitor.send('/nothing-here'))).toEqual(same(404, 'Page not found'))
	expect(await readHeadings(await visitor.send('/reports/nothing-here'))).toEqual(same(404, 'Page not found'))
	expect(await readHeadings(await visitor.send('/funds/payout?ref=PO-NONE'))).toEqual(same(404, 'Payout'))
})

test('an unknown address keeps the menu of a client, and asks a visitor for no login', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const { length } = opened.asked
	for (const address of ['/error404', '/nothing/here', '/downloads/nothing/here/at/all']) {
		const [own, other] = await Promise.all([visitor.visit(address), new Visitor(opened.portal).visit(address)])
		expect([own.status, parsePage(own.html).querySelectorAll('#menu').length]).toEqual([404, 1])
		expect([other.status, parsePage(other.html).querySelectorAll('#menu').length]).toEqual([404, 0])
	}
	expect(opened.asked).toHaveLength(length)
})

test.for([429, 409, 413])('a page whose call is refused with %i', async (status) => {
	opened.breakBroker(undefined)
	const visitor = await signedIn(opened, 'DEMO01')
	opened.failCalls('/v1/user/report/incometax', () => Response.json({ status: 'error', message: 'Not now', data: null }, { status }))
	const { h1, title } = await readHeadings(await visitor.send('/reports/income-tax?refresh=1'))
	expect(h1).toHaveLength(1)
	expect(title).toBe(`${h1[0]} · Khata`)
})

test('a page that failed keeps its title', async () => {
	opened.breakBroker(undefined)
	const visitor = await signedIn(opened, 'DEMO01')
	opened.failCalls('/v1/user/report/incometax', () => new Response('Oops', { status: 500 }))
	expect(await readHeadings(await visitor.send('/reports/income-tax?refresh=1'))).toEqual(same(502, 'Income Tax'))
})
