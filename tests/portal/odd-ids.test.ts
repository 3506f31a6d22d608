import { expect, test } from 'vitest'
import { openPortalForFile, signedIn } from '#tests/support/portal'

/* Ids of a broker that no address, and no object of a program, should contain. */

const open = openPortalForFile()

const PAGES = [
	'/dashboard',
	'/reports/ledger?year=2025-2026',
	'/reports/ledger/deducted',
	'/reports/contractnbill?year=2025-2026',
	'/reports/holding',
	'/funds/withdraw',
	'/funds/history',
	'/funds/e-mandate',
	'/dpprocess',
	'/dpprocess/pledge',
	'/connect/ipo',
	'/connect/ipo/bids',
	'/connect/mtf',
	'/myaccount/requests',
	'/myaccount/closure',
]
const IDS = new Set(
	['BILL_NO', 'VOUCHER_NO', 'ISIN', 'isin', 'COCD', 'SYMBOL', 'symbol', 'application_no', 'request_id', 'reference'].concat(
		'authorised_by',
	),
)

test.for([
	['half of a character', (id: string) => `${id}\ud83d`],
	['the name of a property of every object', () => 'constructor'],
] as const)('every page is shown when ids have %s', async ([, write]) => {
	open.rewriteAll((json) =>
		JSON.parse(JSON.stringify(json), (name, value: unknown) => (IDS.has(name) && typeof value === 'string' ? write(value) : value)),
	)
	const visitor = await signedIn(open)
	for (const page of PAGES) {
		const { status } = await visitor.visit(page)
		expect([page, status]).toEqual([page, 200])
	}
})
