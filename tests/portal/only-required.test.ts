import { matchRoutes } from 'react-router'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forgetAbsent } from '~/broker/optional.server'
import { openPortal, ORIGIN, Visitor } from '#tests/support/portal'
import { readText } from '#tests/support/readers'
import { PLACES } from '#tests/support/site-map'

/* A broker with the required operations alone: every page works, no link leads nowhere, and nothing is said that nobody knows. */

const NOT_OFFERED = 'Your broker does not offer this here'

/** What a page may say only when the broker was asked and answered that there is nothing. */
const FALSE = [
	'could not be loaded',
	'You have no mandate',
	'You have not asked for any change',
	'Nothing was funded',
	'There is no such',
	NOT_OFFERED,
]

const all = PLACES.map(({ route }) => ({ path: `/${route}` }))

describe.each(['404', '405', '501', '403', 'html'])('optional operations answered with %s', (style) => {
	let opened: Awaited<ReturnType<typeof openPortal>>
	beforeAll(async () => {
		forgetAbsent()
		opened = await openPortal(['DEMO01'], undefined, undefined, { SANDBOX_ONLY_REQUIRED: style })
	}, 120_000)
	afterAll(() => opened.close())

	test('every page that pages lead to is whole', { timeout: 120_000 }, async () => {
		const client = new Visitor(opened.portal)
		await client.login('DEMO01')
		const seen = new Map<string, string>()
		const wrong: string[] = []
		const waiting = all.map(({ path }) => ({ address: path, from: 'the site map' })).filter(({ address }) => !/[:*]/.test(address))
		for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
			const { pathname } = new URL(next.address, ORIGIN)
			const place = matchRoutes(all, pathname)?.[0]?.route.path ?? ''
			const name = pathname.startsWith('/downloads/') ? pathname : place
			if (seen.has(name) || /^\/(logout|login|theme|activity|health|client|maintenance|error404)/.test(pathname)) continue
			seen.set(name, pathname)
			const { status, html } = await client.visit(next.address)
			if (status >= 400 && next.from !== 'the site map') wrong.push(`${status} ${next.address} from ${next.from}`)
			const words = readText(html.slice(0, 200_000))
			// Of a file nobody knows before it was asked for whether the broker has it.
			const isFile = pathname.startsWith('/downloads/')
			for (const said of FALSE) if (words.includes(said) && !(isFile && said === NOT_OFFERED)) wrong.push(`${next.address}: ${said}`)
			for (const [, href = ''] of html.matchAll(/<a\b[^>]*?\bhref="(\/[^"#]*)/g))
				waiting.push({ address: href.replaceAll('&amp;', '&'), from: next.address })
		}
		expect(seen.size).toBeGreaterThan(40)
		expect(wrong).toEqual([])
	})
})
