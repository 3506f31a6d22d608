import { expect, test } from 'vitest'
import { type Day, formatDay, toIndianDay } from '#contract/values/dates'
import { findFinancialYear, formatYear } from '#contract/values/financial-year'
import { openPortal, signedIn } from '#tests/support/portal'
import { paiseIn, readAll, readHeading, readTable, readText, sum } from '#tests/support/readers'
import { TABLE_PAGES } from '#tests/support/table-pages'

/* Every page on days other than that of the tests: today, holidays, ends and beginnings of a year, a leap day, and years ahead. */

const DAYS: [day: Day, what: string][] = [
	[toIndianDay(), 'today'],
	['2026-12-25', 'a holiday'],
	['2027-03-31', 'the last day of a year'],
	['2027-04-01', 'the first day of a year'],
	['2028-02-29', 'a leap day'],
	['2030-01-15', 'years ahead'],
]

const PAGES = [...TABLE_PAGES, '/myaccount', '/myaccount/segments', '/myaccount/nominee', '/myaccount/closure', '/funds', '/dpprocess/ddpi']

/** On each day these see a third of the pages, others than on the day before. The client with most data sees all of them. */
const OTHER_CLIENTS = ['NEW001', 'CLOS01']

test.for(DAYS.map(([day, what], turn) => [day, what, turn] as const))('%s, %s: every page is complete', async ([today, , turn]) => {
	const open = await openPortal({ made: { today } })
	try {
		for (const code of ['DEMO01', ...OTHER_CLIENTS]) {
			const client = await signedIn(open, code)
			for (const page of PAGES.filter((_, at) => !OTHER_CLIENTS.includes(code) || (at + turn) % 3 === 0)) {
				const { status, html } = await client.visit(page)
				expect([code, page, status]).toEqual([code, page, 200])
				expect(readHeading(html)).not.toBe('')
				expect(readText(html), page).not.toMatch(/undefined|\bNaN\b|Invalid Date|\[object |could not be (loaded|read)/)
			}
		}
		const demo = await signedIn(open, 'DEMO01')
		const dashboard = await demo.visit('/dashboard')
		expect(readAll(dashboard.html, 'select[name=year] option')[0]).toBe(formatYear(findFinancialYear(today)))
		expect(readText(dashboard.html)).toContain(`on ${formatDay(today)}`)
		// The login page and the README promise a holding with unknown cost.
		expect(readText(dashboard.html)).toContain('The cost of 1 holding is not known')
		const { head, rows, foot } = readTable((await demo.visit('/reports/holding')).html, 'Holding')
		expect(rows.length).toBeGreaterThan(10)
		for (const column of ['Value', 'Unrealised']) {
			const at = head.indexOf(column)
			expect(sum(rows.map((row) => paiseIn(row[at])))).toBe(paiseIn(foot[at]))
		}
		const issues = readTable((await demo.visit('/connect/ipo')).html, 'Issues')
		expect(issues.rows.length).toBeGreaterThan(0)
	} finally {
		await open.close()
	}
})
