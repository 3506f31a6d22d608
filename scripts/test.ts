import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { z } from 'zod/v4'
import { chooseTests, listChanged } from './changed'
import { CHROMIUM, DEBIANS } from './chromium'

/*
 * Runs every test: first the build, types, format, unused code, the books of the journeys and lint, two at a time; then unit, route and
 * property tests; then journeys in a real browser. Installs the programs that are missing for them. The last line is the total.
 * `--long` tries properties many more times, and uses Firefox and WebKit too. `--deployed` sends the browsers through nginx with TLS to
 * two portals. `--only-required` runs only the checks and the journeys, at a broker with only the required operations, which answers the
 * others with 404, 501 and HTML in turn. `--changed` or `--changed=COMMIT` checks only the files that differ from the last commit, or
 * from that one, and runs the tests with similar names.
 */
const { values: asked } = parseArgs({
	args: process.argv.slice(2).map((word) => (word === '--changed' ? '--changed=HEAD' : word)),
	options: { changed: { type: 'string' }, deployed: { type: 'boolean' }, long: { type: 'boolean' }, 'only-required': { type: 'boolean' } },
})
if (asked.long) process.env.TEST_FORM = 'long'
/** The certificate is made for the run, and all connections are on loopback. */
const DEPLOYED = { DEPLOYED: '1', NODE_TLS_REJECT_UNAUTHORIZED: '0' }
const RESULTS = '.cache/results'
rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS, { recursive: true })

const BOOKS = 'books of the browser journeys'

/** Null when a test threw something that is no error, like the reply of a call. */
const Thrown = z.string().catch('It threw something that is not an error.')

const VitestResult = z.object({
	numPassedTests: z.number(),
	numFailedTests: z.number(),
	numFailedTestSuites: z.number(),
	testResults: z.array(
		z.object({
			name: z.string(),
			status: z.string(),
			message: z.string(),
			assertionResults: z.array(z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(Thrown) })),
		}),
	),
})

let passed = 0
let failed = 0
/** The failures with their reasons, printed again in the last lines. */
const failures: string[] = []
/**
 * Tests that passed only at the second try, printed again in the last lines. Each is a fault of the test or of the product
 * (docs/decisions/030).
 */
const triedTwice: string[] = []

type Result = { isFine: boolean; said: string }

/**
 * Runs checks, each of which counts as one test, on two cores, and prints their results in order. Returns the names of the checks that
 * failed.
 */
async function runChecks(checks: Record<string, string[]>): Promise<Set<string>> {
	const cores: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()]
	const results = Object.entries(checks).map(([name, command], at): [string, Promise<Result>] => {
		const result = (cores[at % 2] ?? Promise.resolve()).then(() => run(command))
		cores[at % 2] = result
		return [name, result]
	})
	const wrong = new Set<string>()
	for (const [name, result] of results) {
		const { isFine, said } = await result
		process.stdout.write(`\n— ${name}\n${said}`)
		if (isFine) passed++
		else failed++
		if (!isFine) {
			wrong.add(name)
			failures.push(`${name}: ${shorten(said)}`)
		}
	}
	return wrong
}

function run([file = '', ...args]: string[]): Promise<Result> {
	return runProgram(bin(file), args)
}

function runProgram(program: string, args: string[]): Promise<Result> {
	const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
	let said = ''
	for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text))
	return new Promise((resolve) => {
		child.once('error', ({ message }) => resolve({ isFine: false, said: `${message}\n` }))
		child.once('close', (status) => resolve({ isFine: status === 0, said }))
	})
}

const bin = (name: string) => `node_modules/.bin/${name}`

const since = asked.changed
const changed = since ? listChanged(since) : []
const chosen = since ? chooseTests(changed) : undefined
if (chosen) process.stdout.write(`${changed.length} changed files, ${chosen.vitest.length + chosen.journeys.length} test files\n`)

const installed = install()
// No check needs the result of another, and each uses about one core. This order balances the two cores.
const wrong = await runChecks({
	build: ['tsx', 'scripts/build.ts', ...(chosen ? ['--if-needed'] : [])],
	types: ['../typescript-7/bin/tsc', '--noEmit', ...(chosen ? ['--incremental', '--tsBuildInfoFile', '.cache/types.tsbuildinfo'] : [])],
	...(chosen ? {} : { 'unused code': ['knip'] }),
	format: ['oxfmt', '--check', '--no-error-on-unmatched-pattern', ...changed],
	...(chosen?.journeys.length === 0 ? {} : { [BOOKS]: ['tsx', 'tests/e2e/books.ts'] }),
	lint: ['oxlint', '--deny-warnings'],
})
await installed

if (!wrong.has('build')) {
	if (asked['only-required']) for (const style of ['404', '501', 'html']) runJourneys([], { ONLY_REQUIRED: style })
	else {
		if (chosen?.vitest.length !== 0) runVitest(chosen?.vitest ?? [])
		if (chosen?.journeys.length !== 0) runJourneys(chosen?.journeys ?? [])
	}
}

if (triedTwice.length > 0) process.stdout.write(`\n— passed at the second try\n${triedTwice.join('\n')}\n`)
if (failures.length > 0) process.stdout.write(`\n— failed\n${failures.join('\n')}\n`)
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)

