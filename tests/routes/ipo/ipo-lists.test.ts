import { expect, test } from 'vitest'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { parsePage, readAll, readHeading, readTable, readText, readTitle } from '#tests/support/readers'

const opened = openPortalForFile()

const KONKAN = '/connect/ipo/KONKANLOG'
const REPORT = '/connect/ipo/bids'

test('the lists show live and upcoming issues with their deadlines in words, and say that an unknown list does not exist', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	const live = await visitor.visit('/connect/ipo')
	expect(readHeading(live.html)).toBe('IPO')
	expect(readAll(live.html, 'caption')).toContain('Issues')
	expect(readText(live.html)).toMatch(
		/Konkan Marine Logistics Ltd\. .*₹ 142\.00 to ₹ 150\.00 100 ₹ 15,000\.00 16:30 on \d\d\/\d\d\/\d{4} 17:00 on/,
	)
	// The words of each category, not its code. Institutions have their own column beside the categories that a client can bid in.
	const demand = String.raw`Individual \d\.\d\d× · High net worth \d\.\d\d× · Shareholder of the parent company \d\.\d\d×`
	// The button to apply comes last, after what decides it.
	expect(readText(live.html)).toMatch(new RegExp(`17:00 on [\\d/]{10} ${demand} [\\d/]{10} to [\\d/]{10} \\d\\.\\d\\d× [\\d/]{10} Apply`))
	expect(readText(live.html)).toContain('Accept mandate until Subscribed Dates QIB Listing Apply')
	// A phone has the band, the minimum, the last moment and the demand below the name.
	expect(readText(live.html)).toMatch(
		new RegExp(
			`Konkan Marine Logistics Ltd\\. Minimum ₹ 15,000\\.00 Closes 16:30 on [\\d/]{10} ₹ 142\\.00 to ₹ 150\\.00, lot 100 Subscribed: ${demand} ₹ 142`,
		),
	)
	// A laptop has room for the demand but not for the days and the lot, which the minimum amount contains. The last day is also under `Bid until`.
	const widths = parsePage(live.html)
		.querySelectorAll('thead th')
		.map((head) => [readText(head), /from-\w+/.exec(head.getAttribute('class') ?? '')?.[0]])
	expect(widths).toContainEqual(['Subscribed', 'from-laptop'])
	expect(widths).toContainEqual(['Dates', 'from-wide'])
	expect(widths).toContainEqual(['Lot', 'from-wide'])
	// The days can be sorted too, not only the amounts.
	expect(readAll(live.html, 'thead a[href*="sort="]')).toEqual(expect.arrayContaining(['Bid until', 'QIB', 'Listing']))
	const sorted = readTable((await visitor.visit('/connect/ipo?sort=-until')).html, 'Issues')
	const ends = sorted.rows.map((row) => row[sorted.head.indexOf('Bid until')]?.replace(/(.*) on (\d\d)\/(\d\d)\/(\d{4})/, '$4-$3-$2 $1'))
	expect(ends).toEqual(ends.toSorted().reverse())
	// Three issues need no search.
	expect(live.html).not.toContain('name="q"')
	expect(live.html).not.toContain('Deccan Solar')
	const upcoming = await visitor.visit('/connect/ipo?condition=upcoming')
	expect(readText(upcoming.html)).toMatch(/Deccan Solar Glass Ltd\. .*₹ 14,720\.00 .*— .*Opens on \d\d\/\d\d\/\d{4}/)
	const wrong = await visitor.visit('/connect/ipo?condition=past')
	expect([wrong.status, wrong.html]).toEqual([400, expect.stringContaining('Something went wrong! Please try again later')])
	expect(wrong.html).toContain('KONKANLOG')
	expect(readText(wrong.html)).toContain('There is no such list. These are the live issues.')
	expect(wrong.html).toContain('"/downloads/ipo-issues/csv"')
	const ofUpcoming = await visitor.visit('/connect/ipo/DECSOLAR')
	// Six sessions after 20/11/2026; the exchanges are closed on 24/11/2026.
	expect(readText(ofUpcoming.html)).toContain('Bids open on 01/12/2026. See live issues')
	// The page of an issue leads back to its list.
	const currentTab = (html: string) => parsePage(html).querySelectorAll('.tab[aria-current]').map(readText)
	expect(currentTab(ofUpcoming.html)).toEqual(['Upcoming'])
	const konkan = await visitor.visit(KONKAN)
	expect(currentTab(konkan.html)).toEqual(['Live'])
	expect(readText(konkan.html)).toMatch(
		/choose High net worth: such a bid cannot be lowered or withdrawn\. High net worth closes at 16:00 on [\d/]{10}\. Not open to you: Shareholder of the parent company\./,
	)
	// A phone hides the column of the deadlines, so they stand below the names.
	const until = parsePage(konkan.html).querySelectorAll('th[data-below^="Bid until"]')
	expect(until.map((name) => name.getAttribute('data-below')?.slice(0, 15))).toEqual([
		'Bid until 16:30',
		'Bid until 16:00',
		'Bid until 16:30',
	])
	expect((await visitor.visit('/connect/ipo/NOSUCH')).status).toBe(404)
})

