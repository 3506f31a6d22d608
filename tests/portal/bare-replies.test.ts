import { describe, expect, test } from 'vitest'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { FORMS } from '#tests/support/post-forms'

/* A change that the broker made is never reported as failed: its reply may leave out everything that no page shows. */

const opened = openPortalForFile()

type Json = Record<string, unknown>

/** Sends a form to a broker whose reply is changed like this. Returns where the portal leads. */
async function sendTo(name: string, change: (json: Json) => unknown) {
	const form = FORMS.find((each) => each.name === name)
	if (!form?.call) throw new Error(`There is no form ${name}`)
	const visitor = await signedIn(opened, form.who)
	const { address, fields } = await form.prepare(visitor, 0)
	opened.rewriteCalls(form.call, (json) => void change(json))
	const { status } = await visitor.postRaw(address, fields)
	opened.breakBroker(undefined)
	return { status, visitor }
}

describe.each(['the end of a mandate', 'the end of a payout', 'the state of mandates', 'a default bank'])('%s is done', (name) => {
	test.each([
		['{}', (json: Json) => (json.data = {})],
		['an empty text', (json: Json) => (json.data = '')],
		['nothing', (json: Json) => delete json.data],
	])('when the content of the reply is %s', async (_, change) => {
		expect((await sendTo(name, change)).status).toBe(303)
	})
})

test('a payout is asked for when the reply has no status', async () => {
	expect((await sendTo('a payout', ({ data }) => delete (data as Json).status)).status).toBe(303)
})
