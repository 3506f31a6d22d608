import { expect, test } from 'vitest'
import { readText } from '#tests/support/account'
import { BROKERS_DAY } from '#tests/support/brokers-day'
import { parseCount, PLEDGE, readFormRows } from '#tests/support/depository'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { listAttributes, parsePage, readAll, readCsv } from '#tests/support/readers'

/* The list of what can be pledged: its order, what each row gives, its bar, and the deadlines above it. */

const opened = openPortalForFile()

const answer = (data: unknown) => Response.json({ status: 'success', message: 'Fetched', data })

/** A phone shows the haircut below the figure: `33,186.30 haircut 15 %`. */
const readOffer = (text = '') => /^[\d,.]+/.exec(text)?.[0]

function row(ISIN: string, SCRIP_NAME: string, figures: Record<string, number>) {
	const { FREE_QTY = 0, PLEDGED_QTY = 0, CLOSE_PRICE = 100 } = figures
	const QTY = FREE_QTY + PLEDGED_QTY
	return { ISIN, SCRIP_NAME, QTY, FREE_QTY, PLEDGED_QTY, CLOSE_PRICE, VALUE: QTY * CLOSE_PRICE, MARGIN: 0, HAIRCUT: 15, ...figures }
}

const readFree = parseCount

test('says what the free units of each row give, as the review counts it', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const { html } = await visitor.visit(PLEDGE)
	const rows = readFormRows(html).filter(({ cells }) => readFree(cells.Free) > 0)
	expect(rows.length).toBeGreaterThan(3)
	for (const { isin, cells } of rows.slice(0, 4)) {
		const review = await visitor.visit(`${PLEDGE}/review?action=pledge&${isin}=${readFree(cells.Free)}`)
		expect(readText(review.html)).toContain(`Total ${readOffer(cells.Gives)} `)
	}
	const paise = rows.map(({ cells }) => Math.round(parseCount(readOffer(cells.Gives)) * 100))
	const sum = paise.reduce((total, each) => total + each, 0) / 100
	const shown = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2 }).format(sum)
	expect(readAll(html, 'tfoot')[0]).toContain(` ${shown} `)
	expect(readText(html)).toContain(`All free shares would add ₹ ${shown} `)
	// The file has the same figures in the same order, and its zeros.
	const [head = [], ...lines] = readCsv(await (await visitor.send('/downloads/depository/margin-pledge?sort=gives')).text())
	const given = lines.map((line) => Number(line[head.indexOf('Gives')]))
	expect(given).toEqual(given.toSorted((a, b) => a - b))
	expect(given.filter((each) => each > 0).map((each) => Math.round(each * 100))).toEqual(paise.toSorted((a, b) => a - b))
	const ascending = readFormRows((await visitor.visit(`${PLEDGE}?sort=gives`)).html).filter(({ cells }) => readFree(cells.Free) > 0)
	expect(ascending.map(({ cells }) => Math.round(parseCount(readOffer(cells.Gives)) * 100))).toEqual(paise.toSorted((a, b) => a - b))
})

test('lists by name, offers nothing for a row without free units, and leaves out the kind when the broker does not say it', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const filtered_df = [
		row('INE467B01029', 'Tata Consultancy', { PLEDGED_QTY: 5 }),
		row('INE245A01021', 'TATA Power', { FREE_QTY: 0.5, PLEDGED_QTY: 1 }),
		// 29 × 1,346.30 = 39,042.70, less 15 % is 33,186.295.
		row('INE238A01034', 'Axis Bank', { FREE_QTY: 29, CLOSE_PRICE: 1346.3 }),
	]
	opened.breakBroker((request) =>
		request.url.includes('/v1/margin_epledge_data')
			? answer({ filtered_df, total: { VALUE: 0, MARGIN: 0, PLEDGED_VALUE: 0 } })
			: request.url.includes('/v1/ours/')
				? Response.json({ status: 'error', message: 'No such call' }, { status: 404 })
				: undefined,
	)
	const { html } = await visitor.visit(PLEDGE)
	expect(readFormRows(html).map(({ cells }) => cells.Name)).toEqual([
		'Axis Bank INE238A01034 29 free',
		'Tata Consultancy INE467B01029 0 free, 5 pledged',
		'TATA Power INE245A01021 0.5 free, 1 pledged',
	])
	expect(readFormRows(html).map(({ cells }) => cells.Gives)).toEqual(['33,186.30 haircut 15 %', '0.00 haircut 15 %', '0.00 haircut 15 %'])
	expect(Object.keys(readFormRows(html)[0]?.cells ?? {})).not.toContain('Kind')
	const lines = (await (await visitor.send('/downloads/depository/margin-pledge')).text()).trim().split('\r\n')
	expect(lines.map((line) => line.split(',')[1])).toEqual(['Name', 'Axis Bank', 'Tata Consultancy', 'TATA Power'])
})

