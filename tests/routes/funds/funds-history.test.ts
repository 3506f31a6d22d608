import { describe, expect, test } from 'vitest'
import { addDays, formatDay } from '#contract/values/dates'
import { formatRupees } from '#contract/values/money'
import { readText } from '#tests/support/account'
import { ADD, HISTORY, MANDATE } from '#tests/support/funds'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { firstLink, listAttributes, paiseIn, parsePage, readAll, readTable, sum } from '#tests/support/readers'

const opened = openPortalForFile()

describe('the history of funds', () => {
	test('lead with the day in the history, which is a link, and with the reference in its file', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { html } = await visitor.visit(HISTORY)
		for (const [title, name, label] of [
			['Pay-ins', 'payins', 'Paid in'],
			['Pay-outs', 'payouts', 'Paid out'],
		] as const) {
			// A list alone sums all its rows that succeeded, above it and in its foot.
			const page = await visitor.visit(`${HISTORY}?table=${name}`)
			const all = readTable(page.html, title)
			const done = all.rows.filter((row) => row[all.head.indexOf('Status')]?.startsWith('Success'))
			const total = sum(done.map((row) => paiseIn(row[all.head.indexOf('Amount')])))
			const count = done.length < all.rows.length ? `, in ${done.length} payments` : ''
			expect(all.foot.filter(Boolean)[0]).toBe(`${label}${count}`)
			expect(paiseIn(all.foot[all.head.indexOf('Amount')])).toBe(total)
			expect(readText(page.html)).toContain(`${label} ${formatRupees(total)}`)
		}
		for (const title of ['Pay-ins', 'Pay-outs']) {
			const { head, rows } = readTable(html, title)
			expect(head.slice(0, 4)).toEqual(['#', 'Date', 'Reference', 'Status'])
			expect(rows[0]?.slice(1, 3)).toEqual([expect.stringMatching(/^\d\d\/\d\d\/\d{4}$/), expect.stringMatching(/^P[IO]-/)])
		}
		const csv = await (await visitor.send('/downloads/payins/csv')).text()
		expect(csv.replace('\uFEFF', '').split('\r\n')[0]).toMatch(/^#,Date,Reference,Status,Amount,/)
	})

	test('sum both lists from the first day that both have whole, and say what is on hold', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const read = async (name: string, title: string) => {
			const { head, rows } = readTable((await visitor.visit(`${HISTORY}?table=${name}`)).html, title)
			return rows.map((row) => ({
				day: row[head.indexOf('Date')]?.split('/').reverse().join('-') ?? '',
				paise: row[head.indexOf('Status')]?.startsWith('Success') ? paiseIn(row[head.indexOf('Amount')]) : 0,
			}))
		}
		const [payins, payouts] = [await read('payins', 'Pay-ins'), await read('payouts', 'Pay-outs')]
		// A broker lists a hundred, so the oldest day of a full list may have more.
		const cut = payins.at(-1)?.day ?? ''
		expect([payins.length, payouts.some(({ day }) => day < cut)]).toEqual([100, true])
		const total = (rows: typeof payins) => formatRupees(sum(rows.filter(({ day }) => day > cut).map(({ paise }) => paise)))
		const { html } = await visitor.visit(HISTORY)
		const said = readText(html)
		const sums = [total(payins), total(payouts)]
		const since = formatDay(addDays(cut, 1))
		expect(said).toContain(`Paid in since ${since} ${sums[0]} Paid out since ${since} ${sums[1]}`)
		expect(said).toMatch(/The latest 100 of each; earlier ones are in your ledger ?\. Sums start on the first day that both lists cover\./)
		// The sum of one list is of all its rows.
		const alone = readText((await visitor.visit(`${HISTORY}?table=payins`)).html)
		expect([alone.includes('The latest 100 of each'), alone.includes('Sums start')]).toEqual([true, false])
		for (const [title, label, rows] of [
			['Pay-ins', 'Paid in', payins],
			['Pay-outs', 'Paid out', payouts],
		] as const) {
			const { head, foot } = readTable(html, title)
			const counted = rows.filter(({ day, paise }) => day > cut && paise > 0).length
			expect(foot.filter(Boolean)[0]).toBe(`${label} since ${since}, in ${counted} payments`)
			expect(`₹ ${foot[head.indexOf('Amount')]}`).toBe(total(rows))
		}
		expect(said).toContain('₹ 2,500.00 is on hold. See payments from unregistered accounts')
		const few = readText((await (await signedIn(opened, 'CASH01')).visit(HISTORY)).html)
		expect(few).toMatch(/Paid in ₹ /)
		expect(few).not.toMatch(/The latest 100|on hold/)
	})

	test('say in the foot that it is incomplete, and count only the amounts in its sum', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const list = `${HISTORY}?table=payins`
		let isChanged = false
		opened.rewriteAll((json) =>
			JSON.parse(JSON.stringify(json), (_, value: unknown) => {
				if (isChanged || typeof value !== 'object' || !value || !('status' in value) || value.status !== 'SUCCESS') return value
				isChanged = true
				return { ...value, amount: 'much' }
			}),
		)
		const changed = readTable((await visitor.visit(list)).html, 'Pay-ins').foot
		opened.breakBroker(undefined)
		expect(changed.filter(Boolean)[0]).toBe('Paid in (incomplete), in 98 payments')
	})

	test('never show a sum as whole, or as zero, while a status or an amount is not known', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const read = async (change: (rows: { status: string; amount: number | null }[]) => void) => {
			opened.rewriteCalls('/v1/account_profile/list_of_funds_payout_payin', (json) => change(json.data as Parameters<typeof change>[0]))
			const { html } = await visitor.visit(`${HISTORY}?table=payins`)
			opened.breakBroker(undefined)
			return [readText(html), readTable(html, 'Pay-ins').foot.filter(Boolean)[0]]
		}
		const [said, foot] = await read(([first]) => void Object.assign(first ?? {}, { status: 'SETTLED' }))
		expect(said).toMatch(/Paid in \(incomplete\) ₹ [\d,]+\.\d\d/)
		expect(foot).toMatch(/^Paid in \(incomplete\), in \d+ payments$/)
		const [unknown, none] = await read((rows) => rows.forEach((row) => Object.assign(row, { status: 'SETTLED' })))
		expect([unknown, none]).toEqual([expect.stringContaining('Paid in (incomplete) — '), undefined])
		const [blank] = await read((rows) => rows.forEach((row) => Object.assign(row, { amount: null })))
		expect(blank).toContain('Paid in (incomplete) — ')
	})

	test('lead with the sums and the last pay-in, which a list alone and a search have too', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const [last] = readTable((await visitor.visit(`${HISTORY}?table=payins`)).html, 'Pay-ins').rows
		const said = readText((await visitor.visit(HISTORY)).html)
		expect(said).toContain(`Latest ${last?.[1]} Pay-in · Success ₹ ${last?.[4]}`)
		const payouts = readText((await visitor.visit(`${HISTORY}?table=payouts`)).html)
		expect(payouts).toMatch(/Paid out ₹ /)
		expect(payouts).not.toMatch(/Pay-in ·|Paid in/)
		expect(readText((await visitor.visit(`${HISTORY}?q=nothing-like-this`)).html)).not.toContain('Paid in')
		expect(readText((await (await signedIn(opened, 'NEW001')).visit(HISTORY)).html)).not.toContain('₹ 0.00')
	})

	test('say why a pay-in failed, and that it is not in the ledger', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const rows = readTable((await visitor.visit(`${HISTORY}?table=payins`)).html, 'Pay-ins').rows.map((row) => row.join(' '))
		expect(rows.filter((row) => row.includes('Failed'))).toEqual([
			expect.stringContaining('Failed Declined by the bank. Nothing was added to your ledger.'),
		])
		expect(rows.filter((row) => row.includes('Nothing was added'))).toHaveLength(1)
	})

	test('show one list of the history when the address names it, with links to the other and to both', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const isShown = (html: string) => ['pay-ins', 'pay-outs'].map((id) => readAll(html, `section#${id}`).length === 1)
		const readViews = (html: string) =>
			parsePage(html)
				.querySelectorAll('nav[aria-label="Lists"] a')
				.map((link) => [readText(link), link.getAttribute('href'), link.getAttribute('aria-current')])
		const both = (await visitor.visit(`${HISTORY}?q=success`)).html
		expect(isShown(both)).toEqual([true, true])
		expect(readViews(both)).toEqual([
			['Both', `${HISTORY}?q=success`, 'page'],
			['Pay-ins', `${HISTORY}?q=success&table=payins`, undefined],
			['Pay-outs', `${HISTORY}?q=success&table=payouts`, undefined],
		])
		// A search that finds nothing keeps them, and leads to all rows.
		const none = (await visitor.visit(`${HISTORY}?q=nothing-like-this`)).html
		expect(readViews(none).map(([label]) => label)).toEqual(['Both', 'Pay-ins', 'Pay-outs'])
		const all = parsePage(none).querySelectorAll(`main section a[href="${HISTORY}"]`)
		expect(all.map((link) => readText(link))).toEqual(['Show all', 'Show all'])
		const since = opened.asked.length
		const payouts = (await visitor.visit(`${HISTORY}?table=payouts`)).html
		expect(isShown(payouts)).toEqual([false, true])
		expect(readViews(payouts).map(([, , current]) => current)).toEqual([undefined, undefined, 'page'])
		// The portal does not call for the other list, and a search keeps this list.
		const types = opened.asked.slice(since).flatMap(({ url }) => new URL(url).searchParams.get('type') ?? [])
		expect(types).toEqual(['payout'])
		expect(payouts).toContain('<input type="hidden" name="table" value="payouts"/>')
		expect(isShown((await visitor.visit(`${HISTORY}?table=payins`)).html)).toEqual([true, false])
		expect(isShown((await visitor.visit(`${HISTORY}?table=nonsense`)).html)).toEqual([true, true])
		expect(readViews((await (await signedIn(opened, 'NEW001')).visit(HISTORY)).html)).toEqual([])
	})

	test('show the latest rows of both lists, and all rows of one', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const readRows = (html: string, caption: string) => readTable(html, caption).rows.map(([, reference]) => reference)
		const both = (await visitor.visit(HISTORY)).html
		for (const [caption, name] of [
			['Pay-ins', 'payins'],
			['Pay-outs', 'payouts'],
		] as const) {
			const all = readRows((await visitor.visit(`${HISTORY}?table=${name}`)).html, caption)
			expect(all.length).toBeGreaterThan(10)
			expect(readRows(both, caption)).toEqual(all.slice(0, 10))
			const links = parsePage(both).querySelectorAll(`section a[href="${HISTORY}?table=${name}"]`).map(readText)
			expect(links).toEqual([`See all ${all.length} ${caption.toLowerCase()}, failed ones included`])
		}
		// The link keeps the search and the order.
		expect((await visitor.visit(`${HISTORY}?q=success&sort=amount`)).html).toContain(
			`href="${HISTORY}?q=success&amp;sort=amount&amp;table=payins">See all`,
		)
		expect(readText((await (await signedIn(opened, 'NEW001')).visit(HISTORY)).html)).not.toContain('See all')
	})

	test('save the rows that the history shows', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const csv = await (await visitor.send('/downloads/payins/csv?q=success&sort=amount')).text()
		const { html } = await visitor.visit('/funds/history?q=success&sort=amount&table=payins')
		const references = [...csv.matchAll(/PI[-\w]+/g)].map(([reference]) => reference)
		expect(references.length).toBeGreaterThan(3)
		const places = listAttributes(html, 'td a[href*="?ref=PI"], th a[href*="?ref=PI"]', 'href')
		expect(places).toEqual(references.map((reference) => `/funds/return?ref=${reference}`))
	})

	test('have a CSV of each list, searched and sorted as shown', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const readLinkedCsv = async (page: string, name: string) => {
			const { html } = await visitor.visit(page)
			const link = firstLink(html, `/downloads/${name}/csv`)
			const file = await visitor.send(link)
			expect(file.headers.get('content-disposition')).toContain(`DEMO01_${name.replace('-', '_').toUpperCase()}.csv`)
			return (await file.text()).trim().split('\r\n').slice(1)
		}
		const all = await readLinkedCsv(ADD, 'unregistered-payments')
		expect(all).toHaveLength(2)
		expect(await readLinkedCsv(`${ADD}?sort=amount`, 'unregistered-payments')).toEqual([
			expect.stringContaining(',2500.00,'),
			expect.stringContaining(',10000.00,'),
		])
		expect(await readLinkedCsv(`${ADD}?q=returned`, 'unregistered-payments')).toEqual([expect.stringContaining(',10000.00,')])
		expect(await readLinkedCsv(`${MANDATE}?q=nothing-like-it`, 'mandates')).toEqual([])
		expect(await readLinkedCsv(MANDATE, 'mandates')).toEqual([expect.stringContaining('Active')])
		expect(readText((await visitor.visit(`${MANDATE}?q=nothing-like-it`)).html)).toContain('No entries match “nothing-like-it”.')
		// A client without rows gets no search field.
		const fresh = await signedIn(opened, 'NEW001')
		for (const page of [ADD, MANDATE]) expect((await fresh.visit(page)).html).not.toContain('type="search"')
	})
})
