import { afterEach, expect, test } from 'vitest'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { firstOption, hidden, listAttributes, parsePage, readText } from '#tests/support/readers'

const opened = openPortalForFile()
afterEach(() => opened.breakBroker(undefined))

/* DEMO01 has bid here as an individual. The issue has IND, HNI and EMP; the first two share one application for each PAN. */
const SAHYADRI = '/connect/ipo/SAHYAGRO'
const APPLICATIONS = '/v1/ours/ipo-applications'

async function review(visitor: Visitor, category: string, quantity = '45') {
	const { html } = await visitor.visit(SAHYADRI)
	const typed = {
		category,
		BOId: firstOption(html, 'BOId'),
		upi_id: 'me@examplebank',
		'bids[0].quantity': quantity,
		'bids[0].price': '327',
	}
	return await visitor.postRaw(SAHYADRI, { csrf: hidden(html, 'csrf'), ...typed })
}

const readChosen = (html: string) => listAttributes(html, 'select[name=category] option[selected]', 'value')
const CONFIRMED = [303, `${SAHYADRI}?dialog=confirm`]
const readOutcome = ({ status, headers }: Response) => [status, headers.get('location')]

test('a category with an application is marked, not chosen, and refused before the confirmation', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const { html } = await visitor.visit(SAHYADRI)
	const options = parsePage(html)
		.querySelectorAll('select[name=category] option')
		.map((option) => readText(option).trim())
	expect(options).toEqual([
		'Select a category',
		'Individual (up to ₹ 2 lakh): already applied',
		'High net worth (above ₹ 2 lakh): already applied as Individual',
		'Employee',
	])
	// Nothing is chosen, so that nobody bids as an employee by oversight.
	expect(readChosen(html)).toEqual([])
	// The advice for large bids is about a category that is used.
	expect(readText(html)).not.toContain('choose High net worth')
	// 675 shares at ₹ 327.00 are ₹ 2,20,725.00, an amount of the HNI category.
	for (const [category, quantity] of [
		['IND', '45'],
		['HNI', '675'],
	] as const) {
		const answer = await review(visitor, category, quantity)
		const page = parsePage(await answer.text())
		expect([answer.status, page.querySelector('select[name=category]')?.getAttribute('aria-invalid')]).toEqual([400, 'true'])
		expect(readText(page.querySelector('[role=alert]') ?? '')).toMatch(
			/You have already applied in the category Individual \(KH\d+\), and one application is taken for each PAN/,
		)
		expect(page.querySelector('dialog')).toBeNull()
	}
	const unchosen = await review(visitor, '')
	expect([unchosen.status, readText(await unchosen.text())]).toEqual([400, expect.stringContaining('There is a problem Select a category')])
	expect(readOutcome(await review(visitor, 'EMP'))).toEqual(CONFIRMED)
})

test('a client whose applications use every category gets no form, and a form of before leads to the reason', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	opened.rewriteCalls('/ipo/v1/fetch-client-details', ({ data }) => Object.assign(data as object, { categories: ['IND', 'HNI'] }))
	const page = await visitor.visit(SAHYADRI)
	expect(readText(parsePage(page.html).querySelector('main') ?? '')).toContain(
		'Apply You have applied in every category that is open to you. See live issues',
	)
	expect(parsePage(page.html).querySelector('select[name=category]')).toBeNull()
	expect(
		readOutcome(await visitor.postRaw(SAHYADRI, { csrf: hidden((await visitor.visit('/funds')).html, 'csrf'), category: 'IND' })),
	).toEqual([303, SAHYADRI])
})

test('a category is free when its application was refused, and when the portal cannot know the applications', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const isFree = async () => {
		const { html } = await visitor.visit(SAHYADRI)
		expect([readChosen(html), html.includes('already applied')]).toEqual([['IND'], false])
		expect(readOutcome(await review(visitor, 'IND'))).toEqual(CONFIRMED)
	}
	for (const change of [{ status: 'REJECTED' }, { status: 'CANCELLED' }, { mandate_status: 'EXPIRED' }]) {
		opened.rewriteCalls(APPLICATIONS, (json) => {
			for (const application of json.data as object[]) Object.assign(application, change)
		})
		await isFree()
	}
	for (const status of [500, 404]) {
		opened.breakBroker(({ url }) => (new URL(url).pathname === APPLICATIONS ? new Response('', { status }) : undefined))
		await isFree()
	}
})
