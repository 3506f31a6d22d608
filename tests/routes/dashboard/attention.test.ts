import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { BROKERS_DAY, BROKERS_YEAR } from '#tests/support/brokers-day'
import { atProvider, lastCode, sendCode, readText } from '#tests/support/account'
import { advanceDays } from '#tests/support/advance'
import { readAttention } from '#tests/support/attention'
import { openPortalForFile, ORIGIN, signedIn, type Visitor } from '#tests/support/portal'
import { findAttribute, firstLink, firstOption, paiseIn, readKeys, parsePage, readHeading, readTable } from '#tests/support/readers'

const opened = openPortalForFile()

type Fields = Record<string, string>

const findLine = async (visitor: Visitor, words: RegExp) => (await readAttention(visitor)).find((line) => words.test(line.words))

async function post(visitor: Visitor, page: string, fields: Fields = {}): Promise<Response> {
	const { html } = await visitor.visit(page)
	const bank = firstOption(html, 'bank')
	return await visitor.postRaw(page, { ...readKeys(html), bank, ...fields })
}

/** Completes a step at another site like a person, and follows the redirect back. */
async function away(visitor: Visitor, left: Response | URL, page: string, fields: Fields) {
	const address = left instanceof URL ? left : new URL(left.headers.get('location') ?? '')
	const body = new URLSearchParams({ ...Object.fromEntries(address.searchParams), ...fields })
	const ended = await fetch(`https://esign.test${page}`, { method: 'POST', body, redirect: 'manual' })
	const back = new URL(ended.headers.get('location') ?? '', ORIGIN)
	return await visitor.visit(back.pathname + back.search)
}

async function pay(visitor: Visitor, amount: string, outcome: string) {
	const left = await post(visitor, '/funds', { amount, segment: 'BSE', mode: 'netbanking' })
	const address = new URL(left.headers.get('location') ?? '')
	await away(visitor, address, '/pay', { outcome })
	return address
}

