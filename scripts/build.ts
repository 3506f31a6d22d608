import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { BUNDLE } from './bundle'
import { createSbom } from './sbom'

/*
 * Makes the production files: the build of Remix, then server.ts and the sandbox bundled to plain JavaScript (no TypeScript at run
 * time), then the compressed files for browsers, and a list of what is deployed (build/sbom.json). `--if-needed` does nothing when no
 * source is newer than the build. `--books` makes the first books of the sandbox at the same time: each of the two uses one core.
 * `--start` first checks what the portal needs that starts next: its settings and its port.
 */
const SOURCES = [
	'app',
	'contract',
	'documents',
	'server',
	'sandbox',
	'public',
	'scripts',
	'server.ts',
	'vite.config.ts',
	'tailwind.config.ts',
	'package-lock.json',
]
const STAMP = 'build/.stamp'

if (process.argv.includes('--start')) await checkPortal()
if (process.argv.includes('--if-needed') && existsSync(STAMP) && newest(SOURCES) < statSync(STAMP).mtimeMs) process.exit(0)

const started = performance.now()
const say = (line: string) => process.stdout.write(`${line}\n`)
const books = process.argv.includes('--books') ? startFirstBooks() : undefined
say('Building the portal…')
// npm runs at the same time as the build of Remix.
const sbom = createSbom()
await run('remix', ['vite:build', '--logLevel', 'warn'], { NODE_ENV: 'production' })
say('Building the server and the sandbox broker…')
writeFileSync('build/sbom.json', await sbom)
await build({
	...BUNDLE,
	entryPoints: { server: 'server.ts', sandbox: 'sandbox/main.ts' },
	outdir: 'build',
	entryNames: '[name]',
	logLevel: 'warning',
})
cpSync('sandbox/db/migrations', 'build/migrations', { recursive: true })
// The server inlines the stylesheet into the document, so the assets of the stylesheet are only in the server build. JavaScript is not
// copied: a component that is loaded on demand becomes a chunk of server code among these files.
cpSync('build/server/assets', 'build/client/assets', { recursive: true, filter: (source) => !source.endsWith('.js') })
say('Compressing what browsers load…')
for (const file of listFiles(['build/client/assets'])) {
	if (!/\.(js|css|svg)$/.test(file)) continue
	const bytes = readFileSync(file)
	writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
	writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
}
writeFileSync(STAMP, '')
say(`Built in ${((performance.now() - started) / 1000).toFixed(0)} s`)
await books

/** Ends this process with the reason in one line when the portal could not start. */
async function checkPortal(): Promise<void> {
	const { checkStart } = await import('#server/sandbox')
	try {
		await checkStart(process.env)
	} catch (error) {
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
		process.exit(1)
	}
}

/**
 * Makes the first books of the sandbox. Does nothing when the sandbox already has books. The start of the sandbox repeats a step that
 * fails here, and reports it.
 */
async function startFirstBooks() {
	const { BROKER_URL, DATABASE_URL, SANDBOX_DATA_DIR = '.data/sandbox' } = process.env
	if (BROKER_URL || DATABASE_URL || existsSync(SANDBOX_DATA_DIR)) return
	say('Making the books of the sandbox broker…')
	const isMade = await run('tsx', ['sandbox/db/books-main.ts'], { NODE_OPTIONS: '--max-old-space-size=1024' }, 'ignore').then(
		() => true,
		() => false,
	)
	if (isMade) say(`Made the books in ${((performance.now() - started) / 1000).toFixed(0)} s`)
}

/** Runs a program of node_modules. Throws when it fails; its output shows the reason. */
async function run(name: string, args: string[], env: Record<string, string>, lines: 'inherit' | 'ignore' = 'inherit'): Promise<void> {
	const child = spawn(`node_modules/.bin/${name}`, args, { stdio: ['ignore', lines, lines], env: { ...process.env, ...env } })
	const [code] = (await once(child, 'exit')) as [number | null]
	if (code !== 0) throw new Error(`${name} failed`)
}

function newest(roots: string[]): number {
	return Math.max(...listFiles(roots).map((file) => statSync(file).mtimeMs))
}

function listFiles(roots: string[]): string[] {
	return roots
		.filter((root) => existsSync(root))
		.flatMap((root) =>
			statSync(root).isDirectory()
				? readdirSync(root, { recursive: true, encoding: 'utf8' })
						.map((name) => path.join(root, name))
						.filter((file) => statSync(file).isFile())
				: [root],
		)
}
