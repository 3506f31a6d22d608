import { found, type Page } from './pages'

const file = (route: string, address: Page['address'] = `/${route}`, who = 'DEMO01'): Page => ({ route, who, address })
const note = found('/reports/contractnbill', '/downloads/contract/')
const holding = found('/reports/holding', '/reports/holding/IN')

/** Every address that returns a file. */
export const FILES: readonly Page[] = [
	...['pdf', 'xlsx', 'csv'].map((format) => file('downloads/ledger/:format', `/downloads/ledger/${format}`)),
	file('downloads/contract/:bill', note),
	file('downloads/contract/:bill/trades', async (visitor) => `${await note(visitor)}/trades`),
	file('downloads/lots/:isin', async (visitor) => (await holding(visitor)).replace('/reports/holding', '/downloads/lots')),
	file('downloads/pnl/:format', found('/reports/profitnloss', '/downloads/pnl/pdf')),
	file('downloads/pnl/:format', '/downloads/pnl/charges'),
	file('downloads/requests/csv'),
	...['xlsx', 'csv', 'schedule-112a'].map((format) => file('downloads/income-tax/:format', `/downloads/income-tax/${format}`)),
	file('downloads/ddpi'),
	file('downloads/ipo-bids/csv'),
	file('downloads/ipo-issues/csv'),
	...['payins', 'payouts', 'mandates', 'unregistered-payments'].map((name) => file(`downloads/${name}/csv`)),
	file('downloads/e-mandate', async (visitor) => {
		const { html } = await visitor.visit('/funds/e-mandate')
		const bank = /<option value="(0-[^"]+)"/.exec(html)?.[1] ?? ''
		return `/downloads/e-mandate?${new URLSearchParams({ amount: '5000.00', bank }).toString()}`
	}),
	file('downloads/year-pack'),
	...['positions', 'interest'].map((table) => file('downloads/mtf/:table', `/downloads/mtf/${table}`)),
	...['holdings', 'verified', 'margin-pledge', 'pledge-requests'].map((table) =>
		file('downloads/depository/:table', `/downloads/depository/${table}`),
	),
	...['holding', 'position', 'contractnbill', 'global-summary', 'global-details'].map((report) =>
		file('downloads/:report/csv', `/downloads/${report}/csv`),
	),
	...['holding/pdf', 'global-summary/pdf', 'global-details/xlsx', 'client-details/pdf', 'client-master/pdf', 'approved-list/MTF'].map(
		(name) => file('downloads/:report/:format', `/downloads/${name}`),
	),
	...['holding/pdf', 'ledger/xlsx'].map((name) => file('rekyc/statements/:report/:format', `/rekyc/statements/${name}`, 'DORM01')),
]

/** Addresses of files that are tested elsewhere, each with its reason. */
export const OTHER_FILES: Record<string, string> = {
	'downloads/ipo/:symbol': 'needs a bid that is too large for UPI under review: ipo-bid.test.ts',
	'downloads/income': 'is there after a change of income only: account.test.ts',
	'downloads/change/:reference': 'is there after a change only: account.test.ts',
}
