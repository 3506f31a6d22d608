import { expect, test } from 'vitest'
import { untilAborted } from './until-aborted'

const reason = new Error('left')

test('ends with the result, or with the reason of an abort before or during the work', async () => {
	const forEver = new Promise<never>(() => {})
	expect(await untilAborted(Promise.resolve(5), new AbortController().signal)).toBe(5)
	await expect(untilAborted(forEver, AbortSignal.abort(reason))).rejects.toBe(reason)
	const abort = new AbortController()
	const work = untilAborted(forEver, abort.signal)
	abort.abort(reason)
	await expect(work).rejects.toBe(reason)
})
