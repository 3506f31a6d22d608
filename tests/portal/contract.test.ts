import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { OPTIONAL_OPERATIONS, REQUIRED_OPERATIONS } from '#contract/operations'
import { createSandbox } from '#sandbox/app'
import { createClock } from '#sandbox/clock'
import { openBooks } from '#sandbox/db/open'
import { readSettings } from '#sandbox/settings'
import { PLACES } from '#tests/support/site-map'

/** Files of app/broker that have no operations of their own. */
const CLIENT = [
	'absences',
	'adapter',
	'bodies',
	'client',
	'clock',
	'config',
	'days',
	'failures',
	'form-body',
	'health',
	'long-json',
	'long-replies',
	'reading',
	'optional',
	'replies',
	'reply-queue',
	'requests',
	'send',
	'sharing',
	'transfers',
	'visits',
	'wire',
	'file-kinds',
	'client-limit',
]

/** Functions that combine operations, or call an operation in another way. */
const NOT_OPERATIONS = new Set([
	'areSegmentsKnown',
	'downloadPnlBundle',
	'downloadIpoBidForm',
	'findBankDetails',
	'findIpos',
	'findPersonalDetails',
	'listClientLedgers',
	'listPayinLedgers',
	'listLedgerParts',
	'listClientSegments',
])

/** The two functions of an operation with two steps. */
const STEPS: Record<string, string> = {
	sendProfileOtp: 'modifyProfile',
	verifyProfileOtp: 'modifyProfile',
	sendBankOtp: 'addBank',
	verifyBankOtp: 'addBank',
	sendSegmentOtp: 'addSegment',
	verifySegmentOtp: 'addSegment',
	sendNomineesOtp: 'changeNominees',
	verifyNomineesOtp: 'changeNominees',
	sendIncomeOtp: 'modifyIncome',
	verifyIncomeOtp: 'modifyIncome',
}

test('the portal calls exactly the operations that the sandbox describes, by name', async () => {
	const books = await openBooks()
	const sandbox = createSandbox({ books, clock: createClock(), settings: readSettings({ LOG_LEVEL: 'silent' }) })
	const described = (await (await sandbox.request('/docs/openapi.json')).json()) as {
		paths: Record<string, Record<string, { operationId: string }>>
	}
	const offered = Object.values(described.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
	await books.close()

	const modules = readdirSync('app/broker').filter(
		(file) => file.endsWith('.server.ts') && !CLIENT.includes(file.replace('.server.ts', '')),
	)
	const asked: string[] = []
	for (const file of modules) asked.push(...Object.keys((await import(`~/broker/${file.replace(/\.ts$/, '')}`)) as object))
	const operations = asked.filter((name) => !NOT_OPERATIONS.has(name)).map((name) => STEPS[name] ?? name)
	expect([...new Set(operations)].sort()).toEqual(offered.sort())
})

test('every page that an operation names exists in the portal', () => {
	const addresses = [...REQUIRED_OPERATIONS, ...OPTIONAL_OPERATIONS].flatMap(({ pages }) => pages.match(/\/[^\s,]+/g) ?? [])
	expect(addresses.length).toBeGreaterThan(100)
	const missing = addresses.filter((address) => !PLACES.some(({ pattern }) => pattern.test(address)))
	expect(missing).toEqual([])
})
