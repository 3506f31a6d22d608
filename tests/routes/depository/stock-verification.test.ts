import { describe, expect, test } from 'vitest'
import { formatDay } from '#contract/values/dates'
import { hidden, lastCode, readText, wrongCode } from '#tests/support/account'
import { BROKERS_DAY } from '#tests/support/brokers-day'
import { parseCount, freeRow, loseResponse, OTP, readFormRows, sendOtp, startVerification, VERIFY } from '#tests/support/depository'
import { openPortalForFile, ORIGIN, signedIn } from '#tests/support/portal'
import { listAttributes, parsePage, readAll, readTitle } from '#tests/support/readers'

const opened = openPortalForFile()

const FORM = { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN }

/** The calls to the broker since an index, by path. */
const listAsked = (path: string, since = 0) => opened.asked.slice(since).filter(({ url }) => new URL(url).pathname === path)

describe('stock verification', () => {
	test('shows the free units, sends the broker’s and the session’s data, and verifies with the code', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const counted = readFormRows((await visitor.visit(VERIFY)).html).map(({ cells }) => cells['#'])
		expect(counted.length).toBeGreaterThan(1)
		expect(counted).toEqual(counted.map((_, index) => String(index + 1)))
		const { isin, limit: free } = await freeRow(visitor)
		const listed = readFormRows((await visitor.visit(VERIFY)).html).find((row) => row.isin === isin)
		const since = opened.asked.length
		const forged = { client_code: 'CASH01', free_qty: '999999', poa_qty: '999999', stock_name: 'GOLD', eDis_type: '1' }
		const sent = await startVerification(visitor, isin, '7', forged)
		expect([sent.status, sent.headers.get('location')]).toEqual([303, OTP])
		const [call] = listAsked('/edis/edis/v1/edis-stock-verify', since)
		expect(new URL(call?.url ?? '').search).toBe('?source=connect')
		const body = (await call?.json()) as { data: object[] }
		expect(body).toMatchObject({ client_code: 'DEMO01', eDis_type: '2', trade_type: 'PRE', post_trade_date: '' })
		expect(body.data).toEqual([{ isin, qty: 7, free_qty: free, poa_qty: 0, stock_name: expect.not.stringContaining('GOLD') as string }])

		const page = await visitor.visit(OTP)
		const text = readText(page.html)
		expect(text).toContain('Otp Sent Successfully')
		expect(text).toMatch(/OTP sent to •{6}\d{4}\. It is valid until \d\d:\d\d IST/)
		// The value that the code will verify, in paise at the last close.
		const close = parseCount(listed?.cells.Close)
		const worth = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2 }).format((7 * Math.round(close * 100)) / 100)
		expect(text).toContain(`7 shares, ₹ ${worth} Trade type Pre`)
		for (const word of ['OTP', 'Verify OTP', 'Resend OTP', 'Start again']) expect(text).toContain(word)
		// Without scripts the page shows only the OTP step.
		expect(page.html).not.toContain('<caption class="sr-only">Holdings')

		const code = await lastCode('DEMO01')
		const wrong = await sendOtp(visitor, { otp: wrongCode(code) })
		expect([wrong.status, readText(await wrong.text())]).toEqual([
			422,
			expect.stringContaining('The OTP is incorrect. You have 4 attempts left.'),
		])
		const done = await sendOtp(visitor, { otp: code })
		expect([done.status, done.headers.get('location')]).toEqual([303, VERIFY])
		const last = await listAsked('/edis/edis/v1/edis-verify-otp').at(-1)?.json()
		expect(last).toEqual({ otp: code, request_id: expect.any(String) as string })

		const { html } = await visitor.visit(VERIFY)
		expect(readText(html)).toContain('Stocks verified successfully')
		expect(readFormRows(html).find((row) => row.isin === isin)?.cells).toMatchObject({ Free: String(free - 7), Verified: '7' })
		expect(readText(html)).toMatch(/7 Pre \d\d:\d\d on [\d/]+ 17:30 on [\d/]+/)
		// The step is over: its page leads back.
		expect((await visitor.visit(OTP)).url).toBe(VERIFY)
	})

	test('shows errors beside each field, and keeps what was typed', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { isin, limit: free } = await freeRow(visitor)
		const since = opened.asked.length
		const cases: [Record<string, string>, string][] = [
			[{ [`qty.${isin}`]: '5' }, 'Select at least one security'],
			[{ isin, [`qty.${isin}`]: '' }, 'Enter a quantity for '],
			[{ isin, [`qty.${isin}`]: '0' }, 'Enter a quantity for '],
			[{ isin, [`qty.${isin}`]: String(free + 1) }, `You can verify up to ${free} of `],
			[{ isin, [`qty.${isin}`]: '5', trade_type: 'POST' }, 'Select the trade date'],
			[{ isin, [`qty.${isin}`]: '5', trade_type: 'POST', post_trade_date: '31/02/2026' }, 'Trade date must be a real date'],
			[{ isin, [`qty.${isin}`]: '5', trade_type: 'POST', post_trade_date: '2020-01-01' }, 'The trade date must be '],
			[{ isin: 'INE000X01010', 'qty.INE000X01010': '5' }, 'Select at least one security'],
			...['-1', '1.5', '1e9', '0x10', '１２', 'NaN', '9'.repeat(10)].map((qty): [Record<string, string>, string] => [
				{ isin, [`qty.${isin}`]: qty },
				'must be a whole number',
			]),
		]
		for (const [fields, message] of cases) {
			const answer = await visitor.post(VERIFY, VERIFY, { trade_type: 'PRE', ...fields })
			const html = await answer.text()
			expect([fields, answer.status]).toEqual([fields, 400])
			expect(readText(html)).toMatch(/There is a problem/)
			expect(readText(html)).toContain(message)
			expect(readTitle(html)).toMatch(/^Error: DP Process/)
		}
		const kept = await (await visitor.post(VERIFY, VERIFY, { trade_type: 'PRE', isin, [`qty.${isin}`]: '99999999' })).text()
		expect(hidden(kept, `qty.${isin}`)).toBe('99999999')
		expect(listAttributes(kept, 'input[name="isin"][checked]', 'value')).toEqual([isin])
		// Nothing ticked: the message stands at the table too, and describes the first box.
		const nothing = parsePage(await (await visitor.post(VERIFY, VERIFY, { trade_type: 'PRE' })).text())
		const box = nothing.querySelector('form table input[name=isin]')
		expect(nothing.querySelector('[role=alert] a')?.getAttribute('href')).toBe(`#${box?.id}`)
		expect(box?.getAttribute('aria-invalid')).toBe('true')
		expect(readText(nothing.querySelector(`form #${box?.getAttribute('aria-describedby')}`) ?? '')).toContain(
			'Select at least one security',
		)
		expect(listAsked('/edis/edis/v1/edis-stock-verify', since)).toEqual([])
	})

	test('selects all free units by a link, and tells the broker that it is everything', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const { html } = await visitor.visit(`${VERIFY}?select=all`)
		// A security sold completely has a row for a verification after the trade, and no free units.
		const rows = readFormRows(html).filter(({ cells }) => parseCount(cells.Free) > 0)
		expect(readFormRows(html).filter(({ isChosen }) => isChosen)).toEqual(rows)
		expect(rows.map(({ isChosen, typed }) => [isChosen, typed])).toEqual(rows.map(({ cells }) => [true, String(parseCount(cells.Free))]))
		const form = new URLSearchParams({ csrf: hidden(html, 'csrf'), trade_type: 'PRE' })
		for (const { isin, typed } of rows) {
			form.append('isin', isin)
			form.append(`qty.${isin}`, typed)
		}
		const sent = await visitor.send(VERIFY, { method: 'POST', body: form.toString(), headers: FORM })
		expect(sent.status).toBe(303)
		expect(await listAsked('/edis/edis/v1/edis-stock-verify').at(-1)?.json()).toMatchObject({ eDis_type: '1', client_code: 'CASH01' })
	})

	test('sends a POST verification of sold units with their day as DD-MM-YYYY', async () => {
		// DEMO01 has sold 15 of its 40 Titan on the broker's day.
		const visitor = await signedIn(opened, 'DEMO01')
		const { html } = await visitor.visit(VERIFY)
		const titan = readFormRows(html).find(({ cells }) => cells.Name?.startsWith('Titan'))
		expect(titan?.cells).toMatchObject({ Free: '25', Held: '40', Sold: '15' })
		expect(readFormRows(html).filter(({ cells }) => cells.Sold === '')).toEqual([])
		expect(readText(html)).toContain(
			`Send OTP for the sales of ${formatDay(BROKERS_DAY)} Tick them in the table : sold on ${formatDay(BROKERS_DAY)}`,
		)
		const link = parsePage(html)
			.querySelectorAll('a[href]')
			.find((each) => readText(each).startsWith('Tick them in the table'))
		const filled = await visitor.visit(link?.getAttribute('href') ?? '')
		expect(readFormRows(filled.html).filter(({ isChosen }) => isChosen)).toMatchObject([{ isin: titan?.isin, typed: '15' }])
		const isin = titan?.isin ?? ''
		// The sold row stands first, and nothing is ticked.
		expect(readFormRows(html)[0]?.isin).toBe(isin)
		expect(readFormRows(html).filter(({ isChosen }) => isChosen)).toEqual([])
		// The button sends the sold units as the form would, and no others.
		const button = parsePage(html)
			.querySelectorAll('main form')
			.find((form) => readText(form).trim().startsWith('Send OTP'))
		const fields = button?.querySelectorAll('input').map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? ''])
		expect(fields?.slice(1)).toEqual([
			['trade_type', 'POST'],
			['post_trade_date', formatDay(BROKERS_DAY)],
			['isin', isin],
			[`qty.${isin}`, '15'],
		])
		const pressed = await visitor.postRaw(VERIFY, Object.fromEntries(fields ?? []))
		expect([pressed.status, pressed.headers.get('location')]).toEqual([303, '/dpprocess/otp'])
		expect(await listAsked('/edis/edis/v1/edis-stock-verify').at(-1)?.json()).toMatchObject({
			eDis_type: '2',
			trade_type: 'POST',
			data: [{ isin, qty: 15 }],
		})
		expect(readText((await visitor.visit(OTP)).html)).toMatch(
			new RegExp(`15 shares, ₹ [\\d,.]+ Trade type Post: after a sale on ${formatDay(BROKERS_DAY)} `),
		)
		// A verification before a sale has only the other units, and its page says so.
		expect((await startVerification(visitor, isin, '25')).status).toBe(303)
		expect(readText((await visitor.visit(OTP)).html)).toMatch(
			new RegExp(
				`25 shares, ₹ [\\d,.]+ Not in this: 15 sold on ${formatDay(BROKERS_DAY)}\\. Verify those too, as Post: after a sale\\. Trade type Pre`,
			),
		)
		const above = await startVerification(visitor, isin, '16', { trade_type: 'POST', post_trade_date: BROKERS_DAY })
		expect([above.status, readText(await above.text())]).toEqual([
			400,
			expect.stringContaining(`You sold 15 of Titan Company Ltd. on ${formatDay(BROKERS_DAY)} that are not verified yet`),
		])
		const sent = await startVerification(visitor, isin, '15', { trade_type: 'POST', post_trade_date: BROKERS_DAY })
		expect(sent.status).toBe(303)
		expect(await listAsked('/edis/edis/v1/edis-stock-verify').at(-1)?.json()).toMatchObject({
			eDis_type: '2',
			trade_type: 'POST',
			post_trade_date: BROKERS_DAY.split('-').reverse().join('-'),
		})
	})

	test('shows the broker’s refusal, sends again on request, and starts again', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const { isin } = await freeRow(visitor)
		await startVerification(visitor, isin, '1')
		// The wait is shown before the client presses too early.
		expect(readText((await visitor.visit(OTP)).html)).toMatch(/You can ask for a new OTP at \d\d:\d\d:\d\d\./)
		const early = await sendOtp(visitor, { intent: 'resend_otp' })
		expect([early.status, readText(await early.text())]).toEqual([429, expect.stringMatching(/You can ask for a new OTP in \d+ seconds/)])
		opened.breakBroker((request) =>
			request.url.includes('/resend-otp') ? Response.json({ status: 'success', message: 'OTP sent to ******9999', data: null }) : undefined,
		)
		const again = await sendOtp(visitor, { intent: 'resend_otp' })
		expect([again.status, again.headers.get('location')]).toEqual([303, OTP])
		const text = readText((await visitor.visit(OTP)).html)
		expect(text).toContain('OTP sent again.')
		expect(text).toContain('OTP sent to ••••••9999')
		expect((await sendOtp(visitor, { intent: 'start_again' })).headers.get('location')).toBe(VERIFY)
		expect((await visitor.visit(OTP)).url).toBe(VERIFY)
	})

	test('belongs to one client and one browser: a step of another client, an old form and a forged id have no effect', async () => {
		const [demo, cash] = [await signedIn(opened, 'DEMO01'), await signedIn(opened, 'CASH01')]
		const { isin } = await freeRow(demo)
		await startVerification(demo, isin, '1')
		for (const [name, value] of demo.cookies) if (name.includes('pending')) cash.cookies.set(name, value)
		expect((await cash.visit(OTP)).url).toBe(VERIFY)
		const old = (await demo.visit(OTP)).html
		await startVerification(demo, isin, '2')
		const since = opened.asked.length
		const stale = await sendOtp(demo, { otp: '123456', request_id: 'RQ-0000000000000000' }, old)
		expect([stale.status, stale.headers.get('location')]).toEqual([303, OTP])
		expect(listAsked('/edis/edis/v1/edis-verify-otp', since)).toEqual([])
	})

	test('verifies once when the reply is lost and the form is sent again', async () => {
		const visitor = await signedIn(opened, 'CLOS01')
		const { isin } = await freeRow(visitor)
		await startVerification(visitor, isin, '3')
		const otp = await lastCode('CLOS01')
		let isLost = false
		opened.breakBroker((request) => {
			if (isLost || !request.url.includes('/edis-verify-otp')) return undefined
			isLost = true
			return loseResponse(opened, request)
		})
		const lost = await sendOtp(visitor, { otp })
		const html = await lost.text()
		expect([lost.status, readText(html)]).toEqual([503, expect.stringContaining('may already have been done')])
		const done = await sendOtp(visitor, { otp }, html)
		expect([done.status, done.headers.get('location')]).toEqual([303, VERIFY])
		expect(readFormRows((await visitor.visit(VERIFY)).html).find((row) => row.isin === isin)?.cells.Verified).toBe('3')
	})

	test('makes one verification per code: sent twenty times at once, from two tabs, and again', async () => {
		const visitor = await signedIn(opened, 'CLOS01')
		const { isin } = await freeRow(visitor)
		const before = parseCount(readFormRows((await visitor.visit(VERIFY)).html).find((row) => row.isin === isin)?.cells.Verified)
		await startVerification(visitor, isin, '2')
		const otp = await lastCode('CLOS01')
		const [{ html: tab }, { html: otherTab }] = [await visitor.visit(OTP), await visitor.visit(OTP)]
		const jar = new Map(visitor.cookies)
		const twenty = await Promise.all(Array.from({ length: 20 }, () => sendOtp(visitor, { otp }, tab)))
		expect(new Set(twenty.map(({ status, headers }) => `${status} ${headers.get('location')}`))).toEqual(new Set([`303 ${VERIFY}`]))
		// The other tab sent before the step's cookie was gone.
		for (const [name, value] of jar) visitor.cookies.set(name, value)
		const late = await sendOtp(visitor, { otp }, otherTab)
		expect([late.status, readText(await late.text())]).toEqual([422, expect.stringContaining('was used already. See what is verified')])
		const { html } = await visitor.visit(VERIFY)
		expect(parseCount(readFormRows(html).find((row) => row.isin === isin)?.cells.Verified)).toBe(before + 2)
	})

	test('sums the values of the rows shown, no units of different shares, and gives each table as CSV', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { html } = await visitor.visit(VERIFY)
		const foot = readAll(html, 'tfoot')[0] ?? ''
		const rows = readFormRows(html)
		const sumColumn = (column: string) => rows.reduce((sum, { cells }) => sum + parseCount(cells[column]), 0)
		const grouped = new Intl.NumberFormat('en-IN')
		expect(foot).not.toContain(grouped.format(sumColumn('Free')))
		const value = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2 }).format(Number(sumColumn('Value').toFixed(2)))
		// Once below the label for a phone, and once in its column.
		expect(foot).toBe(`Total Value ₹ ${value} ${value}`)

		const one = rows[0]?.isin ?? ''
		const file = await visitor.send(`/downloads/depository/holdings?q=${one}`)
		expect(file.headers.get('content-disposition')).toContain('filename="DEMO01_DEMAT.csv"')
		const lines = (await file.text()).trim().split('\r\n')
		expect([lines.length, lines[0]]).toEqual([2, '#,Name,ISIN,Free,Held,Verified,Sold,DDPI,Close,Value'])
		expect(lines[1]).toContain(one)
		expect(await (await visitor.send('/downloads/depository/verified?sort=-until')).text()).toMatch(
			/^#,Name,ISIN,Quantity,Trade type,Verified at,Holds until\r\n1,.*,7,Pre,\d{4}-\d\d-\d\d \d\d:\d\d,/,
		)
		expect((await visitor.send('/downloads/depository/constructor')).status).toBe(404)
	})

	test('reads unusual forms correctly: fields sent twice, extra fields, other field types', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { isin } = await freeRow(visitor)
		const { html } = await visitor.visit(VERIFY)
		const send = (body: string) =>
			visitor.send(VERIFY, {
				method: 'POST',
				body: `csrf=${encodeURIComponent(hidden(html, 'csrf'))}&${body}`,
				headers: FORM,
			})
		for (const body of [`isin=${isin}&qty=5`, `isin=${isin}&qty.${isin}.x=5`, `isin.a=1`, `isin=${isin}`]) {
			const answer = await send(body)
			expect([body, answer.status]).toEqual([body, 400])
			expect(readText(await answer.text())).not.toMatch(/Invalid input|expected/)
		}
		const twice = await send(`isin=${isin}&isin=${isin}&qty.${isin}=99999999&qty.${isin}=2&admin=1&trade_type=PRE&trade_type=POST`)
		expect(twice.status).toBe(303)
		const body = (await listAsked('/edis/edis/v1/edis-stock-verify').at(-1)?.json()) as { data: { qty: number }[] }
		expect(body).toMatchObject({ trade_type: 'PRE', data: [{ isin, qty: 2 }] })
		expect(body).not.toHaveProperty('admin')
	})
})
