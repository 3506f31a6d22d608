import fs, { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from './create-log'

let folder = ''
let descriptor = 0
beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'khata-log-'))
	descriptor = openSync(path.join(folder, 'log'), 'a')
})
afterEach(() => {
	vi.restoreAllMocks()
	closeSync(descriptor)
	rmSync(folder, { recursive: true })
})

const readLines = () => [...readFileSync(path.join(folder, 'log'), 'utf8').matchAll(/"msg":"(.+)"}\n/g)].map(([, said]) => said)

/** Each write fails with this error until `mend` is called. `attempts` counts them. */
function breakWrites(code: string) {
	const broken = vi.spyOn(fs, 'write').mockImplementation(((...call: unknown[]) => {
		const done = call.at(-1) as (error: Error) => void
		setImmediate(() => done(Object.assign(new Error(code), { code })))
	}) as typeof fs.write)
	return { attempts: () => broken.mock.calls.length, mend: () => broken.mockRestore() }
}

test('a full disk loses lines, says so once, and the log goes on when there is room', async () => {
	const warnings = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
	const log = createLog('info', descriptor)
	const disk = breakWrites('ENOSPC')
	for (const [at, line] of ['first', 'second', 'third'].entries()) {
		log.info(line)
		await vi.waitFor(() => expect(disk.attempts()).toBe(at + 1), { interval: 5 })
		await new Promise((resolve) => setImmediate(resolve))
	}
	// The log of a fault in the code is flushed, and so is that of a process that ends.
	log.fatal('fourth')
	await vi.waitFor(() => expect(disk.attempts()).toBe(4), { interval: 5 })
	disk.mend()
	await vi.waitFor(
		() => {
			log.info('again')
			expect(readLines()).toContain('again')
		},
		{ interval: 5 },
	)
	// The line that failed first is kept.
	expect([...new Set(readLines())]).toEqual(['first', 'again'])
	expect(warnings.mock.calls).toEqual([['Log lines are lost: stdout cannot be written (ENOSPC)\n']])
})

test.for(['EPIPE', 'ECONNRESET'])('nothing is written any more when the reader has gone: %s', async (code) => {
	const warnings = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
	const log = createLog('info', descriptor)
	const pipe = breakWrites(code)
	log.info('first')
	await vi.waitFor(() => expect(pipe.attempts()).toBe(1), { interval: 5 })
	await new Promise((resolve) => setImmediate(resolve))
	log.info('second')
	expect(pipe.attempts()).toBe(1)
	expect(warnings).not.toHaveBeenCalled()
})
