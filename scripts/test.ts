import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { z } from 'zod/v4'

/*
 * Every test, in the order that tells soonest: types, lint, format, unused code; the build; unit, route and property tests;
 * then journeys in a real browser. What is missing for them is installed. The last line is the sum.
 */
const RESULTS = '.cache/results'
rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS, { recursive: true })

let passed = 0
let failed = 0

/** A check that is itself one test. */
function check(name: string, command: string, ...args: string[]): boolean {
	process.stdout.write(`\n— ${name}\n`)
	const isFine = spawnSync(command, args, { stdio: 'inherit' }).status === 0
	if (isFine) passed++
	else failed++
	return isFine
}

const bin = (name: string) => `node_modules/.bin/${name}`

check('types', bin('tsc'), '--noEmit')
check('lint', bin('oxlint'), '--deny-warnings')
check('format', bin('prettier'), '--check', '--log-level', 'warn', '.')
check('unused code', bin('knip'))
const chromium = install()
const isBuilt = check('build', bin('tsx'), 'scripts/build.ts')

if (isBuilt) {
	process.stdout.write('\n— unit, route and property tests\n')
	spawnSync(bin('vitest'), ['run', '--reporter=default', '--reporter=json', `--outputFile=${RESULTS}/vitest.json`], { stdio: 'inherit' })
	count(
		`${RESULTS}/vitest.json`,
		z.object({ numPassedTests: z.number(), numFailedTests: z.number(), numFailedTestSuites: z.number() }),
		(r) => [r.numPassedTests, r.numFailedTests || r.numFailedTestSuites],
	)

	process.stdout.write('\n— browser journeys\n')
	const env = { ...process.env, CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: `${RESULTS}/playwright.json` }
	spawnSync(bin('playwright'), ['test', '--reporter=list,json'], { stdio: 'inherit', env })
	const Stats = z.object({
		stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
		errors: z.array(z.unknown()),
	})
	count(`${RESULTS}/playwright.json`, Stats, ({ stats, errors }) => [stats.expected + stats.flaky, stats.unexpected + errors.length])
}

process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)

/** A runner that wrote no result has failed, whatever it printed. */
function count<Result>(file: string, schema: z.ZodType<Result>, read: (result: Result) => [number, number]) {
	const parsed = existsSync(file) ? schema.safeParse(JSON.parse(readFileSync(file, 'utf8'))) : undefined
	const [good, bad] = parsed?.success ? read(parsed.data) : [0, 1]
	passed += good
	failed += bad + (good + bad === 0 ? 1 : 0)
}

/** What the tests run beside the portal, installed when missing where that is possible. Debian's Chromium; elsewhere Playwright's own. */
function install(): string {
	const debian = '/usr/bin/chromium'
	const missing = [
		['/usr/bin/chromium', 'chromium'],
		['/usr/bin/w3m', 'w3m'],
		['/usr/bin/qpdf', 'qpdf'],
		['/usr/bin/pdftotext', 'poppler-utils'],
		['/usr/bin/unzip', 'unzip'],
		['/usr/bin/soffice', 'libreoffice-calc-nogui'],
		['/usr/bin/redis-server', 'redis-server'],
		['/usr/lib/postgresql', 'postgresql'],
	].flatMap(([file, name]) => (existsSync(file ?? '') ? [] : [name ?? '']))
	if (missing.length > 0 && existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
		execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit' })
		execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', ...missing], {
			stdio: ['ignore', 'ignore', 'inherit'],
		})
	}
	if (!existsSync(debian)) {
		execFileSync(bin('playwright'), ['install', 'chromium'], { stdio: 'inherit' })
		return ''
	}
	return debian
}
