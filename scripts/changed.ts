import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

/*
 * Chooses the tests for a change: `npm test -- --changed`. Tests are chosen by name. Vitest can follow imports, but a test of a page
 * imports the whole sandbox and reads the built portal, so imports would choose nearly every test or none.
 */

/** Words of file names that do not say what a test is about. */
const COMMON = new Set(['form', 'forms', 'index', 'journey', 'page', 'pages', 'server', 'spec', 'test', 'download', 'main'])

/** Tests of the import rules and of every address. They are quick, and any change may break them. */
const ALWAYS = ['tests/architecture.test.ts', 'tests/portal/crawl.test.ts']

/** Returns the files that differ from a commit, and the files that git does not track yet; without deleted files. */
export function listChanged(since: string): string[] {
	const ask = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)
	return [
		...new Set([
			...ask('diff', '--name-only', '--relative', '--diff-filter=d', since),
			...ask('ls-files', '--others', '--exclude-standard'),
		]),
	]
}

/**
 * Returns the tests for these files: the changed tests, the test beside a file, and tests in `tests` that share a word with its name
 * (`ledger.tsx`: `ledger-csv.test.ts`). When no test does, returns those of its area (`funds/add.tsx`: `tests/routes/funds`). Browser
 * journeys run only when they are changed themselves.
 */
export function chooseTests(changed: readonly string[]): { vitest: string[]; journeys: string[] } {
	const all = listFiles('tests')
	const tests = all.filter((file) => file.endsWith('.test.ts'))
	const sources = changed.filter((file) => /^(app|contract|documents|sandbox|server)\/.*\.tsx?$/.test(file))
	const chosen = new Set(changed.filter((file) => /\.test\.tsx?$/.test(file)))
	for (const file of sources) {
		const beside = file.replace(/(\.test)?\.tsx?$/, '.test.ts')
		if (existsSync(beside)) chosen.add(beside)
		const words = listWords(file)
		const named = tests.filter((test) => listWords(test).some((word) => words.includes(word)))
		const area = `tests/routes/${path.basename(path.dirname(file))}/`
		for (const test of named.length > 0 ? named : tests.filter((each) => each.startsWith(area))) chosen.add(test)
	}
	if (sources.length > 0) for (const test of ALWAYS) chosen.add(test)
	return { vitest: [...chosen].sort(), journeys: all.filter((file) => /\.(journey|spec)\.ts$/.test(file) && changed.includes(file)) }
}

/** Returns the words of a file's name; `ledger` and `ledgers` are the same word. */
function listWords(file: string): string[] {
	return path
		.basename(file)
		.toLowerCase()
		.split(/[^a-z]+/)
		.filter((word) => word.length > 2 && !COMMON.has(word))
		.map((word) => word.replace(/s$/, ''))
}

function listFiles(folder: string): string[] {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name))
}
