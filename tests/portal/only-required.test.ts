import { matchRoutes } from 'react-router'
import { describe, expect, test } from 'vitest'
import { openPortalForFile, ORIGIN, Visitor } from '#tests/support/portal'
import { readText } from '#tests/support/readers'
import { PLACES } from '#tests/support/site-map'

/* A broker with the required operations alone: every page works, no link leads nowhere, and nothing is said that nobody knows. */

const NOT_OFFERED = 'does not offer this'

/** What a page may say only when the broker was asked, and answered. */
const FALSE_WORDS = [
	NOT_OFFERED,
	'could not be loaded',
	'You have no mandate',
	'You have not asked for any change',
	'You have not asked to pledge',
	'Nothing was funded',
	'None since it was acquired',
	'There is no such',
	'Nothing is verified',
	'No pledge was asked for',
]

const all = PLACES.map(({ route }) => ({ path: `/${route}` }))
/** What ends the session, takes posts alone, or is opened by a link of the broker's. */
const LEFT_OUT = /^\/(logout|login|theme|session|health|maintenance|error404|client)/

describe.each(['404', '501', 'html'])('optional operations answered with %s', (style) => {
	const opened = openPortalForFile({ SANDBOX_ONLY_REQUIRED: style })

	test('a dormant client reads what is known, and saves statements', async () => {
		const visitor = new Visitor(opened.portal)
		await visitor.login('DORM01')
		const { status, html } = await visitor.visit('/rekyc')
		const words = readText(html)
		expect([status, words]).toEqual([200, expect.stringContaining('Start re-KYC is not available here. Contact support.')])
		expect(words).not.toMatch(/could not be loaded|does not offer|Last traded|What you need/)
		expect((await visitor.send('/rekyc/statements/ledger/pdf?year=2023-2024')).headers.get('content-type')).toBe('application/pdf')
	})

	test.each(['DEMO01', 'NEW001'])('every page that pages lead %s to is whole', { timeout: 120_000 }, async (client) => {
		const visitor = new Visitor(opened.portal)
		await visitor.login(client)
		// Two seconds for a client with data: one style is enough, because its parts are read one by one in each.
		const isSlow = client === 'DEMO01' && style !== '404'
		const seen = new Set<string>()
		const wrong: string[] = []
		const waiting = all.map(({ path }) => ({ address: path, from: 'the site map' })).filter(({ address }) => !/[:*]/.test(address))
		for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
			const { pathname } = new URL(next.address, ORIGIN)
			const place = matchRoutes(all, pathname)?.[0]?.route.path ?? ''
			const name = pathname.startsWith('/downloads/') ? pathname : place
			if (seen.has(name) || LEFT_OUT.test(pathname) || (isSlow && pathname === '/downloads/year-pack')) continue
			const { status, html } = await visitor.visit(next.address)
			// An address without what it names says so; a link has its name.
			if (next.from === 'the site map' && status === 404) continue
			seen.add(name)
			if (status >= 400) wrong.push(`${status} ${next.address} from ${next.from}: ${readText(html).slice(0, 300)}`)
			// No link leads to such a file, and who types its address reads why there is none.
			const isTyped = next.from === 'the site map' && pathname.startsWith('/downloads/')
			const words = readText(html.slice(0, 200_000))
			const said = FALSE_WORDS.filter((each) => words.includes(each) && !(isTyped && each === NOT_OFFERED))
			if (said.length > 0) wrong.push(`${next.address}: ${said.join(', ')}`)
			for (const [, href = ''] of html.matchAll(/<a\b[^>]*?\bhref="(\/[^"#]*)/g))
				waiting.push({ address: href.replaceAll('&amp;', '&'), from: next.address })
		}
		expect(wrong).toEqual([])
		expect(seen.size).toBeGreaterThan(client === 'DEMO01' ? 60 : 40)
	})
})
