import { expect, test } from 'vitest'
import { readPdf, readWorkbooks } from '#tests/support/office'
import { openPortalForFile, signedIn } from '#tests/support/portal'

/* Files of clients without data. CASH01 has no nominee, NEW001 has never traded. */

const open = openPortalForFile()

async function fetchFile(code: string, href: string): Promise<Buffer> {
	const answer = await (await signedIn(open, code)).send(`/downloads/${href}`)
	expect([href, answer.status]).toEqual([href, 200])
	return Buffer.from(await answer.arrayBuffer())
}

const PERIOD = 'Nothing in this period.'

test.each([
	['CASH01', 'client-master/pdf', /Nominees\s+Nominee +Relationship +Share %\s+No nominee is named\./],
	['CASH01', 'client-details/pdf', /Nominees\s+Nominee +Relationship +Share %\s+No nominee is named\./],
	['NEW001', 'holding/pdf', /Nothing is held\./],
])('of %s, %s says what there is none of, and names no period', async (code, href, sentence) => {
	const text = await readPdf(await fetchFile(code, href))
	expect(text).toMatch(sentence)
	expect(text).not.toContain(PERIOD)
})

test('an empty sheet says so in one line below its heads', { timeout: 60_000 }, async () => {
	const files = new Map([
		['holding.xlsx', await fetchFile('NEW001', 'holding/xlsx')],
		['tax.xlsx', await fetchFile('NEW001', 'income-tax/xlsx?year=2025-2026')],
		['pnl.xls', await fetchFile('NEW001', 'pnl/xls?year=2025-2026&segment=NSE_CASH')],
	])
	const read = await readWorkbooks(files)
	const sentences = (name: string, sheet?: string) =>
		read
			.get(name)
			?.find((each) => sheet === undefined || each.sheet === sheet)
			?.rows.slice(1)
			.map((row) => row.filter(Boolean))
	expect(sentences('holding.xlsx')).toEqual([['Nothing is held.']])
	expect(sentences('tax.xlsx', 'Open lots')).toEqual([['Nothing is held.']])
	expect(sentences('tax.xlsx', 'Dividends')).toEqual([[PERIOD]])
	expect(sentences('pnl.xls')).toEqual([[PERIOD]])
})
