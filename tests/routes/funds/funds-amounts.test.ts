import { expect, test } from 'vitest'
import { hidden, readText } from '#tests/support/account'
import { ADD } from '#tests/support/funds'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { listAttributes, parsePage } from '#tests/support/readers'

/* Amounts that links fill in on Add funds. */

const opened = openPortalForFile()

test('a link fills in a suggested amount within the limits; another value in the address fills in nothing', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	const { html } = await visitor.visit(ADD)
	const suggested = parsePage(html).querySelectorAll('a[href^="?amount="]')
	expect(suggested.map((link) => [link.getAttribute('href'), readText(link)])).toEqual([
		['?amount=5000', '₹ 5,000'],
		['?amount=10000', '₹ 10,000'],
		['?amount=25000', '₹ 25,000'],
		['?amount=50000', '₹ 50,000'],
	])
	const readAmount = async (query: string) =>
		listAttributes((await visitor.visit(`${ADD}${query}`)).html, 'input[name="amount"][inputmode="decimal"]', 'value')
	expect(await readAmount('?amount=25000')).toEqual(['25000'])
	expect(await readAmount('?amount=1e9')).toEqual([''])
})

test('a debt is the first amount, and fills in its segment and a mode that takes it', async () => {
	const visitor = await signedIn(opened, 'DEBT01')
	const { html } = await visitor.visit(ADD)
	const owed = /You owe ₹ ([\d,.]+\.\d\d) on Equity/.exec(readText((await visitor.visit('/dashboard')).html))?.[1] ?? ''
	const plain = owed.replaceAll(',', '').replace(/\.00$/, '')
	const [first] = parsePage(html).querySelectorAll('a[href*="?amount="]')
	expect([readText(first ?? html), first?.getAttribute('href')]).toEqual([`All you owe: ₹ ${owed}`, `/funds?amount=${plain}&segment=BSE`])
	expect(hidden(html, 'amount')).toBe('')
	const readForm = async (query: string) => {
		const page = parsePage((await visitor.visit(`${ADD}${query}`)).html)
		return ['amount', 'segment', 'mode'].map((name) =>
			page.querySelector(`form[id^=add-funds] [name=${name}]:is([checked],:not([type=radio]))`)?.getAttribute('value'),
		)
	}
	expect(await readForm(`?amount=${plain}&segment=BSE`)).toEqual([plain, 'BSE', 'upi'])
	expect(await readForm('?amount=500000.01')).toEqual(['500000.01', 'BSE', 'netbanking'])
	expect(await readForm('?amount=100000&segment=NSE')).toEqual(['100000', 'BSE', 'upi'])
	const demo = await signedIn(opened, 'DEMO01')
	const isMcx = parsePage((await demo.visit(`${ADD}?amount=500&segment=MCX`)).html).querySelector(
		'form[id^=add-funds] [name=segment][value=MCX]',
	)
	expect(isMcx?.hasAttribute('checked')).toBe(true)
	expect(readText((await demo.visit(ADD)).html)).not.toContain('All you owe')
})