test('while few rows are pledged, their units and margin stand below their names, and their columns need more width', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const pledged = row('INE467B01029', 'Tata Consultancy', { FREE_QTY: 1, PLEDGED_QTY: 5, MARGIN: 425 })
	const free = row('INE238A01034', 'Axis Bank', { FREE_QTY: 29 })
	const read = async (filtered_df: object[]) => {
		opened.breakBroker((request) =>
			request.url.includes('/v1/margin_epledge_data')
				? answer({ filtered_df, total: { VALUE: 0, MARGIN: 425, PLEDGED_VALUE: 500 } })
				: undefined,
		)
		const page = parsePage((await visitor.visit(PLEDGE)).html)
		const wide = page.querySelectorAll('table.filled-in thead .from-wide').map((head) => readText(head).trim())
		return { wide, names: page.querySelectorAll('table.filled-in tbody th').map((name) => name.text) }
	}
	const few = await read([pledged, free, { ...free, ISIN: 'INE245A01021', SCRIP_NAME: 'Tata Power' }])
	expect(few.wide).toEqual(['Pledged', 'Margin (₹)', 'Kind'])
	// The units are said once.
	expect(few.names).toContain('Tata Consultancy INE467B01029 1 free, 5 pledged: margin ₹ 425.00')
	expect(few.names).toContain('Axis Bank INE238A01034 29 free')
	const worthless = row('INE467B01029', 'Tata Consultancy', { FREE_QTY: 1, PLEDGED_QTY: 1, MARGIN: 0 })
	expect((await read([worthless, free, { ...free, ISIN: 'INE245A01021' }])).names).toContain(
		'Tata Consultancy INE467B01029 1 free, 1 pledged: margin ₹ 0.00',
	)
	const many = await read([pledged, free])
	expect(many.wide).toEqual(['Kind'])
	expect(many.names).toContain('Tata Consultancy INE467B01029 1 free, 5 pledged')
})

test('has the rows of its file in the order of the page', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	for (const query of ['', '?sort=-value', '?sort=name', '?sort=counts']) {
		const listed = readFormRows((await visitor.visit(PLEDGE + query)).html).map(({ isin }) => isin)
		const file = await (await visitor.send(`/downloads/depository/margin-pledge${query}`)).text()
		expect([query, file.match(/\bIN[A-Z0-9]{10}\b/g)]).toEqual([query, listed])
	}
})

test('begins with the margin of now and what all free shares would add, also while a search shows fewer rows', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const rows = [
		row('INE467B01029', 'Tata Consultancy', { FREE_QTY: 10, PLEDGED_QTY: 5 }),
		row('INE238A01034', 'Axis Bank', { FREE_QTY: 20.5, CLOSE_PRICE: 50 }),
	]
	let filtered_df: unknown[] = rows
	opened.breakBroker((request) =>
		request.url.includes('/v1/margin_epledge_data')
			? answer({ filtered_df, total: { VALUE: 0, MARGIN: 425, PLEDGED_VALUE: 0 } })
			: undefined,
	)
	// Less 15 %: 10 × 100 is 850, 20 × 50 is 850.
	const answers = 'Margin from your pledges ₹ 425.00 All free shares would add ₹ 1,700.00 '
	expect(readText((await visitor.visit(PLEDGE)).html)).toContain(answers)
	const found = await visitor.visit(`${PLEDGE}?q=axis`)
	expect(readText(found.html)).toContain(answers)
	expect(readFormRows(found.html).map(({ cells }) => cells.Gives)).toEqual(['850.00 haircut 15 %'])
	filtered_df = [...rows, { ISIN: 'INE245A01021' }]
	const unread = readText((await visitor.visit(PLEDGE)).html)
	expect(unread).toContain('Margin from your pledges ₹ 425.00')
	expect(unread).not.toContain('All free shares would add')
	filtered_df = []
	expect(readText((await visitor.visit(PLEDGE)).html)).not.toContain('Margin from your pledges')
})

test('shows the sums in the bar with the button only when a quantity is filled in', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const { html } = await visitor.visit(PLEDGE)
	expect(readAll(html, 'form .chosen [role=status]')).toEqual(['Type how many to pledge or unpledge'])
	expect(readText(html)).toContain('None of it counts as cash. Half of the margin held overnight must be cash.')
	const [first] = readFormRows(html).filter(({ cells }) => readFree(cells.Free) > 0)
	const filled = await visitor.visit(`${PLEDGE}?action=pledge&${first?.isin}=${parseCount(first?.cells.Free)}`)
	expect(readAll(filled.html, 'form .chosen [role=status]')).toEqual([
		expect.stringMatching(`^Margin added ₹ ${readOffer(first?.cells.Gives)} Total margin after ₹ [\\d,.]+ Fee ₹ 23\\.60$`),
	])
	// More than are free is refused, so it is in no sum.
	const above = await visitor.visit(`${PLEDGE}?action=pledge&${first?.isin}=${parseCount(first?.cells.Free) + 1}`)
	expect(readAll(above.html, 'form .chosen [role=status]')).toEqual([expect.stringMatching(/^Margin added ₹ 0\.00 .* Fee ₹ 0\.00$/)])
})

