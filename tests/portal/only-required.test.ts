import { matchRoutes } from 'react-router'
import { describe, expect, test } from 'vitest'
import { isLong } from '#sandbox/testing/runs'
import { openPortalForFile, ORIGIN, signedIn } from '#tests/support/portal'
import { readText } from '#tests/support/readers'
import { PLACES } from '#tests/support/site-map'

/* A broker with only the required operations: every page works, every link leads to a page, and no page states unknown facts. */

const NOT_OFFERED = 'does not offer this'

/** Text that a page may show only when the broker has answered. */
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
/** Addresses that end the session, accept only posts, or are opened by a report link. */
const LEFT_OUT = /^\/(logout|login|theme|session|health|maintenance|error404|client)/

/** The short form tries each way with one client. */
const STYLES = [
	{ style: '404', clients: ['DEMO01', ...(isLong ? ['NEW001'] : [])] },
	{ style: '501', clients: [...(isLong ? ['DEMO01'] : []), 'NEW001'] },
	{ style: 'html', clients: ['DEMO01', ...(isLong ? ['NEW001'] : [])] },
]

describe.each(STYLES)('optional operations answered with $style', ({ style, clients }) => {
	const opened = openPortalForFile({ SANDBOX_ONLY_REQUIRED: style })

	test('a dormant client reads the known facts, and saves statements', async () => {
		const visitor = await signedIn(opened, 'DORM01')
		const { status, html } = await visitor.visit('/rekyc')
		const words = readText(html)
		expect([status, words]).toEqual([200, expect.stringContaining('Start re-KYC is not available here. Contact support.')])
		expect(words).not.toMatch(/could not be loaded|does not offer|Last traded|What you need/)
		expect((await visitor.send('/rekyc/statements/ledger/pdf?year=2023-2024')).headers.get('content-type')).toBe('application/pdf')
	})

	test.each(clients)('every page that %s reaches by links is complete', { timeout: 120_000 }, async (client) => {
		const visitor = await signedIn(opened, client)
		// The year pack of a client with data takes two seconds, so one style tries it. Its parts are read one by one in each style.
		const isSlow = client === 'DEMO01' && style !== '404'
		const seen = new Set<string>()
		const wrong: string[] = []
		const waiting = all.map(({ path }) => ({ address: path, from: 'the site map' })).filter(({ address }) => !/[:*]/.test(address))
		for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
			const { pathname } = new URL(next.address, ORIGIN)
			const place = matchRoutes(all, pathname)?.[0]?.route.path ?? ''
			// The reports have one route, and each its own call.
			const name = pathname.startsWith('/downloads/') || place === '/reports/:report' ? pathname : place
			if (seen.has(name) || LEFT_OUT.test(pathname) || (isSlow && pathname === '/downloads/year-pack')) continue
			const { status, html } = await visitor.visit(next.address)
			// A typed address without its parameters may be a 404. A link has them.
			if (next.from === 'the site map' && status === 404) continue
			seen.add(name)
			if (status >= 400) wrong.push(`${status} ${next.address} from ${next.from}: ${readText(html).slice(0, 300)}`)
			// No link leads to such a file. A client who types its address gets the reason.
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
