import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/* The README names every setting and every decision, and no command, file or setting that does not exist. */

const README = readFileSync('README.md', 'utf8')

/** The part under a heading. */
function readSection(heading: string): string {
	const section = README.split('\n## ').find((part) => part.startsWith(heading))
	if (section === undefined) throw new Error(`README.md has no section ${heading}`)
	return section
}

/** Names of settings in code, in order. */
const listNames = (text: string, pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].sort()

test('the table has every setting that the code reads, and no other', () => {
	const code = ['app/config/parse-settings.server.ts', 'sandbox/settings.ts'].map((file) => readFileSync(file, 'utf8')).join('\n')
	// Node's own setting, and the one that server.ts sets for the portal when it starts the sandbox.
	const internal = ['NODE_ENV', 'LOGIN_HINT']
	const read = listNames(code, /^\t{1,2}([A-Z][A-Z0-9_]+): /gm).filter((name) => !internal.includes(name))
	expect(read.length).toBeGreaterThan(40)
	const rows = readSection('Configure it')
		.split('\n')
		.filter((line) => line.startsWith('| `'))
		.map((line) => line.split('|')[1])
		.join('\n')
	expect(listNames(rows, /`([A-Z][A-Z0-9_]+)`/g)).toEqual(read)
})

test('.env.example has only settings of the table', () => {
	const table = readSection('Configure it')
	const names = listNames(readFileSync('.env.example', 'utf8'), /\b([A-Z][A-Z0-9_]+)=/g)
	expect(names).toContain('SESSION_SECRET')
	expect(names.filter((name) => !table.includes(`\`${name}\``))).toEqual([])
})

test.each(['README.md', 'CONTRIBUTING.md', 'docs/operations.md', 'docs/recipes.md', 'docs/broker-integration.md', 'docs/architecture.md'])(
	'every npm command in %s is a script of package.json',
	(file) => {
		const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
		const commands = listNames(readFileSync(file, 'utf8'), /npm run ([a-z:-]+)/g)
		expect(commands.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
	},
)

test('the map names existing folders, and all that are in the repository’s root', () => {
	const map = readSection('The map')
	const roots = listNames(map, /^ {4}([A-Za-z.]+)\/? /gm)
	expect(roots.filter((name) => !existsSync(name))).toEqual([])
	const ignored = readFileSync('.gitignore', 'utf8').split('\n')
	const folders = readdirSync('.', { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
		.map(({ name }) => name)
		.filter((name) => !ignored.some((line) => line.replaceAll('/', '') === name))
	expect(folders.filter((name) => !roots.includes(name))).toEqual([])
})

test('every decision is listed, and every link leads to a file', () => {
	const decisions = readdirSync('docs/decisions').map((file) => `docs/decisions/${file}`)
	const links = listNames(README, /\]\(([^)#]+?)(?:#[^)]*)?\)/g).filter((link) => !link.startsWith('http'))
	expect(decisions.filter((file) => !links.includes(file))).toEqual([])
	expect(links.filter((link) => !existsSync(link))).toEqual([])
})
