import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createSandbox } from '#sandbox/app'
import { createClock } from '#sandbox/clock'
import { openBooks } from '#sandbox/db/open'
import { readSettings } from '#sandbox/settings'

/** Functions of app/broker that are no operation of the broker: they combine, connect or look. */
const NOT_OPERATIONS = new Set([
	'MAGIC',
	'readJson',
	'startOf',
	'withClock',
	'encodeForm',
	'fieldsOf',
	'downloadPnlBundle',

	'downloadIpoBidForm',
	'connectBroker',
	'forgetReports',
	'keep',
	'keyOf',
	'shareCalls',
	'orNone',
	'BrokerRefusal',
	'isBrokerAnswering',
	'ledgersOf',
	'downloadPnlBundle',
	'segmentsOf',
	'listLedgerParts',
])

test('the portal asks by name for exactly the operations that the sandbox describes', async () => {
	const books = await openBooks()
	const sandbox = createSandbox({ books, clock: createClock(), settings: readSettings({ LOG_LEVEL: 'silent' }) })
	const described = (await (await sandbox.request('/docs/openapi.json')).json()) as {
		paths: Record<string, Record<string, { operationId: string }>>
	}
	const offered = Object.values(described.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
	await books.close()

	const modules = readdirSync('app/broker').filter((file) => file.endsWith('.server.ts'))
	const asked: string[] = []
	for (const file of modules) asked.push(...Object.keys((await import(`../app/broker/${file}`)) as object))
	expect(asked.filter((name) => !NOT_OPERATIONS.has(name)).sort()).toEqual(offered.sort())
})
