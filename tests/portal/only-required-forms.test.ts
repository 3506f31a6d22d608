import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { OPTIONAL_OPERATIONS } from '#contract/operations'
import { STEPS, TESTS } from '#tests/e2e/optional-steps'
import { sendForm } from '#tests/support/account'
import { openPortalForFile, ORIGIN, signedIn, Visitor } from '#tests/support/portal'
import { FORMS } from '#tests/support/post-forms'
import { readText } from '#tests/support/readers'

/* Every form at a broker with only the required operations: the request is done, and the next page is complete. */

const optional = new Set(OPTIONAL_OPERATIONS.map(({ path }) => path))
const isOptional = (path: string | undefined) => path !== undefined && optional.has(path)

const NEW_PASSWORD = 'a new password'

/** The new password comes last, because its client cannot log in with the old one any more. */
const own = FORMS.filter(({ call, lookups = [] }) => !isOptional(call) && !lookups.some(isOptional)).toSorted(
	(one, other) => Number(one.name === NEW_PASSWORD) - Number(other.name === NEW_PASSWORD),
)

/** Forms that the broker refuses with a message: another code within half a minute, and an unchanged value. */
const REFUSED: Record<string, [status: number, words: string]> = {
	'the code of a verification once more': [429, 'You can ask for a new OTP in 30 seconds'],
	'an income': [422, 'This is the income already on your account'],
}

test('only the listed forms need an optional operation', () => {
	const others = FORMS.filter((form) => !own.includes(form)).map(({ name }) => name)
	expect(others.sort()).toEqual([
		'a forgotten password',
		'a password set anew',
		'a pledge to confirm once more',
		'the code of a forgotten password',
		'the code of a forgotten password once more',
		'the end of a closure',
		'the end of a mandate',
		'the end of a payout',
		'the end of a request',
	])
})

test('every listed journey and step exists, and needs optional operations only', () => {
	const files = readdirSync('tests/e2e').filter((name) => name.endsWith('.journey.ts'))
	const journeys = files.map((name) => readFileSync(`tests/e2e/${name}`, 'utf8')).join('\n')
	expect(Object.keys(TESTS).filter((title) => !journeys.includes(`test('${title}', `))).toEqual([])
	expect(Object.keys(STEPS).filter((step) => !journeys.includes(`offers('${step}')`))).toEqual([])
	const ids = Object.values({ ...TESTS, ...STEPS }).flat()
	const known = OPTIONAL_OPERATIONS.map(({ id }) => id)
	expect(ids.filter((id) => !known.includes(id))).toEqual([])
})

describe.each(['404', '501', 'html'])('optional operations answered with %s', (style) => {
	const opened = openPortalForFile({ SANDBOX_ONLY_REQUIRED: style })
	afterEach(() => void vi.useRealTimers())

	test.each(own)('$name is done', { timeout: 60_000 }, async ({ name, who, prepare }) => {
		const visitor = who ? await signedIn(opened, who) : new Visitor(opened.portal)
		const { address, fields, files } = await prepare(visitor, 0)
		const answer = files ? await sendForm(visitor, address, fields, files) : await visitor.postRaw(address, fields)
		const refused = REFUSED[name]
		if (refused) return expect([answer.status, readText(await answer.text())]).toEqual([refused[0], expect.stringContaining(refused[1])])
		expect([302, 303]).toContain(answer.status)
		const to = new URL(answer.headers.get('location') ?? '', ORIGIN)
		expect(to.pathname === '/login').toBe(name === NEW_PASSWORD)
		if (to.origin !== ORIGIN || to.pathname.startsWith('/pages')) return
		const { status, html } = await visitor.visit(to.pathname + to.search)
		expect([to.pathname, status]).toEqual([to.pathname, 200])
		expect(readText(html)).not.toMatch(/could not be loaded|does not offer|There is no such|We do not know/)
	})

	test('a forgotten password says that it cannot be set here', async () => {
		const visitor = new Visitor(opened.portal)
		const sent = await visitor.post('/forgot-password', '/forgot-password', { intent: 'send_otp', username: 'DEMO01' })
		const [status, words] = style === 'html' ? [502, 'sent an unexpected response'] : [422, 'does not offer this here']
		expect([sent.status, readText(await sent.text())]).toEqual([status, expect.stringContaining(words)])
	})
})
