import { describe, expect, test } from 'vitest'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { paiseAfter, paiseIn, readTable, readText } from '#tests/support/readers'

/* The dashboard leaves a holding without a cost out of the gain, also for a broker that has no call for such holdings. */

describe.each(['404', '501', 'html'])('optional operations answered with %s', (style) => {
	const opened = openPortalForFile({ SANDBOX_ONLY_REQUIRED: style })

	test('states the gain of the holding report, and what is left out', async () => {
		const client = await signedIn(opened, 'DEMO01')
		const text = readText((await client.visit('/dashboard')).html)
		const { head, foot } = readTable((await client.visit('/reports/holding')).html, 'Holding')
		expect(paiseAfter(text, 'Unrealised')).toBe(paiseIn(foot[head.indexOf('Unrealised')]))
		// In few words under the holding, and under the portfolio, where value less invested is not the gain either.
		expect(text.match(/The cost of 1 holding is not known/g)).toHaveLength(1)
		expect(text.match(/1 holding worth ₹ [\d,.]+ has no known cost: it is in the value only\./g)).toHaveLength(1)
	})

	test('counts only the unreadable cells that it needs', async () => {
		const client = await signedIn(opened, 'DEMO01')
		const visitWith = async (row: object) => {
			opened.rewriteCalls('/v2/service/reports/holding', (json) => void Object.assign((json.data as object[])[0] ?? {}, row))
			return readText((await client.visit('/dashboard?refresh=1')).html)
		}
		expect(await visitWith({ QTY: null, DAY_CHANGE: 'none today', CLOSE_PRICE: null })).not.toContain('could not be read')
		expect(await visitWith({ QTY: null, INVESTED: null })).toContain('1 value could not be read and is shown as —.')
	})

	test('states no gain when the holding report fails', async () => {
		const client = await signedIn(opened, 'DEMO01')
		opened.failCalls('/v2/service/reports/holding', () => Response.json({ status: 'error', message: 'Oops', data: null }, { status: 500 }))
		const text = readText((await client.visit('/dashboard?refresh=1')).html)
		expect(text).toContain('Which holdings have no known cost could not be loaded, so no gain is shown. Oops')
		expect(text).toContain('Unrealised — Day change')
	})
})
