import { expect, test } from 'vitest'
import { openPortalForFile, signedIn } from '#tests/support/portal'

const opened = openPortalForFile()

test.for<[string, string, string, RegExp]>([
	['xlsx', 'DEMO01_INCOME_TAX.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', /^PK/],
	['csv', 'DEMO01_INCOME_TAX.csv', 'text/csv; charset=utf-8', /^\uFEFF#,Head/],
	['schedule-112a', 'DEMO01_SCHEDULE_112A.csv', 'text/csv; charset=utf-8', /^\uFEFF#,Share\/Unit acquired/],
])('the file %s is %s', async ([format, name, type, start]) => {
	const client = await signedIn(opened, 'DEMO01')
	const answer = await client.send(`/downloads/income-tax/${format}?year=2024-2025`)
	expect(answer.headers.get('content-disposition')).toContain(`filename="${name}"`)
	expect(answer.headers.get('content-type')).toBe(type)
	expect(answer.headers.get('cache-control')).toBe('private, no-store, no-transform')
	expect(Buffer.from(await answer.arrayBuffer()).toString('utf8')).toMatch(start)
})

test('refuses an unknown format, and a failed file leads back to the page', async () => {
	const client = await signedIn(opened, 'DEMO01')
	expect((await client.send('/downloads/income-tax/exe')).status).toBe(404)
	const refused = () => Response.json({ status: 'error', message: 'Not for that year', data: null }, { status: 422 })
	opened.failCalls('/v1/excel/download_income_tax', refused)
	const back = await client.send('/downloads/income-tax/xlsx', { headers: { referer: 'https://portal.test/reports/income-tax' } })
	expect([back.status, back.headers.get('location')]).toEqual([303, '/reports/income-tax'])
})