test('the pages lose only dates and deadlines at a broker without the optional calls', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	opened.breakBroker((request) =>
		request.url.includes('/v1/ours/') ? Response.json({ status: 'error', message: 'No such call' }, { status: 404 }) : undefined,
	)
	for (const page of ['/connect/ipo', KONKAN, REPORT]) expect([page, (await visitor.visit(page)).status]).toEqual([page, 200])
})

test.each([
	['/ipo/v1/get-ipo-details', '/connect/ipo', 'Live', 'The list of issues could not be loaded. Oops Try again', REPORT],
	['/ipo/v1/get-client-wise-bid-report', REPORT, 'Bid report', 'The bid report could not be loaded. Oops Try again', '/connect/ipo'],
])('when the broker fails at %s, %s says so and links another page', async (call, page, part, said, other) => {
	const visitor = await signedIn(opened, 'CASH01')
	opened.breakBroker((request) =>
		new URL(request.url).pathname.startsWith(call)
			? Response.json({ status: 'error', message: 'Oops', data: null }, { status: 500 })
			: undefined,
	)
	const { html, status } = await visitor.visit(page)
	const alert = parsePage(html).querySelector('main [role=alert]')
	expect([status, alert && readText(alert)]).toEqual([502, expect.stringContaining(said)])
	expect(parsePage(html).querySelectorAll('main h2').map(readText)).toContain(part)
	expect(parsePage(html).querySelectorAll(`main p a[href="${other}"]`).length).toBe(1)
})

test('an issue with a bid says what to do and leads to the bid, so that nobody applies twice', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const rowOf = (html: string, name: string) => readTable(html, 'Issues').rows.find(([issue]) => issue?.includes(name)) ?? []
	const buttons = (html: string) =>
		parsePage(html)
			.querySelectorAll('main [role=note] a.btn, table a.btn')
			.map((link) => [readText(link).trim(), link.getAttribute('href')])
	const notice = (html: string) => readText(parsePage(html).querySelector('main [role=note]') ?? '')
	const { html } = await visitor.visit('/connect/ipo')
	// One lot of 45 at 327.
	expect(notice(html)).toMatch(
		/Accept the mandate of ₹ 14,715\.00 for Sahyadri Agro Foods Ltd\. in your UPI app by 17:00 on \d\d\/\d\d\/\d{4} Otherwise the bid is void\./,
	)
	// The links to columns and files stand beside their table.
	expect(html.indexOf('Accept the mandate')).toBeLessThan(html.indexOf('/downloads/ipo-issues/csv'))
	// The row leads to the bid too, and offers no second application.
	expect(rowOf(html, 'Sahyadri').join(' ')).toMatch(/See bid$/)
	expect(parsePage(html).querySelectorAll('table a[href^="/connect/ipo/bids/"]').map(readText)).toEqual(['See bid'])
	expect(rowOf(html, 'Sahyadri').join(' ')).not.toMatch(/You have bid|Apply/)
	const listed = (await visitor.visit(REPORT)).html
	const bid = parsePage(listed)
		.querySelectorAll('table a')
		.find((link) => readText(link).includes('Sahyadri'))
		?.getAttribute('href')
	expect(buttons(html).filter(([, href]) => href === bid)).toEqual([
		['See bid : Sahyadri Agro Foods Ltd.', bid],
		['See bid', bid],
	])
	// The file has the order of the page.
	const names = readTable(html, 'Issues').rows.map(([issue = '']) => /^.*? Ltd\./.exec(issue)?.[0])
	const file = await (await visitor.send('/downloads/ipo-issues/csv')).text()
	expect(file.match(/(?<=^\d+,).*? Ltd\./gm)).toEqual(names)
	// And the words of its last column.
	expect(file).toMatch(/Sahyadri Agro Foods Ltd\..*,See bid\r?$/m)
	expect(file).toMatch(/Konkan Marine Logistics Ltd\..*,Apply\r?$/m)
	expect(await (await visitor.send('/downloads/ipo-issues/csv?condition=upcoming')).text()).toMatch(/,Opens on \d\d\/\d\d\/\d{4}\r?$/m)
	expect((await visitor.send('/downloads/ipo-issues/csv?condition=none')).status).toBe(404)
	expect(await (await visitor.send('/downloads/ipo-bids/csv')).text()).toContain(',Not yet,')
	expect(rowOf(html, 'Konkan').join(' ')).toContain('Apply')
	expect(rowOf(html, 'Konkan').join(' ')).not.toContain('You have bid')
	// Without the optional call the deadline is unknown.
	opened.breakBroker(({ url }) => (url.includes('/v1/ours/ipo-app') ? Response.json({ status: 'error' }, { status: 404 }) : undefined))
	expect(notice((await visitor.visit('/connect/ipo')).html)).toContain(
		'Accept the mandate of ₹ 14,715.00 for Sahyadri Agro Foods Ltd. in your UPI app Otherwise',
	)
	// The list works without the bids, and says that they are missing.
	opened.breakBroker(({ url }) => (url.includes('bid-report') ? Response.json({ status: 'error' }, { status: 500 }) : undefined))
	const without = await visitor.visit('/connect/ipo')
	expect([without.status, readText(without.html)]).toEqual([
		200,
		expect.stringContaining('Your bids for these issues could not be loaded.'),
	])
	expect(buttons(without.html).flatMap(([words]) => (words === 'Apply' ? [words] : []))).toHaveLength(3)
	expect((await visitor.visit(REPORT)).status).toBe(502)
})

