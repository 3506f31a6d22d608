import { beforeAll, expect, test } from 'vitest'
import { formatYear } from '#contract/values/financial-year'
import { BROKERS_YEAR } from '#tests/support/brokers-day'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { readText } from '#tests/support/readers'

/* The sums of the profit and loss beside the figures that the broker states. */

const opened = openPortalForFile()
let client: Visitor
beforeAll(async () => void (client = await signedIn(opened, 'DEMO01')))

const PAGE = `/reports/profitnloss?year=${formatYear(BROKERS_YEAR - 1)}&refresh=1`
const SLBM = 'NSE_SLBM is not active on your account, but the broker states +₹ 1,200.00 after charges for it.'

test('says that only the table of segments includes a segment that is not active', async () => {
	// 1,250 - 50 = 1,200.
	opened.rewriteCalls('/v1/reports/pnl-segment', (json) => {
		const stated = json.data as object[]
		stated.push({ SEGMENT: 'NSE_SLBM', REALISED: 1250, UNREALISED: 0, CHARGES: 50, NET: 1200 })
		stated.push({ SEGMENT: 'BSE_SLB', REALISED: 0, UNREALISED: 0, CHARGES: 0, NET: 0 })
	})
	const all = readText((await client.visit(PAGE)).html)
	expect(all).toContain(`${SLBM} The table of segments includes this amount, the rows do not.`)
	expect(all).not.toContain('BSE_SLB is not active')
	// The page of one segment shows the rows of no other.
	expect(readText((await client.visit(`${PAGE}&segment=MCX`)).html)).not.toContain('is not active')
})
