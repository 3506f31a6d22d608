import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { formatYear } from '#contract/values/financial-year'
import { BROKERS_YEAR } from '#tests/support/brokers-day'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import {
	firstLink,
	paiseAfter,
	paiseIn,
	parsePage,
	readAll,
	readColumn,
	readCsv,
	readKeys,
	readTable,
	readText,
	readTitle,
	sum,
} from '#tests/support/readers'

const open = openPortalForFile()
let demo: Visitor
beforeAll(async () => {
	demo = await signedIn(open, 'DEMO01')
})
beforeEach(() => void (open.asked.length = 0))

const PAGE = '/connect/mtf'
const DETAILS = '/v2/account-profile/mtf-details'
const FACTS = '/v1/ours/mtf-facts'
const INTEREST = '/v1/ours/mtf-interest'
const ESIGN = '/v1/mtf_esign_process'
const error = (status: number, message: string) => Response.json({ status: 'error', message, data: null }, { status })
const answering = (path: string, answer: () => Response | Promise<Response>) =>
	open.breakBroker((request) => (new URL(request.url).pathname === path ? answer() : undefined))
const askedFor = (path: string) => open.asked.filter(({ url }) => new URL(url).pathname === path)

describe('an active account', () => {
	test('shows limit, funded amount and interest, equal to the totals of the tables', async () => {
		const { status, html } = await demo.visit(PAGE)
		const text = readText(html)
		expect([status, readTitle(html)]).toEqual([200, 'Margin Trading Facility · Khata'])
		const positions = readTable(html, 'Funded positions')
		expect(positions.rows).toHaveLength(3)
		const total = (head: string) => paiseIn(positions.foot[positions.head.indexOf(head)])
		expect(paiseAfter(text, 'Funded')).toBe(total('Funded'))
		expect(sum(readColumn(positions.rows, 'Funded', positions.head))).toBe(total('Funded'))
		expect(paiseAfter(text, 'Limit') - paiseAfter(text, 'Funded')).toBe(paiseAfter(text, 'Limit left'))
		// The first card says what is owed; the second, whether the margin is enough; the third, what the loan costs.
		const [loan, card, cost] = parsePage(html).querySelectorAll('.card').map(readText)
		expect(loan).toMatch(/^ *Funded ₹ [\d,.]+ What you owe the broker\. Paid by you ₹ [\d,.]+ MTM of your positions [+−]₹ [\d,.]+ Limit/)
		expect(paiseAfter(loan ?? '', 'MTM of your positions')).toBe(total('MTM'))
		expect(cost).toMatch(/^ *Interest ₹ [\d,.]+ So far, on the positions open today\. Rate 14\.99 % a year Interest today ₹ [\d,.]+ /)
		// Shares that are not paid for yet bear no interest: 120 NTPC were bought on this day. A day's interest is rounded for each loan.
		const read = (name: string) => readColumn(positions.rows, name, positions.head)
		const loans = read('Funded').filter((_, at) => read('Days')[at] !== 0)
		expect(loans).toHaveLength(2)
		expect(paiseAfter(cost ?? '', 'Interest today')).toBe(sum(loans.map((loan) => Math.round((loan * 14.99) / 36_500))))
		expect(cost).toMatch(/ \w+ 20\d\d, not posted yet ₹ [\d,.]+/)
		expect(card).toMatch(
			/^ *Margin ₹ [\d,.]+ spare The security for the loan\. .*The cash counted here may differ from what you can withdraw\.$/,
		)
		const have = total('Margin held') + paiseAfter(card ?? '', 'Ledger cash counted for MTF')
		expect(paiseAfter(card ?? '', 'Margin you have')).toBe(have)
		expect(paiseAfter(card ?? '', 'Margin')).toBe(have - total('Margin needed'))
		// A phone has no column for what was bought and its break-even price.
		const [shares = []] = positions.rows
		const cell = (head: string) => shares[positions.head.indexOf(head)]
		expect(parsePage(html).querySelector('tbody th[data-below]')?.getAttribute('data-below')?.replaceAll('\u00a0', ' ')).toBe(
			`${cell('Quantity')} at ₹ ${cell('Buy price')} · breaks even at ₹ ${cell('Break-even')}`,
		)
		expect(total('Value') - total('MTM')).toBe(total('Funded') + total('Your margin'))
		expect(total('Margin held')).toBe(total('Value') - total('Funded'))
		expect(text).not.toMatch(/NaN|undefined|\[object/)
		expect(text).toContain('14.99 % a year')
		expect(askedFor(DETAILS).map(({ url }) => new URL(url).searchParams.get('source'))).toEqual(['connect'])
	})

	test('lists each day, sums to the positions, and matches each month to the ledger', async () => {
		const { html } = await demo.visit(`${PAGE}?year=${formatYear(BROKERS_YEAR)}`)
		const days = readTable(html, 'Interest')
		const csv = readCsv(await (await demo.send(`/downloads/mtf/interest?year=${formatYear(BROKERS_YEAR)}`)).text())
		expect(csv[0]).toEqual(days.head)
		expect(paiseIn(days.foot[days.head.indexOf('Interest')])).toBe(sum(readColumn(csv, 'Interest')))
		const byMonth = readTable(html, 'Interest by month')
		expect(byMonth.head).toEqual(['Month', 'Posted on', 'Voucher', 'Interest'])
		// The head has the unit, so that no cell repeats it.
		expect(readText(html)).toContain('Posted on Voucher Interest (₹)')
		expect(byMonth.rows.map((cells) => cells.at(-1))).not.toContainEqual(expect.stringContaining('₹'))
		// A phone has the middle columns below the month.
		for (const [words = '', posted = '', voucher = ''] of byMonth.rows) {
			expect(words).toContain(posted)
			expect(words).toContain(voucher)
		}
		const counted = byMonth.rows.map((cells) => ({ words: cells[0] ?? '', figure: paiseIn(cells.at(-1)) }))
		expect([byMonth.foot[0], paiseIn(byMonth.foot.at(-1))]).toEqual(['Total', sum(readColumn(csv, 'Interest'))])
		expect(sum(counted.map(({ figure }) => figure))).toBe(sum(readColumn(csv, 'Interest')))
		for (const { words, figure } of counted) {
			const voucher = /JV\d+/.exec(words)?.[0]
			if (!voucher) {
				expect([words, figure]).toEqual(
					figure === 0
						? [expect.stringMatching(/^[JFMASOND][a-z]+ \d{4} Nothing was funded$/), 0]
						: [expect.stringContaining('Not posted yet'), expect.any(Number)],
				)
				continue
			}
			const ledger = readTable((await demo.visit(`/reports/ledger/NSE_CASH?q=${voucher}`)).html, 'Ledger')
			expect(readColumn(ledger.rows, 'Debit', ledger.head)).toEqual([figure])
		}
		// No month seems to be missing.
		const names = counted.map(({ words }) => words.split(' ', 2).join(' '))
		const first = new Date(`${names[0]} 1 UTC`)
		const later = (at: number) => new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + at))
		const inWords = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
		expect(names).toEqual(names.map((_, at) => inWords.format(later(at))))
		expect(counted.filter(({ words }) => words.includes('Nothing was funded')).length).toBeGreaterThan(0)
		expect(html).not.toContain('do not agree')
		const folded = parsePage(html).querySelector('main details')
		expect(folded?.hasAttribute('open')).toBe(false)
		// The line above has the sum.
		expect(readText(folded?.querySelector('summary') ?? '').trim()).toBe(`Day by day (${csv.length - 1})`)
		const asked = await demo.visit(`${PAGE}?year=${formatYear(BROKERS_YEAR)}&q=BEL`)
		expect(parsePage(asked.html).querySelector('main details')?.hasAttribute('open')).toBe(true)
	})

	test('searches, sorts and pages by its address, and its CSV is what it shows', async () => {
		const query = `year=${formatYear(BROKERS_YEAR)}&q=BEL&sort=-date`
		const shown = readTable((await demo.visit(`${PAGE}?${query}`)).html, 'Interest')
		const answer = await demo.send(`/downloads/mtf/interest?${query}`)
		expect(answer.headers.get('content-disposition')).toContain('DEMO01_MTF_INTEREST.csv')
		const rows = readCsv(await answer.text()).slice(1)
		expect(rows.length).toBeGreaterThan(30)
		expect(new Set(rows.map((row) => row[2]))).toEqual(new Set(['BEL']))
		expect(rows.map((row) => row[1])).toEqual([...rows.map((row) => row[1] ?? '')].sort().reverse())
		expect(shown.rows).toHaveLength(Math.min(100, rows.length))
		const sorted = readTable((await demo.visit(`${PAGE}?sort=-funded`)).html, 'Funded positions')
		const funded = readColumn(sorted.rows, 'Funded', sorted.head)
		expect(funded).toEqual([...funded].sort((a, b) => b - a))
		const positions = readCsv(await (await demo.send('/downloads/mtf/positions?sort=-funded')).text())
		expect(readColumn(positions, 'Funded')).toEqual(funded)
		expect((await demo.send('/downloads/mtf/toString')).status).toBe(404)
	})

	test('says that nothing was funded in an earlier year', async () => {
		const { html } = await demo.visit(`${PAGE}?year=${formatYear(BROKERS_YEAR - 4)}`)
		expect(readText(html)).toContain(`Nothing was funded in ${formatYear(BROKERS_YEAR - 4)}.`)
		await demo.visit(`${PAGE}?year=${formatYear(BROKERS_YEAR)}`)
	})

	test('loses only one part when an optional call is missing or fails', async () => {
		answering(FACTS, () => error(404, 'No such call'))
		let page = await demo.visit(PAGE)
		expect([page.status, readTable(page.html, 'Funded positions').rows.length]).toEqual([200, 3])
		expect(readText(page.html)).not.toContain('could not be loaded')
		// The margin needed is unknown: what was paid at purchase must not be called that.
		const unknown = readText(parsePage(page.html).querySelectorAll('.card')[1] ?? '')
		expect(unknown).toMatch(
			/^ *Margin ₹ [\d,.]+ The security for the loan\. The cash counted here may differ from what you can withdraw\. *$/,
		)
		expect(readText(page.html)).not.toMatch(/Required|Needed|[Ss]hortfall|spare/)
		answering(INTEREST, () => error(500, 'Oops'))
		page = await demo.visit(`${PAGE}?refresh=1`)
		expect([page.status, readText(page.html)]).toEqual([200, expect.stringContaining('Interest day by day could not be loaded.')])
		expect(readTable(page.html, 'Funded positions').rows).toHaveLength(3)
	})

	test('says neither spare nor what you have when a position could not be read', async () => {
		open.rewriteCalls(FACTS, (json) => {
			const { positions } = json.data as { positions: { MARGIN_HELD: unknown }[] }
			if (positions[0]) positions[0].MARGIN_HELD = 'much'
		})
		const { html, status } = await demo.visit(`${PAGE}?refresh=1`)
		const card = readText(parsePage(html).querySelectorAll('.card')[1] ?? '')
		expect([status, card]).toEqual([
			200,
			expect.stringMatching(/^ *Margin — .*Your shares less what was lent — .*Needed at the last close —/),
		])
		expect(card).not.toMatch(/spare|short/)
	})

	test.for([
		['SUSPENDED', 'Status: SUSPENDED'],
		[null, 'The status could not be read'],
		['INACTIVE', 'Not active'],
		['PENDING', 'Not active yet'],
	] as const)('is shown with its positions when the status is %s', async ([status, words]) => {
		open.rewriteCalls(DETAILS, (json) => void ((json.data as { status: unknown }).status = status))
		const { html } = await demo.visit(`${PAGE}?refresh=1`)
		expect([readTable(html, 'Funded positions').rows.length, readText(html)]).toEqual([3, expect.stringContaining(words)])
		expect(readText(html).includes('What it costs')).toBe(status === 'INACTIVE' || status === 'PENDING')
		// The broker names no e-sign that waits: the client may have signed.
		expect(readText(html).includes('If you have already signed it, you need not do anything.')).toBe(status === 'PENDING')
		expect(readText(html)).not.toMatch(/your e-sign|replaces the one that waits/)
	})

	test('says so when the days and the ledger do not agree', async () => {
		const days = [{ DATE: '2026-10-01', ISIN: 'INE263A01024', SYMBOL: 'BEL', FUNDED: 100, INTEREST: 0.04, VOUCHER_NO: 'JV1' }]
		const postings = [{ MONTH: '2026-10', VOUCHER_NO: 'JV1', DATE: '2026-10-31', AMOUNT: 0.05 }]
		answering(INTEREST, () => Response.json({ status: 'success', message: '', data: { days, postings } }))
		expect(readText((await demo.visit(`${PAGE}?refresh=1`)).html)).toContain('do not agree')
		answering(INTEREST, () =>
			Response.json({ status: 'success', message: '', data: { days, postings: [{ ...postings[0], AMOUNT: 0.04 }] } }),
		)
		expect(readText((await demo.visit(`${PAGE}?refresh=1`)).html)).not.toContain('do not agree')
	})

	test('shows the margin call with its day and a link to pay', async () => {
		const facts = {
			offered_limit: 500000,
			margin_from: 25,
			pledge_fee: 23.6,
			pledge_by: '21:00',
			square_off_days: 5,
			can_activate: false,
			why_not: null,
			why_not_kind: null,
		}
		const call = {
			...facts,
			activated_on: '2026-01-01',
			esign_reference: null,
			cash: 0,
			shortfall: 1234.5,
			shortfall_by: '2026-11-24',
			positions: [],
		}
		answering(FACTS, () => Response.json({ status: 'success', message: '', data: call }))
		const { html } = await demo.visit(PAGE)
		expect(parsePage(html).querySelector('.card p.text-loss')?.text).toBe('₹ 1,234.50 short')
		expect(readText(html)).toContain(
			'You are ₹ 1,234.50 short of margin. Add funds or sell by the end of 24/11/2026, or the broker sells shares within 5 trading days. Add funds',
		)
		expect(firstLink(html, '/funds?')).toBe('/funds?amount=1234.50&segment=BSE')
	})

	test('keeps the shell when its only call fails, and shows the broker’s message', async () => {
		for (const [answer, status, words] of [
			[() => error(500, 'Oops'), 502, 'Oops'],
			[() => error(503, 'Closed for the night'), 503, 'Closed for the night'],
			[() => error(422, 'Not for your segment'), 502, 'Not for your segment'],
			[() => new Response('<html>It works!'), 502, 'sent an unexpected response'],
		] as const) {
			answering(DETAILS, answer)
			const page = await demo.visit(PAGE)
			expect([page.status, readText(page.html)]).toEqual([status, expect.stringContaining(words)])
			expect(page.html).toContain('aria-label="Main"')
			expect(page.html).toContain('<h1>Margin Trading Facility</h1>')
		}
		answering(DETAILS, () => error(404, 'No Data Found!'))
		expect(readText((await demo.visit(PAGE)).html)).toContain('There is no margin funding on this account.')
	})

	test('sends an active client’s post to the broker and shows its refusal, in the page and as a toast', async () => {
		const cash = await signedIn(open, 'CLOS01')
		const { html } = await cash.visit(PAGE)
		answering(ESIGN, () => error(409, 'MTF is already active'))
		const answer = await cash.postRaw(PAGE, readKeys(html))
		const said = await answer.text()
		expect(answer.status).toBe(422)
		expect(readTitle(said)).toMatch(/^Error: /)
		expect(readText(said)).toContain('There is a problem MTF is already active')
		expect(readAll(said, '.toast.tone-error')).toEqual([expect.stringContaining('MTF is already active')])
	})
})
