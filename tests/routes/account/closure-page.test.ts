import { describe, expect, test, vi } from 'vitest'
import { sendTransfer, TRANSFER } from '#tests/support/closure'
import { openPortalForFile, signedIn, Visitor } from '#tests/support/portal'
import { firstLink, listRadios, paiseIn, parsePage, readText, readTitle } from '#tests/support/readers'

vi.stubEnv('SUPPORT_EMAIL', 'help@khata.example')
const opened = openPortalForFile()

const TAB = '/myaccount/closure'
const CHECK = '/myaccount/closure/check'
const ANSWERS = { reason: 'Moving to another broker', close: 'Trading and Demat', holdings: 'transfer' }

describe('the closure page', () => {
	test('shows the ledger page’s balance, to the paisa, for every client', async () => {
		for (const code of ['DEMO01', 'CASH01', 'DEBT01', 'CLOS01']) {
			const visitor = await signedIn(opened, code)
			const ledger = readText((await visitor.visit('/reports/ledger')).html)
			const balance = readText((await visitor.visit(TAB)).html).match(/Ledger balance (₹ [\d,.]+(?: [CD]r)?)/)?.[1] ?? 'none'
			const shown = [...ledger.matchAll(/₹ [\d,.]+(?: [CD]r)?/g)].map(([figure]) => figure)
			expect([code, shown]).toEqual([code, expect.arrayContaining([balance])])
		}
	})

	test('names what DEBT01 owes and where to pay it, and offers no form', async () => {
		const { html, status } = await (await signedIn(opened, 'DEBT01')).visit(TAB)
		expect(status).toBe(200)
		const text = readText(html)
		expect(text).toMatch(/To do Pay what you owe ₹ [\d,]+\.\d\d is owed Add funds/)
		expect(text.match(/Total ledger balance (₹ [\d,.]+) Dr/)?.[1]).toBe(text.match(/you owe (₹ [\d,.]+) is owed/)?.[1])
		const owed = text
			.match(/you owe ₹ ([\d,.]+) is owed/)?.[1]
			?.replaceAll(',', '')
			.replace(/\.00$/, '')
		expect(firstLink(html, '/funds?')).toBe(`/funds?amount=${owed}`)
		expect(html).not.toContain('Continue')
		// The answer stands above the figures.
		expect(text).toMatch(/You cannot close your account yet\. .*Your account today/)
	})

	test('shows CLOS01 everything done but its holdings, and the form', async () => {
		const { html } = await (await signedIn(opened, 'CLOS01')).visit(TAB)
		const text = readText(html)
		expect(text.match(/\bDone\b/g)?.length).toBe(10)
		expect(text.match(/\bTo do\b/g)?.length).toBe(1)
		expect(text).toContain('1 of 11 things is still to do.')
		expect(text).not.toContain('You cannot close')
		expect(text).toContain('Sell your holdings, or transfer them when you close')
		// Holdings can only be transferred, which takes one step more.
		expect(text).toContain('Step 1 of 4: details · new account · check · e-sign')
		for (const label of ['Reason', 'Close', 'Holdings', 'Close the account', 'Close and transfer holdings', 'Continue'])
			expect(text).toContain(label)
		expect(listRadios(parsePage(html), 'close')).toEqual([
			['Trading', 'You can no longer trade here'],
			['Demat', 'You can no longer hold shares here'],
			['Trading and Demat', 'You can no longer trade or hold shares here'],
		])
		expect(listRadios(parsePage(html), 'holdings')).toEqual([
			['Close the account', 'For an account without holdings'],
			['Close and transfer holdings', 'The units move to your account elsewhere; purchase dates and costs do not'],
		])
	})

	test('folds the tasks of NEW001, which are all done, and shows the form', async () => {
		const { html } = await (await signedIn(opened, 'NEW001')).visit(TAB)
		expect(readText(html)).toMatch(/Before you close You can close your account. All 11 checks are done Done/)
		expect(parsePage(html).querySelectorAll('section details li')).toHaveLength(11)
		expect(readText(html)).toContain('Step 1 of 3: details · check · e-sign')
		expect(readText(html)).toContain('Continue')
	})

	test('puts the tasks in the order in which they can be done', async () => {
		const { html } = await (await signedIn(opened, 'DEMO01')).visit(TAB)
		const steps = ['Close your open positions', 'Let your trades settle', 'Release pledged', 'Cancel your mandates', 'Sell your holdings']
		const order = [...steps, 'Withdraw your money'].map((label) => readText(html).search(new RegExp(`(To do|Wait) ${label}`)))
		expect(order.every((at, index) => at > (order[index - 1] ?? 0))).toBe(true)
	})

	test('says how much of the money can be withdrawn now, as the withdrawal page does, and how much waits', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const read = async () => readText((await visitor.visit(TAB)).html)
		const [, left, now, later] =
			/Withdraw your money (₹ \S+) is left in the ledgers\. (₹ \S+) can be withdrawn now, (₹ \S+) only after the other steps/.exec(
				await read(),
			) ?? []
		const paise = [left, now, later].map(paiseIn)
		expect(paise[1]).toBeGreaterThan(0)
		expect(paise[0]).toBe((paise[1] ?? 0) + (paise[2] ?? 0))
		opened.rewriteCalls('/v2/fund/withdrawable-amount', (json) => void Object.assign(json.data as object, { balance: 0 }))
		expect(await read()).toMatch(/Wait Withdraw your money ₹ \S+ is left in the ledgers\. All of it can be withdrawn only after/)
		// The withdrawal page offers nothing of a ledger whose payout is under way.
		opened.rewriteCalls('/v2/fund/withdrawable-amount', (json) => void Object.assign(json.data as object, { payouts_under_way: 1 }))
		expect(await read()).toMatch(/Wait Withdraw your money ₹ \S+ is left in the ledgers\. All of it can be withdrawn only after/)
		opened.breakBroker(({ url }) => (url.includes('/withdrawable-amount') ? new Response('', { status: 500 }) : undefined))
		expect(await read()).toMatch(/To do Withdraw your money ₹ \S+ is left in the ledgers Withdraw funds/)
		opened.breakBroker(undefined)
	})

	test('says of each task how much of it is left', async () => {
		const { html } = await (await signedIn(opened, 'DEMO01')).visit(TAB)
		expect(readText(html)).toMatch(
			/To do Confirm your pledge requests \(unpledged MTF shares are sold\) \d+ pledge requests? (is|are) unconfirmed /,
		)
	})

	test('counts what the client must do and what only needs time', async () => {
		const { html } = await (await signedIn(opened, 'DEMO01')).visit(TAB)
		const text = readText(html)
		const [, all, todo, wait] =
			/You cannot close your account yet\. (\d+) things are left: (\d+) to do, (\d+) to wait for\./.exec(text) ?? []
		expect([Number(todo) + Number(wait), Number(todo)]).toEqual([Number(all), text.match(/\bTo do\b/g)?.length])
		expect(text.match(/\bWait\b/g)?.length).toBe(Number(wait))
		for (const label of ['Let your trades settle', 'Let your IPO bids end']) expect(text).toContain(`Wait ${label}`)
	})

	test('links what the blockers of a broker without tasks are about', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		opened.breakBroker((request) =>
			request.url.includes('/v1/ours/') ? Response.json({ status: 'error', message: 'No such call' }, { status: 404 }) : undefined,
		)
		const { html } = await visitor.visit(TAB)
		const text = readText(html)
		opened.breakBroker(undefined)
		expect(text).toMatch(/To do \d+ positions are open See positions/)
		expect(text).toMatch(/To do Securities worth ₹ [\d,.]+ are in the demat account See holdings/)
		expect(text).toMatch(/left in the ledgers Withdraw funds/)
		expect(text).toMatch(/Wait \d+ IPO applications are open See bids/)
		// A broker without tasks may have no such list, so the link leads to its support.
		expect(text).not.toMatch(/See mandates|See requests/)
		expect(text).toMatch(/To do \d+ mandates? (is|are) active Ask support/)
		const todos = parsePage(html).querySelectorAll('section li')
		expect(todos.map((todo) => todo.querySelectorAll('a[href]').length)).toEqual(todos.map(() => 1))
	})

	test('offers a transfer of holdings without value, and promises no withdrawal on the page, at a broker without tasks', async () => {
		const visitor = await signedIn(opened, 'CLOS01')
		opened.breakBroker(async (request) => {
			const { pathname } = new URL(request.url)
			if (pathname.includes('/v1/ours/')) return Response.json({ status: 'error', message: 'No such call' }, { status: 404 })
			if (pathname !== '/v1/acc-closing-details') return undefined
			const json = (await (await opened.forward(request)).json()) as { data: object }
			Object.assign(json.data, { total_holdings: 0, blockers: ['Securities worth ₹ 0.00 are in the demat account'] })
			return Response.json(json)
		})
		const offered = readText((await visitor.visit(TAB)).html)
		await visitor.post(TAB, TAB, ANSWERS)
		await sendTransfer(visitor)
		const check = readText((await visitor.visit(CHECK)).html)
		opened.breakBroker(undefined)
		expect(offered).toContain('Close and transfer holdings')
		expect(offered).not.toContain('You cannot close')
		expect(check).toContain('The account closes within 3 working days after that.')
		// Such a broker most likely has no call that withdraws a request either.
		expect(check).toContain('Until it has closed, you can withdraw the request on the closure page.')
	})

	test.each([[[null]], [[' ', 'NA']]])('a blank blocker is no task, and the account cannot be closed: %j', async (blockers) => {
		const visitor = await signedIn(opened, 'CLOS01')
		opened.breakBroker(async (request) => {
			const { pathname } = new URL(request.url)
			if (pathname.includes('/v1/ours/')) return Response.json({ status: 'error', message: 'No such call' }, { status: 404 })
			if (pathname !== '/v1/acc-closing-details') return undefined
			const json = (await (await opened.forward(request)).json()) as { data: object }
			Object.assign(json.data, { blockers })
			return Response.json(json)
		})
		const text = readText((await visitor.visit(TAB)).html)
		opened.breakBroker(undefined)
		expect(text).toContain('You cannot close your account yet.')
		expect(text).toContain('could not be read and')
		expect(text).not.toMatch(/\bTo do\b|Continue/)
	})

	test('loses one part when one call fails, and keeps the others', async () => {
		const visitor = await signedIn(opened, 'DEBT01')
		opened.breakBroker((request) =>
			request.url.includes('/v1/ours/') ? Response.json({ status: 'error', message: 'No such call' }, { status: 404 }) : undefined,
		)
		const told = await visitor.visit(TAB)
		expect([told.status, readText(told.html)]).toEqual([200, expect.stringMatching(/To do ₹ [\d,.]+ is owed Add funds/)])
		opened.breakBroker((request) =>
			request.url.includes('acc-closing-details') ? Response.json({ status: 'error', message: 'Down' }, { status: 500 }) : undefined,
		)
		const failed = await visitor.visit(TAB)
		expect(failed.status).toBe(200)
		expect(readText(failed.html)).toContain('Your account’s figures could not be loaded.')
		expect(readText(failed.html)).toContain('Pay what you owe')
	})

	test('requires every answer, keeps the given ones, and says so in the title', async () => {
		const visitor = await signedIn(opened, 'CLOS01')
		const answer = await visitor.post(TAB, TAB, { reason: '', other: 'kept <b>as typed</b>' })
		expect(answer.status).toBe(400)
		const html = await answer.text()
		expect(readTitle(html)).toMatch(/^Error: Account closure/)
		for (const message of ['Select a reason', 'Select what to close', 'Select what happens to your holdings'])
			expect(html).toContain(message)
		expect(html).toContain('kept &lt;b&gt;as typed&lt;/b&gt;')
	})

	test('cannot be entered out of order, and never by a dormant client', async () => {
		const visitor = await signedIn(opened, 'CLOS01')
		for (const step of [TRANSFER, CHECK]) expect((await visitor.send(step)).headers.get('location')).toBe(TAB)
		await visitor.post(TAB, TAB, ANSWERS)
		expect((await visitor.send(CHECK)).headers.get('location')).toBe(TRANSFER)
		// Another client in the same browser has no access to it.
		await visitor.login('NEW001')
		const stranger = await signedIn(opened, 'NEW001')
		for (const [name, value] of visitor.cookies) if (name.endsWith('closure')) stranger.cookies.set(name, value)
		expect((await stranger.send(TRANSFER)).headers.get('location')).toBe(TAB)
		expect((await (await signedIn(opened, 'DORM01')).send(TAB)).headers.get('location')).toBe('/rekyc')
		expect((await new Visitor(opened.portal).send(CHECK)).headers.get('location')).toBe(`/login?redirectTo=${encodeURIComponent(CHECK)}`)
	})
})
