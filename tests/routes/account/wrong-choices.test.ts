import { expect, test } from 'vitest'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { parsePage, readText } from '#tests/support/readers'

/* A screen reader learns from the question itself that its answer is wrong, and why. */

const opened = openPortalForFile()

test('radio buttons without a choice are a group that is marked wrong and described by the error', async () => {
	const visitor = await signedIn(opened, 'NEW001')
	const CLOSURE = '/myaccount/closure'
	const readGroups = (html: string) => {
		const page = parsePage(html)
		return page.querySelectorAll('fieldset[role=radiogroup]').map((group) => {
			const described = group.getAttribute('aria-describedby')
			const error = described && readText(page.getElementById(described) ?? '')
			return [readText(group.querySelector('legend') ?? ''), group.getAttribute('aria-invalid'), error]
		})
	}
	expect(readGroups((await visitor.visit(CLOSURE)).html)).toEqual([
		['Close', undefined, undefined],
		['Holdings', undefined, undefined],
	])
	const refused = await visitor.post(CLOSURE, CLOSURE, { reason: 'Service', close: '', holdings: 'close' })
	expect(readGroups(await refused.text())).toEqual([
		['Close', 'true', 'Error: Select what to close'],
		['Holdings', undefined, undefined],
	])
})

test('checkboxes without a choice are each marked wrong, and their group is described by the error', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	for (const [address, fields, name, error] of [
		['/myaccount/segments', {}, 'segment', 'Error: Select a segment to activate'],
		['/funds/withdraw', { amount: '100' }, 'ledgers', expect.stringMatching(/^Error: /)],
	] as const) {
		const readBoxes = (html: string) => parsePage(html).querySelectorAll(`input[type=checkbox][name=${name}]:not([disabled])`)
		const before = readBoxes((await visitor.visit(address)).html)
		expect(before.length, address).toBeGreaterThan(0)
		expect(before.map((box) => box.getAttribute('aria-invalid')).filter(Boolean)).toEqual([])
		const html = await (await visitor.post(address, address, fields)).text()
		const boxes = readBoxes(html)
		expect(boxes.map((box) => box.getAttribute('aria-invalid'))).toEqual(before.map(() => 'true'))
		const described = boxes[0]?.closest('fieldset')?.getAttribute('aria-describedby') ?? ''
		expect(readText(parsePage(html).getElementById(described) ?? '')).toEqual(error)
	}
})
