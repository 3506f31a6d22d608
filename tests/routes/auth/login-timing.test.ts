import { expect, test } from 'vitest'
import { BROKERS_DAY } from '#tests/support/brokers-day'
import { forgetPortal } from '#tests/support/built-portal'
import { openPortal, Visitor } from '#tests/support/portal'
import { hidden } from '#tests/support/readers'

/** As in a real sandbox. Other tests have cheap passwords, whose time would be lost in the rest of a login. */
const PASSWORD_COST = 16_384

const KINDS = { known: ['CASH01', 'NEW001'], dormant: ['DORM01'], unknown: ['NOBODY', 'NOONE'] }
type Kind = keyof typeof KINDS

/** The CPU milliseconds of all threads for one wrong password. Portal and broker are in this process; a clock would include others. */
async function timeWrongPassword(portal: Visitor['portal'], username: string) {
	const visitor = new Visitor(portal)
	const { html } = await visitor.visit('/login')
	const csrf = hidden(html, 'csrf')
	const begun = process.cpuUsage()
	const answer = await visitor.postRaw('/login', { csrf, username, password: 'wrong' })
	const { user, system } = process.cpuUsage(begun)
	// A limited attempt would be fast and prove nothing.
	expect(answer.status).toBe(422)
	return (user + system) / 1000
}

/** Appends four attempts of each kind to `times`. A code has five attempts, so each call opens a new portal and a new broker. */
async function timeEachKind(times: Record<Kind, number[]>) {
	// The next portal is loaded again and has no limits used up.
	forgetPortal()
	const open = await openPortal({ made: { today: BROKERS_DAY, passwordCost: PASSWORD_COST } })
	try {
		// The kinds take turns, so that other load affects them equally.
		for (let turn = 0; turn < 4; turn++) {
			for (const [kind, codes] of Object.entries(KINDS) as [Kind, string[]][]) {
				times[kind].push(await timeWrongPassword(open.portal, codes[turn % codes.length] ?? ''))
			}
		}
	} finally {
		await open.close()
	}
}

test('a wrong password takes as long for an unknown code as for a dormant one', async () => {
	const times: Record<Kind, number[]> = { known: [], dormant: [], unknown: [] }
	for (let round = 0; round < 4; round++) await timeEachKind(times)
	// The minimum is the work itself; anything above it is garbage collection, compiling and other load.
	const least = (kind: Kind) => Math.min(...times[kind])
	for (const kind of ['dormant', 'unknown'] as const) {
		expect(Math.abs(least(kind) - least('known')), JSON.stringify(times)).toBeLessThan(least('known') / 3)
	}
})
