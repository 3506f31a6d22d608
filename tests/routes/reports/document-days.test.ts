import { expect, test } from 'vitest'
import { formatDay } from '#contract/values/dates'
import { BROKERS_DAY } from '#tests/support/brokers-day'
import { readPdf } from '#tests/support/office'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { findAttribute } from '#tests/support/readers'

/* Only a statement of a period has the fact "Period". Other documents name what they have: a day or a status. */

const open = openPortalForFile()
const TODAY = formatDay(BROKERS_DAY)

async function findMandate(client: Visitor): Promise<string> {
	const bank = findAttribute((await client.visit('/funds/e-mandate')).html, 'main [value^="0-"]', 'value')
	return `e-mandate?${new URLSearchParams({ amount: '5000.00', bank }).toString()}`
}

test.each<[what: string, find: (client: Visitor) => string | Promise<string>, fact: string]>([
	['a client master', () => 'client-master/pdf', `As on ${TODAY}`],
	['the details of a client', () => 'client-details/pdf', `As on ${TODAY}`],
	['a holding', () => 'holding/pdf', `As on ${TODAY}`],
	['a mandate form', findMandate, `Date ${TODAY}`],
	['an unsigned DDPI', () => 'ddpi', `Status Not signed, as of ${TODAY}`],
])('%s names its day or status, not a period', async (_, find, fact) => {
	const client = await signedIn(open, 'CASH01')
	const file = await client.send(`/downloads/${await find(client)}`)
	expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf'])
	const lines = (await readPdf(Buffer.from(await file.arrayBuffer()))).split('\n').map((line) => line.trim().replaceAll(/ +/g, ' '))
	expect(lines).toContain(fact)
	expect(lines.join('\n')).not.toContain('Period')
})
