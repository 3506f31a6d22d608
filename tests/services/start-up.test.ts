import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

/* What the built programs say when a variable is wrong. */

async function run(program: string, settings: Record<string, string>, cwd = '.') {
	const child = spawn(process.execPath, [program], {
		cwd,
		env: { NODE_ENV: 'production', PATH: process.env.PATH, ...settings },
		stdio: ['ignore', 'pipe', 'pipe'],
	})
	const [out, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
	return { out, said, code: code as number }
}

test('the sandbox names DATABASE_URL when no server answers there, in one line without the password', async () => {
	// Nothing listens on port 1.
	const { said, code } = await run('build/sandbox.js', { SANDBOX_PORT: '0', DATABASE_URL: 'postgres://khata:hidden@127.0.0.1:1/books' })
	expect(said).toBe('DATABASE_URL: the sandbox cannot open its books there: connect ECONNREFUSED 127.0.0.1:1\n')
	expect(code).toBe(1)
})

test('a wrong setting of the portal is told before the sandbox starts', async () => {
	const { out, said, code } = await run('build/server.js', { SESSION_SECRET: 'short', IDLE_MS: 'x' })
	expect(said).toBe(
		'The portal cannot start with these settings:\n  SESSION_SECRET: each secret needs 32 characters or more\n  SESSION_SECRET: a secret of few different characters is easily guessed\n  IDLE_MS: must be a whole number\n',
	)
	expect([out, code]).toEqual(['', 1])
})

test.each([
	'/logo.bmp',
	'/no-such-file.svg',
	'/../package.json',
	'/assets',
	'/.stamp',
	'//favicon.svg',
	'/favicon%2esvg',
	'/%2e%2e/client/favicon.svg',
])('BRAND_LOGO=%s, a path without a picture, is told before the sandbox starts', async (logo) => {
	const { out, said, code } = await run('build/server.js', { BRAND_LOGO: logo })
	expect(said).toBe(
		'The portal cannot start with these settings:\n  BRAND_LOGO: there is no picture at this path: put the file into public/ and build again, or use an https address\n',
	)
	expect([out, code]).toEqual(['', 1])
})

test('without a folder for its books the sandbox names SANDBOX_DATA_DIR, and BROKER_URL for who wanted no sandbox', async () => {
	const folder = mkdtempSync(path.join(os.tmpdir(), 'khata-start-'))
	symlinkSync(path.resolve('build'), path.join(folder, 'build'))
	// A file in place of the folder: root, who may run this test, can write into every folder.
	writeFileSync(path.join(folder, '.data'), '')
	const { out, said, code } = await run('build/server.js', { PORT: '3285', SANDBOX_PORT: '0' }, folder)
	expect(said).toBe(
		"SANDBOX_DATA_DIR: the sandbox broker cannot make its books there: ENOTDIR: not a directory, mkdir '.data/sandbox'. Name a folder that this user may write to, or set DATABASE_URL. To use the API of a broker, set BROKER_URL\nThe sandbox broker stopped (code 1); its own lines above say why\n",
	)
	expect([out, code]).toEqual([expect.stringMatching(/^BROKER_URL is not set: starting the sandbox broker/), 1])
})