/** Runs these test files, or all of them when the list is empty. */
function runVitest(files: readonly string[]) {
	process.stdout.write('\n— unit, route and property tests\n')
	spawnSync(bin('vitest'), ['run', ...files, '--reporter=default', '--reporter=json', `--outputFile=${RESULTS}/vitest.json`], {
		stdio: 'inherit',
	})
	count(
		`${RESULTS}/vitest.json`,
		VitestResult,
		(r) => [r.numPassedTests, r.numFailedTests || r.numFailedTestSuites],
		({ testResults }) => {
			const each = testResults.flatMap(({ name, assertionResults }) =>
				assertionResults.map(({ fullName, ...test }) => ({ ...test, told: `${name} › ${fullName}` })),
			)
			// Vitest keeps the messages of a failed try before a successful one.
			for (const { status, told, failureMessages } of each)
				if (status === 'passed' && failureMessages.length > 0) triedTwice.push(`${told}: ${shorten(failureMessages.join('\n'))}`)
			return testResults
				.filter(({ status }) => status === 'failed')
				.flatMap(({ name, message, assertionResults }) => {
					const tests = assertionResults.filter(({ status }) => status === 'failed')
					if (tests.length === 0) return [`${name}: ${shorten(message)}`]
					return tests.map(({ fullName, failureMessages }) => `${name} › ${fullName}: ${shorten(failureMessages.join('\n'))}`)
				})
		},
	)
}

function runJourneys(files: readonly string[], settings: Record<string, string> = {}) {
	process.stdout.write(
		`\n— browser journeys${Object.entries(settings)
			.map((setting) => ` ${setting.join('=')}`)
			.join('')}\n`,
	)
	rmSync(`${RESULTS}/playwright.json`, { force: true })
	const env = {
		...process.env,
		...settings,
		...(!wrong.has(BOOKS) && { BOOKS_ARE_MADE: '1' }),
		...(asked.deployed && DEPLOYED),
		PLAYWRIGHT_JSON_OUTPUT_NAME: `${RESULTS}/playwright.json`,
	}
	spawnSync(bin('playwright'), ['test', ...files, '--reporter=list,json'], { stdio: 'inherit', env })
	const Stats = z.object({
		stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
		errors: z.array(z.object({ message: z.string().default('') })),
	})
	// The list reporter prints the names and reasons of failed journeys itself.
	count(
		`${RESULTS}/playwright.json`,
		Stats,
		({ stats, errors }) => [stats.expected + stats.flaky, stats.unexpected + errors.length],
		({ errors }) => errors.map(({ message }) => `browser journeys: ${shorten(message)}`),
	)
}

/** Counts the results of a runner. A runner without a result file has failed, whatever it printed. */
function count<Result>(
	file: string,
	schema: z.ZodType<Result>,
	read: (result: Result) => [number, number],
	nameFailures: (result: Result) => string[],
) {
	const parsed = existsSync(file) ? schema.safeParse(JSON.parse(readFileSync(file, 'utf8'))) : undefined
	const [good, bad] = parsed?.success ? read(parsed.data) : [0, 1]
	passed += good
	failed += bad + (good + bad === 0 ? 1 : 0)
	if (parsed?.success) failures.push(...nameFailures(parsed.data))
	else failures.push(`${file}: no result that can be read`)
}

/** Returns the first 12 lines of a message, without colours. */
function shorten(message: string): string {
	return stripVTControlCharacters(message).trim().split('\n').slice(0, 12).join('\n  ')
}

/**
 * Installs missing programs that the tests need, when it runs as root with apt-get. Without Debian's Chromium it installs Playwright's.
 */
async function install() {
	const others = [
		['/usr/bin/firefox-esr', 'firefox-esr'],
		['/usr/bin/WebKitWebDriver', 'webkit2gtk-driver'],
		['/usr/bin/Xvfb', 'xvfb'],
	]
	const missing = [
		[DEBIANS, 'chromium-headless-shell'],
		['/usr/bin/w3m', 'w3m'],
		['/usr/bin/qpdf', 'qpdf'],
		['/usr/bin/pdftotext', 'poppler-utils'],
		['/usr/bin/unzip', 'unzip'],
		['/usr/bin/soffice', 'libreoffice-calc-nogui'],
		['/usr/bin/hledger', 'hledger'],
		['/usr/bin/redis-server', 'redis-server'],
		['/usr/lib/postgresql', 'postgresql'],
		['/usr/sbin/nginx', 'nginx-light'],
		['/usr/bin/openssl', 'openssl'],
		...(asked.long ? others : []),
	].flatMap(([file, name]) => (existsSync(file ?? '') ? [] : [name ?? '']))
	if (missing.length > 0 && existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
		await runOrThrow('apt-get', ['update', '-qq'])
		await runOrThrow('apt-get', ['install', '-y', '-qq', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', ...missing])
	}
	if (!CHROMIUM.executablePath && !existsSync(DEBIANS)) await runOrThrow(bin('playwright'), ['install', 'chromium'])
}

async function runOrThrow(program: string, args: string[]) {
	const { isFine, said } = await runProgram(program, args)
	if (!isFine) throw new Error(`${program} ${args.join(' ')} failed:\n${said}`)
}
