import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { waitForUploadTurn } from './upload-turns.server'

/* Posts of many clients (security 50). tests/security/upload-turns has the posts of one client, and the turns of browsers that left. */

/** A post that can end; `hasBegun` once it has its turn. */
function post(client: string) {
	const leaving = new AbortController()
	const state = { hasBegun: false, end: () => leaving.abort() }
	void waitForUploadTurn(client, leaving.signal).then(() => (state.hasBegun = true))
	return state
}
const postTimes = (times: number, client: string) => Array.from({ length: times }, () => post(client))

/** When a post ends, the next one begins in the next turn of the event loop. */
const settle = async () => {
	await setImmediate()
	await setImmediate()
}

test('reads 24 posts of all clients at once, and also the first post of each client', async () => {
	// Four clients with six each are 24.
	const many = ['A', 'B', 'C', 'D'].map((client) => postTimes(7, client))
	const [first, second] = postTimes(2, 'E')
	await settle()
	expect(many.map((posts) => posts.filter(({ hasBegun }) => hasBegun).length)).toEqual([6, 6, 6, 6])
	expect([first?.hasBegun, second?.hasBegun]).toEqual([true, false])

	// 25 are read: the end of one leaves 24. After a second there are 23, so one more may begin, and the first of E.
	const waiting = () => [many[3]?.[6]?.hasBegun, second?.hasBegun]
	many[3]?.[0]?.end()
	await settle()
	expect(waiting()).toEqual([false, false])
	first?.end()
	await settle()
	expect(waiting()).toEqual([true, true])

	for (const { end } of [...many.flat(), ...(second ? [second] : [])]) end()
	await settle()
	const again = postTimes(6, 'A')
	await settle()
	expect(again.every(({ hasBegun }) => hasBegun)).toBe(true)
	for (const { end } of again) end()
})
