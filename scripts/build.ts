import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { createSbom } from './sbom'

/*
 * Production files: Remix's build, then server.ts and the sandbox bundled to plain JavaScript (no TypeScript at run
 * time), then the browser's files compressed once, and a list of what is deployed (build/sbom.json). `--if-needed` does nothing when no source is newer than the build.
 */
const SOURCES = [
	'app',
	'contract',
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

if (process.argv.includes('--if-needed') && existsSync(STAMP) && newest(SOURCES) < statSync(STAMP).mtimeMs) process.exit(0)

process.stdout.write('Building…\n')
// npm runs beside Remix's build.
const sbom = createSbom()
execFileSync('node_modules/.bin/remix', ['vite:build', '--logLevel', 'warn'], {
	stdio: 'inherit',
	env: { ...process.env, NODE_ENV: 'production' },
})
writeFileSync('build/sbom.json', await sbom)
await build({
	entryPoints: { server: 'server.ts', sandbox: 'sandbox/main.ts' },
	outdir: 'build',
	bundle: true,
	packages: 'external',
	platform: 'node',
	format: 'esm',
	target: 'node20',
	entryNames: '[name]',
	logLevel: 'warning',
})
cpSync('sandbox/db/migrations', 'build/migrations', { recursive: true })
// The stylesheet is drawn into the document by the server, so what it names is found on that side only. Code of the server stays there:
// a component loaded on demand makes it a chunk among these files.
cpSync('build/server/assets', 'build/client/assets', { recursive: true, filter: (source) => !source.endsWith('.js') })
for (const file of listFiles(['build/client/assets'])) {
	if (!/\.(js|css|svg)$/.test(file)) continue
	const bytes = readFileSync(file)
	writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
	writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
}
writeFileSync(STAMP, '')

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
