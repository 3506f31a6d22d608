import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { startProcess } from './processes'

/* How the built programs start, and what they say when a variable is wrong. */

type Run = { cwd?: string; args?: string[] }

async function run(program: string, settings: Record<string, string>, { cwd = '.', args = [] }: Run = {}) {
	const child = spawn(process.execPath, [program, ...args], {
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

test('the sandbox names SANDBOX_DATA_DIR when it cannot make its folder there, in one line', async () => {
	// A path below a file: root, who may write everywhere, cannot make a folder there either.
	const { out, said, code } = await run('build/sandbox.js', { SANDBOX_PORT: '0', SANDBOX_DATA_DIR: 'package.json/books' })
	expect(said).toBe(
		"SANDBOX_DATA_DIR: the sandbox cannot keep its books there: ENOTDIR: not a directory, mkdir 'package.json/books'. To use a broker's API, set BROKER_URL\n",
	)
	expect([out, code]).toEqual(['', 1])
})

test('the sandbox moves broken books aside, and makes new ones', async () => {
	const folder = await mkdtemp(path.join(tmpdir(), 'khata-broken-'))
	const books = path.join(folder, 'books')
	await mkdir(books)
	await writeFile(path.join(books, 'PG_VERSION'), 'not a version')
	const sandbox = spawn(process.execPath, ['build/sandbox.js'], {
		env: { NODE_ENV: 'production', PATH: process.env.PATH, SANDBOX_PORT: '0', SANDBOX_DATA_DIR: books },
		stdio: ['ignore', 'pipe', 'ignore'],
	})
	// New books take a minute; the first line comes before them.
	const [line] = (await once(sandbox.stdout, 'data')) as [Buffer]
	await vi.waitFor(async () => expect(await readdir(folder)).toEqual(['books', expect.stringMatching(/^books-unreadable-\d+$/)]))
	sandbox.kill('SIGKILL')
	await once(sandbox, 'exit')
	expect(line.toString()).toContain('the stored books do not open; making new ones')
	const [, aside = ''] = await readdir(folder)
	expect(await readFile(path.join(folder, aside, 'PG_VERSION'), 'utf8')).toBe('not a version')
	await rm(folder, { recursive: true })
})

test('a wrong setting of the portal is reported before the sandbox starts', async () => {
	const { out, said, code } = await run('build/server.js', { SESSION_SECRET: 'short', IDLE_MS: 'x' })
	expect(said).toBe(
		'The portal cannot start with these settings:\n  SESSION_SECRET: each secret needs 32 characters or more\n  SESSION_SECRET: a secret of few different characters is easily guessed\n  IDLE_MS: must be a whole number\n',
	)
	expect([out, code]).toEqual(['', 1])
})

test('a folder without a build is reported in one line, before the sandbox starts', async () => {
	const folder = await mkdtemp(path.join(tmpdir(), 'khata-empty-'))
	const { out, said, code } = await run(path.resolve('build/server.js'), {}, { cwd: folder })
	expect(said).toBe(`${path.join(folder, 'build')} has no build: run \`npm run build\`, and start the portal in its own folder\n`)
	expect([out, code]).toEqual(['', 1])
})

test('a logo that the build does not have is logged, because a proxy may serve it', async () => {
	const portal = await startProcess(3297, 'http://127.0.0.1:1', { BRAND_LOGO: '/no-such-file.svg' })
	await portal.stop()
	expect(portal.lines('logo_missing')).toHaveLength(1)
	const another = await startProcess(3297, 'http://127.0.0.1:1', { BRAND_LOGO: '/favicon.svg' })
	await another.stop()
	expect(another.lines('logo_missing')).toEqual([])
})

test('a port that is taken is reported before the build and before the sandbox starts', async () => {
	const taker = net.createServer().listen(0, '127.0.0.1')
	await once(taker, 'listening')
	const { port } = taker.address() as net.AddressInfo
	const told = { out: '', said: `The portal cannot listen: port ${port} is taken; set PORT\n`, code: 1 }
	expect(await run('build/server.js', { PORT: String(port) })).toEqual(told)
	expect(
		await run('node_modules/tsx/dist/cli.mjs', { PORT: String(port) }, { args: ['scripts/build.ts', '--start', '--if-needed'] }),
	).toEqual(told)
	taker.close()
})

test('without a folder for its books the sandbox names SANDBOX_DATA_DIR, and BROKER_URL for who wanted no sandbox', async () => {
	const folder = await mkdtemp(path.join(tmpdir(), 'khata-start-'))
	await symlink(path.resolve('build'), path.join(folder, 'build'))
	// A file in place of the folder of the secret and the books.
	await writeFile(path.join(folder, '.data'), '')
	const { out, said, code } = await run('build/server.js', { PORT: '3285', SANDBOX_PORT: '0' }, { cwd: folder })
	expect(said).toBe(
		"SANDBOX_DATA_DIR: the sandbox cannot keep its books there: ENOTDIR: not a directory, mkdir '.data/sandbox'. To use a broker's API, set BROKER_URL\nThe sandbox broker stopped (code 1); its own lines above say why\n",
	)
	expect([out, code]).toEqual([expect.stringMatching(/^BROKER_URL is not set: starting the sandbox broker/), 1])
})

test('the portal has React’s version for production, also when nobody set NODE_ENV', async () => {
	const portal = await startProcess(3297, 'http://127.0.0.1:1', {
		NODE_ENV: '',
		NODE_ARGS: `--import ${path.resolve('tests/support/loaded-react.mjs')}`,
	})
	expect((await portal.visitor().visit('/login')).status).toBe(200)
	await portal.stop()
	const [{ files = '' } = {}] = portal.lines('react')
	expect(files).toContain('react.production.min.js')
	expect(files).toContain('react-dom-server-legacy.node.production.min.js')
	expect(String(files)).not.toContain('development')
})