test('a price with a comma stays in its column of the file', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	opened.rewriteCalls('/ipo/v1/get-ipo-details', (json) => {
		for (const issue of json.data as object[]) Object.assign(issue, { min_price: 1310, max_price: 1327 })
	})
	const file = await (await visitor.send('/downloads/ipo-issues/csv')).text()
	opened.breakBroker(undefined)
	const [heads = '', ...lines] = file.trim().split('\r\n')
	expect(lines).toHaveLength(3)
	for (const line of lines) {
		expect(line).toContain(',"₹ 1,310.00 to ₹ 1,327.00",')
		expect(line.replaceAll(/"[^"]*"/g, '').split(',')).toHaveLength(heads.split(',').length)
	}
})

test('offers no file of an empty bid report', async () => {
	const countFiles = async (client: string) => {
		const { html } = await (await signedIn(opened, client)).visit('/connect/ipo/bids')
		return parsePage(html).querySelectorAll('a[href^="/downloads/ipo-bids"]').length
	}
	expect([await countFiles('NEW001'), await countFiles('DEMO01')]).toEqual([0, 1])
})

test('a bid opens whatever its application number and its name are, and its own words stay as they are', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	opened.rewriteCalls('/ipo/v1/get-client-wise-bid-report', (json) => {
		const [first, ...others] = json.data as Record<string, unknown>[]
		Object.assign(first ?? {}, { application_no: 'NSE/26/001?a#1%', name: '', mandate_status: 'WAITING_NPCI' })
		json.data = [first, ...others.filter((each) => each.application_no !== first?.application_no)]
	})
	const { html } = await visitor.visit(REPORT)
	const link = parsePage(html)
		.querySelectorAll('tbody a')
		.find((each) => readText(each) === 'NSE/26/001?a#1%')
	expect(link?.getAttribute('href')).toBe(`${REPORT}/NSE%2F26%2F001%3Fa%231%25`)
	expect(html).not.toContain('wAITING_NPCI')
	const bid = await visitor.visit(link?.getAttribute('href') ?? '')
	expect([bid.status, readText(bid.html)]).toEqual([200, expect.stringContaining('NSE/26/001?a#1%')])
	opened.breakBroker(undefined)
})

test('the list of issues names the issue of a mandate when the bid report does not', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	opened.rewriteCalls('/ipo/v1/get-client-wise-bid-report', (json) => {
		for (const bid of json.data as object[]) Object.assign(bid, { name: '' })
	})
	const { html } = await visitor.visit('/connect/ipo')
	const notice = parsePage(html).querySelector('main [role=note]')
	expect(readText(notice ?? '')).toContain('Accept the mandate of ₹ 14,715.00 for Sahyadri Agro Foods Ltd. in')
})

test('an issue that takes no bids any more keeps its heading, and leads to the bids and to the live issues', async () => {
	// DEMO01 has bid for it, and it closed yesterday.
	const visitor = await signedIn(opened, 'DEMO01')
	const { status, html } = await visitor.visit('/connect/ipo/ARAVLIFIN')
	expect([status, readAll(html, 'h1'), readTitle(html)]).toEqual([404, ['IPO'], expect.stringMatching(/^IPO/)])
	const text = readText(parsePage(html).querySelector('main') ?? '')
	expect(text).toContain('There is no such issue, or it no longer takes bids.')
	expect(text).not.toContain('Page not found')
	const links = parsePage(html).querySelectorAll('main li a')
	expect(links.map((link) => [readText(link), link.getAttribute('href')])).toEqual([
		['See bid report', '/connect/ipo/bids'],
		['See live issues', '/connect/ipo'],
		['Go to Dashboard', '/dashboard'],
	])
})
