import { expect, test } from 'vitest'
import { atProvider, lastCode, readText, sendCode } from '#tests/support/account'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { parsePage } from '#tests/support/readers'

const opened = openPortalForFile()

/** The step as the dashboard of a new client shows it. */
async function readNominee(visitor: Visitor): Promise<string> {
	const { html } = await visitor.visit('/dashboard')
	const step = parsePage(html)
		.querySelectorAll('main li')
		.find((line) => readText(line).includes('Say who receives'))
	return readText(step ?? '')
}

const DONE = /^Done Nominee /
const TO_DO = /^To do Nominee .* Name a nominee : Nominee$/

// Before the list has answered once: from then on a 404 means an empty list.
test.each([500, 404])('without the broker’s list of requests (%i) the step does not say that nothing was declared', async (status) => {
	opened.failCalls('/v1/ours/change-requests', () => new Response('Not Found', { status }))
	expect(await readNominee(await signedIn(opened, 'NEW001'))).toMatch(
		/^To do Nominee Say who receives your shares and money after your death, unless you have declared that you want no nominee\./,
	)
})

test('the nominee is a first step until a declaration of none is signed', async () => {
	opened.breakBroker(undefined)
	const fresh = await signedIn(opened, 'NEW001')
	expect(await readNominee(fresh)).toMatch(TO_DO)
	await fresh.post('/myaccount/nominee', '/myaccount/nominee', { opt_out: 'on' })
	await sendCode(fresh, '/myaccount/nominee/otp', { otp: await lastCode('NEW001') })
	// Not signed yet.
	expect(await readNominee(fresh)).toMatch(TO_DO)
	await atProvider(fresh)
	expect(await readNominee(fresh)).toMatch(DONE)
	expect(readText((await fresh.visit('/dashboard')).html)).not.toContain('Name a nominee')
})