describe('each entry links to its page, and disappears when it is done', () => {
	test('an unpledged funded purchase: confirmed at the depository', async () => {
		const demo = await signedIn(opened, 'DEMO01')
		const line = await findLine(
			demo,
			/^Confirm the pledge of 120 shares of NTPC bought with margin funding, or they are sold on \d\d\/\d\d\/\d{4}\./,
		)
		// Bought on the last trading day: today, or before a weekend or in the evening.
		expect(line).toMatchObject({
			state: expect.stringMatching(/^(Today|Overdue)$/),
			href: expect.stringMatching(/^\/dpprocess\/pledge\/return\?ref=PL-/),
		})
		expect(line?.words).toMatch(/(By|Was due by) 21:00 /)
		const before = await demo.visit('/connect/mtf')
		expect(readText(before.html)).toMatch(
			/120 shares of NTPC: (confirm|the MTF pledge was due) by 21:00 (today|on \d\d\/\d\d\/\d{4}) .*(the broker sells these shares at|Confirm it before) \d\d:\d\d /,
		)
		const cells = () => readTable(before.html, 'Funded positions').rows.find(([, name]) => name === 'NTPC Ltd.')
		expect(cells()?.at(-1)).toMatch(/^0 of 120 pledged, the rest by 21:00 on /)
		// The request has the same deadline, which is earlier than the sale by the broker, and leads to the same place.
		const pledges = parsePage((await demo.visit('/dpprocess/pledge')).html)
		expect(pledges.querySelectorAll('main [role=note]').map(readText)).toContainEqual(
			expect.stringMatching(
				/^(Confirm the|The) MTF pledge of 120 shares of NTPC Ltd\. (was due )?by 21:00 .*\. If you do not confirm it, the broker sells these shares/,
			),
		)
		const request = pledges.querySelectorAll('tr').find((row) => readText(row).includes('NTPC Ltd. 120'))
		expect(readText(request ?? '')).toMatch(
			/Awaiting your confirmation (Confirm by 21:00 today|Was due by 21:00 (today|on [\d/]{10})) Confirm : PL-\w+ (?:09:15|15:45) on ([\d/]{10}) 21:00 on \3$/,
		)
		expect(request?.querySelector('a.btn')?.getAttribute('href')).toBe(line?.href)
		// Opened to confirm, the page is no failure, also without the word of the portal's own link.
		const toConfirm = [
			'Confirm the pledge',
			expect.stringMatching(/This has not been confirmed yet\. .* the broker sells these shares at \d\d:\d\d /),
		]
		const open = async (href = '') => {
			const { html } = await demo.visit(href)
			return [readHeading(html), readText(html)]
		}
		expect(await open(line?.href)).toEqual(toConfirm)
		expect(await open(line?.href?.replace('&begin=1', ''))).toEqual(toConfirm)
		const left = await post(demo, line?.href ?? '')
		const failed = await away(demo, left, '/depository', { outcome: 'fail' })
		expect([readHeading(failed.html), readText(failed.html)]).toEqual(['Not confirmed', expect.stringContaining('Nothing has changed')])
		for (const href of [line?.href, firstLink((await demo.visit('/connect/mtf')).html, '/dpprocess/pledge/return?')])
			expect((await open(href))[0]).toBe('Confirm the pledge')
		expect(await findLine(demo, /NTPC/)).toEqual(line)
		const back = await away(demo, await post(demo, line?.href ?? ''), '/depository', { outcome: 'confirm' })
		expect(readText(back.html)).toContain('Pledge confirmed')
		expect(await findLine(demo, /NTPC/)).toBeUndefined()
		const after = await demo.visit('/connect/mtf')
		expect(readText(after.html)).not.toMatch(/Confirm the (MTF )?pledge/)
		// Bought today: in the pledge when delivered, on the next settlement day.
		expect(readTable(after.html, 'Funded positions').rows.map((row) => row.at(-1))).toEqual([
			'Pledged',
			'0 of 120 pledged; 120 unsettled',
			'Pledged',
		])
	})

	test('missing margin: gone when the price recovers', async () => {
		const demo = await signedIn(opened, 'DEMO01')
		const fall = (by: string) =>
			opened.books.db.execute(
				sql.raw(`UPDATE prices p SET close = close ${by} WHERE day = (SELECT max(day) FROM prices WHERE instrument = p.instrument)
					AND instrument IN (SELECT instrument FROM fundings WHERE client = 'DEMO01')`),
			)
		expect(await findLine(demo, /short of margin/)).toBeUndefined()
		await fall('/ 10')
		expect(await findLine(demo, /short of margin/)).toMatchObject({ href: '/connect/mtf' })
		const { html } = await demo.visit('/connect/mtf')
		expect(readText(html)).toMatch(
			/You are ₹ [\d,]+\.\d\d short of margin\. Add funds or sell by the end of \d\d\/\d\d\/\d{4}, or the broker sells/,
		)
		// The parts sum to what there is, also below zero. The margin needed less that is the missing amount, the figure of the card.
		const text = readText(
			parsePage(html)
				.querySelectorAll('section')
				.find((card) => readText(card.querySelector('h2') ?? '') === 'Margin') ?? '',
		)
		const amount = (label: string) => paiseIn(new RegExp(`${label} ([+−]?₹ [\\d,.]+)`).exec(text)?.[1])
		const margin = amount('Margin you have')
		const held = amount('Your shares less what was lent')
		expect([held < 0, held + amount('Ledger cash counted for MTF')]).toEqual([true, margin])
		expect(text).toMatch(/^ *Margin ₹ [\d,.]+ short /)
		expect(amount('Needed at the last close') - margin).toBe(amount('Margin'))
		expect(amount('Margin')).toBeGreaterThan(0)
		await fall('* 10')
		expect(await findLine(demo, /short of margin/)).toBeUndefined()
	})

	test('a pledge for margin: confirmed at the depository', async () => {
		const demo = await signedIn(opened, 'DEMO01')
		const { html } = await demo.visit('/dpprocess/pledge')
		const isin = findAttribute(html, '[name^="qty."]', 'name').slice('qty.'.length)
		const review = await post(demo, '/dpprocess/pledge', { action: 'pledge', [`qty.${isin}`]: '1' })
		const at = (await demo.visit(review.headers.get('location') ?? '')).url
		const left = await post(demo, at)
		const line = await findLine(demo, /^Confirm the pledge of 1 (share|unit) of \S+ at the depository, or it lapses\./)
		expect(line).toMatchObject({ href: expect.stringMatching(/^\/dpprocess\/pledge\/return\?ref=PL-/) })
		await away(demo, left, '/depository', { outcome: 'confirm' })
		expect(await findLine(demo, /^Confirm the pledge of 1 /)).toBeUndefined()
	})

	test('the mandate of a bid: approved in the UPI app, before the broker knows of it', async () => {
		const demo = await signedIn(opened, 'DEMO01')
		const line = await findLine(demo, /^Accept the mandate of ₹ [\d,]+\.00 for [A-Z]+ in your UPI app, or the bid is void\. By 17:00 /)
		expect(line).toMatchObject({ href: '/connect/ipo/bids' })
		const app = await (await fetch('https://esign.test/upi')).text()
		const action = findAttribute(app, 'form[action^="/upi/"]', 'action')
		await fetch(`https://esign.test${action}`, {
			method: 'POST',
			body: new URLSearchParams({ outcome: 'approve' }),
			redirect: 'manual',
		})
		expect(await findLine(demo, /Accept the mandate/)).toBeUndefined()
	})

	test('a payout: cancelled', async () => {
		const demo = await signedIn(opened, 'DEMO01')
		const asked = await post(demo, '/funds/withdraw', { ledgers: 'NSE_CASH', amount: '5' })
		const place = (asked.headers.get('location') ?? '').replace('&new=1', '')
		const line = await findLine(demo, /^₹ 5\.00 is on its way to /)
		expect(line).toMatchObject({ state: 'Under way', href: place })
		const { html } = await demo.visit(place)
		const fields = readKeys(html)
		await demo.postRaw('/funds/payout', { ...fields, ref: new URL(place, ORIGIN).searchParams.get('ref') ?? '' })
		expect(await findLine(demo, /on its way/)).toBeUndefined()
	})

	test('a debit: paid', async () => {
		const debtor = await signedIn(opened, 'DEBT01')
		const line = await findLine(
			debtor,
			/^You owe ₹ [\d,]+\.\d\d on Equity\. It costs ₹ [\d,]+\.\d\d a day \(18 % a year\) until it is paid\./,
		)
		const owed = /₹ ([\d,]+\.\d\d)/.exec(line?.words ?? '')?.[1] ?? ''
		const href = `/funds?amount=${owed.replaceAll(',', '').replace(/\.00$/, '')}&segment=BSE`
		expect(line).toMatchObject({ state: 'To do', href })
		// The shares that are not paid for are that debt.
		expect(await findLine(debtor, /not paid for/)).toMatchObject({ href })
		await pay(debtor, owed, 'pay')
		expect(await findLine(debtor, /You owe/)).toBeUndefined()
	})

	test('a payment that the bank has not confirmed: confirmed', async () => {
		const leaver = await signedIn(opened, 'CLOS01')
		expect(await readAttention(leaver)).toEqual([])
		const address = await pay(leaver, '700', 'wait')
		const line = await findLine(leaver, /has not confirmed your payment of ₹ 700\.00 yet\. Do not pay again before it has\./)
		expect(line).toMatchObject({ state: 'Under way', href: expect.stringMatching(/^\/funds\/return\?ref=/) })
		await opened.books.db.execute(sql`UPDATE payins SET status = 'SUCCESS' WHERE client = 'CLOS01' AND status = 'PENDING'`)
		expect([address.pathname, await readAttention(leaver)]).toEqual(['/pay', []])
	})

	test('an e-sign, and before it the missing nominee: signed', async () => {
		const cash = await signedIn(opened, 'CASH01')
		expect(await findLine(cash, /no nominee/)).toMatchObject({ state: 'To do', href: '/myaccount/nominee' })
		await cash.post('/myaccount/nominee', '/myaccount/nominee', { opt_out: 'on' })
		const sent = await sendCode(cash, '/myaccount/nominee/otp', { otp: await lastCode('CASH01') })
		expect([sent.status, sent.headers.get('location')]).toEqual([303, '/esign'])
		await atProvider(cash, 'cancel')
		const lines = await readAttention(cash)
		expect(lines).toMatchObject([{ words: expect.stringContaining('Change of nominees awaits your e-sign.'), state: 'Soon' }])
		expect(readText((await cash.visit(lines[0]?.href ?? '')).html)).toContain('Sign again')
		await atProvider(cash)
		expect(await readAttention(cash)).toEqual([])
	})

	test('the e-sign of a DDPI: one link to sign, although the first steps of a new client also name it', async () => {
		const fresh = await signedIn(opened, 'NEW001')
		const readLinks = async () =>
			parsePage((await fresh.visit('/dashboard')).html)
				.querySelectorAll('main a')
				.map((link) => link.textContent)
				.filter((text) => /^(Sign|See the request)/.test(text))
		expect(await readLinks()).toEqual(['Sign: Sign the DDPI'])
		await post(fresh, '/dpprocess/ddpi')
		await atProvider(fresh, 'cancel')
		expect(await readLinks()).toEqual(['See the request: Sign the DDPI', 'Sign'])
		await post(fresh, '/dpprocess/ddpi')
		await atProvider(fresh)
		expect(await readLinks()).toEqual([])
	})

	test('money from an unregistered account: returned', async () => {
		const fresh = await signedIn(opened, 'NEW001')
		await pay(fresh, '900', 'other')
		const line = await findLine(fresh, /^₹ 900\.00 came on .* from a bank account that is not registered\. It goes back on /)
		expect(line).toMatchObject({ href: '/funds' })
		await advanceDays(10, 'NEW001')
		expect(await findLine(await signedIn(opened, 'NEW001'), /not registered/)).toBeUndefined()
	})

	test('the tax year: fetched, and no longer listed from the due day of the return on', async () => {
		// The test before moved the clock by ten days.
		const left = (Date.parse(`${BROKERS_YEAR + 1}-04-10`) - Date.parse(BROKERS_DAY)) / 86_400_000
		await advanceDays(left - 10, 'DEMO01')
		const demo = await signedIn(opened, 'DEMO01')
		const line = await findLine(
			demo,
			/^Your tax statement and year pack of \d{4}-\d{4} are ready: the income-tax return is due on 31\/08\//,
		)
		expect(line).toMatchObject({ state: 'Soon', href: expect.stringMatching(/^\/reports\/downloads\?year=\d{4}-\d{4}$/) })
		expect(line?.words).toMatch(/By 23:59 on 31\/08\//)
		const { html } = await demo.visit(line?.href ?? '')
		const file = findAttribute(html, 'a[href^="/downloads/income-tax"][href*="xlsx"]', 'href')
		expect((await demo.send(file)).status).toBe(200)
		expect(await findLine(demo, /tax statement/)).toBeUndefined()
	})
})
