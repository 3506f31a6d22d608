import fs from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { PLACES } from '#tests/support/site-map'

/**
 * Which folder may import which. On the left is a folder; the longest match counts. On the right are the folders that its files may
 * import besides their own. A decision in docs/decisions explains each change.
 */
const MAY_IMPORT: Record<string, RegExp> = {
	contract: /^#contract\//,
	documents: /^#contract\/values\//,
	'app/lib': /^(~\/(lib|config)|#contract\/values)\//,
	'app/config': /^(~\/(lib|config)|#contract\/values)\//,
	'app/fonts': /^$/,
	'app/components': /^(~\/(components|lib|fonts)|#contract\/values)\//,
	'app/broker': /^(~\/(broker|lib|config)|#contract)\//,
	'app/session': /^(~\/(session|forms|http|broker|lib|config)|#contract)\//,
	'app/forms': /^(~\/(session|forms|http|broker|lib|config)|#contract)\//,
	'app/http': /^(~\/(session|forms|http|broker|lib|config)|#contract)\//,
	'app/reports': /^(~\/(reports|broker|lib|forms|http)|#contract|#documents)\//,
	'app/routes': /^(~\/(session|forms|http|reports|broker|components|lib|config)|#contract|#documents)\//,
	sandbox: /^#(sandbox|contract|documents)\//,
	server: /^(#server|~\/(config|lib))\//,
}

/** Files that may import everything: the document, its two entries, the site map. */
const COMPOSERS = new Set(['app/root.tsx', 'app/entry.server.tsx', 'app/entry.client.tsx', 'app/routes.ts'])

const listFiles = (...roots: string[]) =>
	roots.flatMap((root) =>
		fs
			.readdirSync(root, { recursive: true, encoding: 'utf8' })
			.map((name) => path.join(root, name))
			.filter((file) => /\.tsx?$/.test(file)),
	)
const listImports = (file: string) =>
	[...fs.readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport) ?\(?'([^']+)'/g)].map((found) => ({ file, target: found[1] ?? '' }))

const ROOTS = ['contract', 'documents', 'app', 'server', 'sandbox']
const files = listFiles(...ROOTS).filter((file) => !/\.test\.tsx?$/.test(file))
const imports = files.flatMap(listImports)

function findFolder(file: string): string {
	return Object.keys(MAY_IMPORT)
		.filter((folder) => file.startsWith(`${folder}/`))
		.reduce((longest, folder) => (folder.length > longest.length ? folder : longest), '')
}

for (const [folder, allowed] of Object.entries(MAY_IMPORT)) {
	test(`${folder} imports only what it may`, () => {
		const wrong = imports.filter(
			({ file, target }) => findFolder(file) === folder && !COMPOSERS.has(file) && /^[~#]/.test(target) && !allowed.test(target),
		)
		expect(wrong).toEqual([])
	})
}

test('every source file is in a folder that has a rule', () => {
	expect(files.filter((file) => findFolder(file) === '' && !COMPOSERS.has(file))).toEqual([])
})

test('no import uses ".."', () => {
	const everywhere = listFiles(...ROOTS, 'bench', 'scripts', 'tests').flatMap(listImports)
	expect(everywhere.filter(({ target }) => target.startsWith('..'))).toEqual([])
})

test('no page takes the day from its own machine, because the broker decides the day', () => {
	const own = /\b(?:currentYear|selectableYears)\(\)|\b(?:parseYear|findLastDay)\([^(),]*\)|\bnew Date\(\)|\btoIndianDay\(\)/
	const asking = files.filter((file) => file.startsWith('app/') && !/^app\/(lib|components|broker\/clock)/.test(file))
	expect(asking.filter((file) => own.test(fs.readFileSync(file, 'utf8')))).toEqual([])
})

test('a page or a download imports no other page or download', () => {
	const pages = new Set(PLACES.map(({ file }) => `app/${file.replace(/\.tsx?$/, '')}`))
	const wrong = imports.filter(({ file, target }) => {
		const module = target.startsWith('./') ? path.join(path.dirname(file), target) : target.replace(/^~\//, 'app/')
		return file !== 'app/routes.ts' && pages.has(module)
	})
	expect(wrong).toEqual([])
})

test('an area imports no other area', () => {
	const findArea = (module: string) => /^app\/routes\/([\w-]+)\//.exec(module)?.[1]
	const wrong = imports.filter(({ file, target }) => {
		const other = findArea(target.replace(/^~\//, 'app/'))
		return file.startsWith('app/') && file !== 'app/routes.ts' && other !== undefined && other !== findArea(file)
	})
	expect(wrong).toEqual([])
})

test('app/ and sandbox/ contain no loose files but entry points', () => {
	const loose = files.filter((file) => /^(app|sandbox)\/[^/]+$/.test(file))
	expect(loose.sort()).toEqual([...COMPOSERS, ...['app', 'clock', 'main', 'settings', 'types'].map((name) => `sandbox/${name}.ts`)].sort())
})

test('only one file of the portal calls the broker over HTTP', () => {
	const findApp = (pattern: RegExp) => files.filter((file) => file.startsWith('app/') && pattern.test(fs.readFileSync(file, 'utf8')))
	expect(findApp(/ from 'undici'/)).toEqual(['app/broker/wire.server.ts'])
	// The components run in the browser, and call the portal.
	const fetchers = findApp(/(?<![\w.'"`-])fetch\(/).filter((file) => !file.startsWith('app/components/'))
	expect(fetchers).toEqual(['app/broker/wire.server.ts'])
})

test('only one function replies to a form, because it hides the secrets', () => {
	const replying = files.filter((file) => file.startsWith('app/') && /\.reply\(/.test(fs.readFileSync(file, 'utf8')))
	expect(replying).toEqual(['app/forms/form.server.ts'])
})

test('settings are read in one place', () => {
	const readers = files.filter((file) => file.startsWith('app/') && fs.readFileSync(file, 'utf8').includes('process.env'))
	expect(readers).toEqual(['app/config/env.server.ts'])
})

test('every action reads its form with the function that checks the token', () => {
	const actions = files.filter(
		(file) => file.startsWith('app/routes/') && /export async function action/.test(fs.readFileSync(file, 'utf8')),
	)
	expect(actions.length).toBeGreaterThan(0)
	const reads = (file: string, words: RegExp) => words.test(fs.readFileSync(file, 'utf8'))
	expect(
		actions.filter((file) => !reads(file, /await ((read(Public|Harmless)?|open)Form\(request\b|with(FormRecovery|Uploads)\(request,)/)),
	).toEqual([])
	// Elsewhere a body is read only for a client with a session.
	expect(actions.filter((file) => reads(file, /readPublicForm/)).sort()).toEqual([
		'app/routes/auth/forgot-password.tsx',
		'app/routes/auth/login.tsx',
		'app/routes/theme.ts',
		'app/routes/web-link/reports.tsx',
	])
	// A tab of an earlier session may end the present one.
	expect(actions.filter((file) => reads(file, /readHarmlessForm/))).toEqual(['app/routes/auth/logout.tsx'])
})

/** Tests that compare the raw HTML, because a parser would hide a part. All others use the parser in tests/support/readers.ts. */
const READ_BYTES: Record<string, string> = {
	'tests/routes/auth/forgotten-password.test.ts': 'two whole pages are equal except for random values',
	'tests/routes/auth/login.test.ts': 'two whole pages are equal except for random values',
	'tests/routes/reports/ledger-files.test.ts': 'no text of the broker ends a script',
	'tests/routes/reports/report-words.test.ts': 'no text of the broker becomes markup',
}

/** The patterns of a file, written between slashes or given to RegExp. */
function listPatterns(file: string): string[] {
	const patterns: string[] = []
	const visit = (node: ts.Node) => {
		if (ts.isRegularExpressionLiteral(node)) patterns.push(node.text)
		if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') patterns.push(node.arguments?.[0]?.getText() ?? '')
		ts.forEachChild(node, visit)
	}
	visit(ts.createSourceFile(file, fs.readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true))
	return patterns
}

test('a test of a page finds elements with the parser, not with a pattern over the HTML', () => {
	const tests = fs.readdirSync('tests/routes', { recursive: true, encoding: 'utf8' }).map((name) => path.join('tests/routes', name))
	const overMarkup = tests.filter(
		(file) =>
			file.endsWith('.ts') &&
			// A tag, an attribute, or the text of an element. Named groups and lookbehinds also have a `<`, so they are removed first.
			listPatterns(file).some((pattern) => /<[a-z!/\\]|[a-z]="|["\]a-z]>|>[^<>]+</i.test(pattern.replace(/\(\?<(?:\w+>|[=!])/g, ''))),
	)
	expect(overMarkup.sort()).toEqual(Object.keys(READ_BYTES))
})

test('there is no style attribute, which the content security policy would block', () => {
	expect(files.filter((file) => /\bstyle=\{/.test(fs.readFileSync(file, 'utf8')))).toEqual([])
})

test('the browser’s bundle contains no secret, no broker address and no server module', () => {
	const bundles = fs.readdirSync('build/client/assets').filter((file) => file.endsWith('.js'))
	expect(bundles.length).toBeGreaterThan(3)
	for (const file of bundles) {
		const text = fs.readFileSync(path.join('build/client/assets', file), 'utf8')
		expect(text, file).not.toMatch(/SESSION_SECRET|auth-token|BROKER_URL|ioredis|compactDecrypt/)
	}
})