test('names the day of both deadlines once when it is the same', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const told = { fee: 23.6, max_securities: 10, margin_from: '2031-03-05', cash_equivalents: [] }
	const cases = [
		[`${BROKERS_DAY}T17:00:00+05:30`, `${BROKERS_DAY}T19:00:00+05:30`, 'request by 17:00 and confirm by 19:00 today'],
		[`${BROKERS_DAY}T17:00:00+05:30`, '2031-03-04T19:00:00+05:30', 'request by 17:00 today and confirm by 19:00 on 04/03/2031'],
		['2031-03-04T17:00:00+05:30', '2031-03-04T19:00:00+05:30', 'request by 17:00 and confirm by 19:00 on 04/03/2031'],
		['2031-03-04T17:00:00+05:30', '2031-03-05T00:00:00+05:30', 'request by 17:00 on 04/03/2031 and confirm by the end of 04/03/2031'],
	]
	for (const [ask = '', confirm = '', words] of cases) {
		const terms = { ...told, ask_by: new Date(ask).toISOString(), confirm_by: new Date(confirm).toISOString() }
		opened.breakBroker((request) => (request.url.includes('/v1/ours/pledge-terms') ? answer(terms) : undefined))
		const text = readText((await visitor.visit(PLEDGE)).html)
		expect(text.match(/the margin counts from [\d/]{10}/g)).toEqual(['the margin counts from 05/03/2031'])
		expect(text).toContain(`New pledges: ${words}; the margin counts from 05/03/2031.`)
	}
})

test('a form with nothing typed leads to its first field, and has the message at the table too', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const page = parsePage(await (await visitor.post(PLEDGE, PLEDGE, { action: 'pledge' })).text())
	const words = 'Enter a quantity to pledge'
	const links = page.querySelectorAll('[role=alert] a')
	expect(links.map(readText)).toEqual([words])
	const field = page.querySelector('form table input[name^="qty."]')
	expect([field?.getAttribute('aria-invalid'), `#${field?.id}`]).toEqual(['true', links[0]?.getAttribute('href')])
	const messages = page.querySelectorAll('form#pledge p[id$="-error"]')
	expect(messages.map(({ id }) => id)).toEqual([field?.getAttribute('aria-describedby')])
	expect(messages.map(readText)).toEqual([expect.stringContaining(words)])
})

test('a release lists only what is pledged, and the margin that it takes', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const { html } = await visitor.visit(`${PLEDGE}?action=unpledge`)
	expect(listAttributes(html, 'input[name="action"][checked]', 'value')).toEqual(['unpledge'])
	// Less 15 %: 60 × 723.25 and 150 × 234.40.
	const pledged = [
		['HDFC Bank Ltd.', '60', '36,885.75'],
		['ITC Ltd.', '150', '29,886.00'],
	]
	const list = (page: string) =>
		readFormRows(page).map(({ cells }) => [/^.*?Ltd\./.exec(cells.Name ?? '')?.[0], cells.Pledged, cells.Releases?.split(' ')[0]])
	expect(list(html)).toEqual(pledged)
	expect(readAll(html, 'form table tfoot tr')).toEqual(['Total 66,771.75'])
	expect(Object.keys(readFormRows(html)[0]?.cells ?? {})).toEqual([
		...['#', 'Name', 'Pledged', 'Haircut', 'Releases', 'Quantity', 'Close', 'Kind'],
	])
	// What was typed without scripts in another row keeps its row, with the message.
	const { isin = '' } = readFormRows((await visitor.visit(PLEDGE)).html).find(({ cells }) => cells.Name?.startsWith('Reliance')) ?? {}
	const wrong = await (await visitor.post(PLEDGE, PLEDGE, { action: 'unpledge', [`qty.${isin}`]: '5' })).text()
	expect(readFormRows(wrong).map(({ isin: each, typed }) => [each === isin, typed])).toEqual(expect.arrayContaining([[true, '5']]))
	expect(readFormRows(wrong).length).toBe(3)
	expect(readText(wrong)).toContain('You can unpledge up to 0 of')
	// Nothing typed leads to the first field that is shown.
	const none = parsePage(await (await visitor.post(PLEDGE, PLEDGE, { action: 'unpledge' })).text())
	const links = none.querySelectorAll('[role=alert] a')
	expect(links.map(readText)).toEqual(['Enter a quantity to unpledge'])
	expect(none.querySelector(links[0]?.getAttribute('href') ?? '')?.getAttribute('name')).toMatch(/^qty\./)
	// A client without pledges.
	const cash = await signedIn(opened, 'CASH01')
	expect(readText((await cash.visit(`${PLEDGE}?action=unpledge`)).html)).toContain('None of your securities is pledged.')
})
