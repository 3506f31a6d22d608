import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/**
 * Who may import whom: left a folder (the longest match counts), right what its files may name of ours. It is a test so
 * that a wrong arrow fails, rather than being found a year later. See docs/decisions for each change to it.
 */
const MAY_IMPORT: Record<string, RegExp> = {
	'app/lib': /^~\/lib\//,
	'app/fonts': /^$/,
	'app/components': /^~\/(components|lib|fonts)\//,
	'app/broker/contract': /^~\/(broker\/contract|lib)\//,
	'app/broker': /^~\/(broker|lib)\//,
	'app/reports': /^~\/(reports|broker|lib)\/|^~\/forms\.server$/,
	'app/routes': /^~\/(components|broker|reports|lib)\/|^~\/[\w-]+\.server$/,
	app: /^~\/(broker|lib)\/|^~\/[\w-]+\.server$|^~\/document$/,
	server: /^#server\/|^~\/(settings\.server$|lib\/)/,
	sandbox: /^#sandbox\/|^~\/(broker\/contract|lib)\//,
}

/** Files that are composed of everything, and say so: the document, its two entries, the site map. */
const COMPOSERS = new Set(['app/root.tsx', 'app/entry.server.tsx', 'app/entry.client.tsx', 'app/routes.ts'])

const files = ['app', 'server', 'sandbox'].flatMap((root) =>
	fs
		.readdirSync(root, { recursive: true, encoding: 'utf8' })
		.map((name) => path.join(root, name))
		.filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file)),
)

const imports = files.flatMap((file) =>
	[...fs.readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport) ?\(?'([^']+)'/g)].map((found) => ({ file, target: found[1] ?? '' })),
)

function folderOf(file: string): string {
	return Object.keys(MAY_IMPORT)
		.filter((folder) => file.startsWith(`${folder}/`))
		.reduce((longest, folder) => (folder.length > longest.length ? folder : longest), '')
}

for (const [folder, allowed] of Object.entries(MAY_IMPORT)) {
	test(`${folder} imports only what it may`, () => {
		const wrong = imports.filter(
			({ file, target }) => folderOf(file) === folder && !COMPOSERS.has(file) && /^[~#]/.test(target) && !allowed.test(target),
		)
		expect(wrong).toEqual([])
	})
}

test('every source file is in a folder that has a rule', () => {
	expect(files.filter((file) => folderOf(file) === '')).toEqual([])
})

test('nothing is imported by way of ".."', () => {
	expect(imports.filter(({ target }) => target.startsWith('..'))).toEqual([])
})

test('what day it is, the broker says: no page asks the machine it runs on', () => {
	const own =
		/\b(?:currentYear|selectableYears)\(\)|\b(?:parseYear|lastDayOf)\([^(),]*\)|\bnew Date\(\)|\btoday\b[^\n]* from '~\/lib\/days'/
	// These make a day of an instant that the broker wrote.
	const ofInstants = new Set(['app/funds.server.ts', 'app/attention.server.ts', 'app/reports/depository.server.ts'])
	const asking = files.filter(
		(file) => file.startsWith('app/') && !/^app\/(lib|components|broker\/clock)/.test(file) && !ofInstants.has(file),
	)
	expect(asking.filter((file) => own.test(fs.readFileSync(file, 'utf8').replaceAll('today as dayOf', '')))).toEqual([])
})

test('a route imports no other route', () => {
	expect(imports.filter(({ file, target }) => file.startsWith('app/routes/') && target.startsWith('.'))).toEqual([])
})

test('only one file of the portal speaks HTTP', () => {
	const callers = files.filter((file) => file.startsWith('app/') && /(?<![\w.'"`-])fetch\(/.test(fs.readFileSync(file, 'utf8')))
	expect(callers).toEqual([
		'app/broker/client.server.ts',
		...callers.filter((file) => file === 'app/components/download-link.tsx' || file === 'app/components/idle-notice.tsx'),
	])
})

test('settings are read in one place', () => {
	const readers = files.filter((file) => file.startsWith('app/') && fs.readFileSync(file, 'utf8').includes('process.env'))
	expect(readers).toEqual(['app/settings.server.ts'])
})

test('every action reads its form where the token is checked', () => {
	const actions = files.filter(
		(file) => file.startsWith('app/routes/') && /export async function action/.test(fs.readFileSync(file, 'utf8')),
	)
	expect(actions.length).toBeGreaterThan(0)
	const reads = (file: string, words: RegExp) => words.test(fs.readFileSync(file, 'utf8'))
	expect(actions.filter((file) => !reads(file, /await (read(Public)?Form\(request\b|withUploads\(request,)/))).toEqual([])
	// Everywhere else a body is read only for a client whom the portal knows.
	expect(actions.filter((file) => reads(file, /readPublicForm/)).sort()).toEqual([
		'app/routes/auth/forgot-password.tsx',
		'app/routes/auth/login.tsx',
		'app/routes/auth/logout.tsx',
		'app/routes/theme.ts',
		'app/routes/web-link/reports.tsx',
	])
})

test('no style attribute, which the content security policy would drop', () => {
	expect(files.filter((file) => /\bstyle=\{/.test(fs.readFileSync(file, 'utf8')))).toEqual([])
})

test('the browser’s bundle holds no secret, no broker address and no server module', () => {
	const bundles = fs.readdirSync('build/client/assets').filter((file) => file.endsWith('.js'))
	expect(bundles.length).toBeGreaterThan(3)
	for (const file of bundles) {
		const text = fs.readFileSync(path.join('build/client/assets', file), 'utf8')
		expect(text, file).not.toMatch(/SESSION_SECRET|auth-token|BROKER_URL|ioredis|compactDecrypt/)
	}
})
