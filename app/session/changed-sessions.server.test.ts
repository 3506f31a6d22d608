import { afterEach, expect, test } from 'vitest'
import { connectTestBroker, ok, Thing } from '#tests/support/test-broker'
import { restoreNetwork } from '#tests/support/test-wire'
import { applyChange, publishChange } from './changed-sessions.server'

afterEach(restoreNetwork)

test.for([
	['that this process made', () => publishChange('s1')],
	['of another process', async () => applyChange('s1', 'a change')],
] as const)('a read that was sent before a change %s is neither shared nor cached after it', async ([whose, change]) => {
	let n = 0
	let answerFirst = () => {}
	const held = new Promise<void>((resolve) => (answerFirst = resolve))
	const { visit, asked } = connectTestBroker(async () => {
		const own = ++n
		if (own === 1) await held
		return ok({ n: own })
	})
	const read = () => visit().getKept(`/v1/kept ${whose}`, Thing, {}, () => 1)
	const before = read()
	await expect.poll(() => asked.length, { interval: 1 }).toBe(1)
	await change()
	const after = read()
	answerFirst()
	expect([await before, await after, await read()]).toEqual([{ n: 1 }, { n: 2 }, { n: 2 }])
})
