import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROKERS_DAY } from '#tests/support/brokers-day'
import { openPortal, Visitor } from '#tests/support/portal'
import { hidden } from '#tests/support/readers'

/** As in a real sandbox. Other tests have cheap passwords, whose time would be lost in the rest of a login. */
const PASSWORD_COST = 16_384

let open: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
	open = await openPortal({ made: { today: BROKERS_DAY, passwordCost: PASSWORD_COST } })
})
afterAll(() => open.close())

test('a wrong password takes as long for an unknown code as for a dormant one', async () => {
	// CPU milliseconds of all threads. Portal and broker are in this process, and a clock would include other processes.
	const times: Record<string, number[]> = { known: [], dormant: [], unknown: [] }
	const tryOnce = async (kind: string, code: string) => {
		const visitor = new Visitor(open.portal)
		const { html } = await visitor.visit('/login')
		const csrf = hidden(html, 'csrf')
		const begun = process.cpuUsage()
		const answer = await visitor.postRaw('/login', { csrf, username: code, password: 'wrong' })
		const { user, system } = process.cpuUsage(begun)
		times[kind]?.push((user + system) / 1000)
		// A limited attempt would be fast and prove nothing.
		expect(answer.status).toBe(422)
	}
	// Both kinds take turns, so that other load affects them equally. The limits are five for a code and thirty for an address.
	for (let turn = 0; turn < 4; turn++) {
		await tryOnce('known', turn % 2 ? 'NEW001' : 'CASH01')
		await tryOnce('unknown', `NOBODY${turn}`)
		await tryOnce('dormant', 'DORM01')
		await tryOnce('unknown', `NOONE${turn}`)
		await tryOnce('known', turn % 2 ? 'CASH01' : 'NEW001')
	}
	// The minimum is the work itself; anything above it is garbage collection.
	const least = (kind: string) => Math.min(...(times[kind] ?? []))
	for (const kind of ['dormant', 'unknown']) {
		expect(Math.abs(least(kind) - least('known')), JSON.stringify(times)).toBeLessThan(Math.max(20, least('known') / 10))
	}
})
