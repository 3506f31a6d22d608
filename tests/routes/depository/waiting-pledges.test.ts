import { expect, test } from 'vitest'
import { readText } from '#tests/support/account'
import { atDepository, confirm, listRequests, PLEDGE, rowWith } from '#tests/support/depository'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { parsePage, readAll, readTable } from '#tests/support/readers'

const opened = openPortalForFile()

/** Requests a pledge, which then waits at the depository. */
async function ask(visitor: Visitor, isin: string, qty: string): Promise<Response> {
	const answer = await visitor.post(PLEDGE, PLEDGE, { action: 'pledge', [`qty.${isin}`]: qty })
	return await confirm(visitor, answer.headers.get('location') ?? '')
}

test('lists above the form the pledges that wait for a confirmation, with links', async () => {
	const visitor = await signedIn(opened, 'CLOS01')
	const { isin, limit } = await rowWith(visitor, PLEDGE, 'Free')
	expect(limit).toBeGreaterThan(2)
	const listNotes = async () =>
		parsePage((await visitor.visit(PLEDGE)).html)
			.querySelectorAll('main [role=note]')
			.map((note) => [readText(note), note.querySelector('a')?.getAttribute('href')])
	expect(await listNotes()).toEqual([])
	const lefts: Response[] = []
	for (const qty of ['1', '2']) lefts.push(await ask(visitor, isin, qty))
	const refs = await listRequests(visitor)
	const until = String.raw`by \d\d:\d\d (today|tomorrow|on \d\d/\d\d/\d{4})\.`
	const two = await listNotes()
	expect(new Set(two.map(([, href]) => href))).toEqual(new Set(refs.map((ref) => `${PLEDGE}/return?ref=${ref}&begin=1`)))
	for (const qty of ['1', '2'])
		expect(two.map(([words]) => words)).toContainEqual(
			expect.stringMatching(new RegExp(`^Confirm the pledge of ${qty} \\w.+ ${until} Confirm the pledge$`)),
		)
	// One main button in the notes, that of the nearest deadline.
	expect(readAll((await visitor.visit(PLEDGE)).html, 'main [role=note] a.btn-primary')).toEqual(['Confirm the pledge'])
	// More than two lines would push the form off the screen.
	lefts.push(await ask(visitor, isin, '3'))
	expect(await listNotes()).toEqual([
		[expect.stringMatching(new RegExp(`^3 requests wait for your confirmation, the first ${until} See them$`)), '#requests'],
	])
	expect((await visitor.visit(PLEDGE)).html).toContain('<section id="requests"')
	for (const left of lefts) await atDepository(visitor, left)
	expect(await listNotes()).toEqual([])
})

/** The broker's list of requests, with its first request changed like this. */
const changeFirst = (change: object) =>
	opened.rewriteCalls('/v1/ours/pledge-requests', (json) => void Object.assign((json.data as object[])[0] ?? {}, change))

test('shows a status that we do not know as the broker wrote it, and asks for no confirmation', async () => {
	const visitor = await signedIn(opened, 'DEBT01')
	const { isin } = await rowWith(visitor, PLEDGE, 'Free')
	await ask(visitor, isin, '1')
	const [ref] = await listRequests(visitor)
	changeFirst({ status: 'REJECTED', esign_response: null, reason: 'The depository is closed.' })
	const { html } = await visitor.visit(`${PLEDGE}/return?ref=${ref}`)
	const text = readText(html)
	expect(readAll(html, 'main [role=note], main [role=status], main [role=alert]').join(' ')).toContain(
		`The depository is closed. The broker states the status REJECTED. Reference ${ref}.`,
	)
	expect(text).not.toMatch(/can confirm|not been confirmed|Confirm at the depository/)
	expect(readText((await visitor.visit(PLEDGE)).html)).toContain('REJECTED')
	// Without the moment of the confirmation, the deadline is not shown in its place.
	changeFirst({ status: 'CONFIRMED', esign_response: null, ended_at: null })
	expect(readText((await visitor.visit(`${PLEDGE}/return?ref=${ref}`)).html)).toMatch(/ Confirmed\. It counts as margin from [\d/]{10}\. /)
})

test('does not continue the pledge of funded shares in place of a margin pledge of the same units', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	const { isin } = await rowWith(visitor, PLEDGE, 'Free')
	await ask(visitor, isin, '2')
	const calls = () => opened.asked.filter(({ url }) => new URL(url).pathname === '/v1/margin_epledge').length
	const before = calls()
	changeFirst({ purpose: 'MTF' })
	const review = await visitor.visit(`${PLEDGE}/review?action=pledge&${isin}=2`)
	expect(readText(review.html)).not.toContain('You have asked for exactly this already')
	await ask(visitor, isin, '2')
	expect(calls()).toBe(before + 1)
	// A margin pledge of the same units is continued.
	opened.breakBroker(undefined)
	await ask(visitor, isin, '2')
	expect(calls()).toBe(before + 1)
})

test('says nothing of a request whose action or securities it does not know', async () => {
	const visitor = await signedIn(opened, 'CLOS01')
	const { isin } = await rowWith(visitor, PLEDGE, 'Free')
	const left = await ask(visitor, isin, '3')
	const [ref] = await listRequests(visitor)
	const readRequest = async () => {
		const { html } = await visitor.visit(PLEDGE)
		const { head, rows } = readTable(html, 'Pledge requests')
		const row = rows.find((cells) => cells[0]?.startsWith(ref ?? '')) ?? []
		return {
			notes: readAll(html, 'main [role=note]').join(' '),
			cells: Object.fromEntries(['Request', 'Securities', 'Quantity', 'Margin'].map((name) => [name, row[head.indexOf(name)]])),
		}
	}
	changeFirst({ action: 'FREEZE' })
	const unknown = await readRequest()
	expect(unknown.cells).toMatchObject({ Request: 'FREEZE', Quantity: '3' })
	expect(unknown.notes).toMatch(/Confirm the request for 3 \w.+ by /)
	changeFirst({ action: 'FREEZE', status: 'CONFIRMED' })
	const confirmed = readText((await visitor.visit(`${PLEDGE}/return?ref=${ref}`)).html)
	expect(confirmed).toContain('Request confirmed')
	expect(confirmed).not.toMatch(/counts as margin|are free/)

	// A line that could not be read: no figure of the request is known, and an order for the other lines is not this request.
	const [line] = [{ isin, stock_name: 'Held Ltd.', qty: 3, margin: 100 }]
	changeFirst({ lines: [{ ...line, qty: 'three' }] })
	const none = await readRequest()
	expect(none.cells).toEqual({ Request: 'Pledge', Securities: '—', Quantity: '—', Margin: '—' })
	expect(none.notes).toMatch(/Confirm the pledge by /)
	expect(none.notes).not.toContain('0 securities')
	changeFirst({ lines: [line, { ...line, isin: 'INE002A01018', qty: null }] })
	expect((await readRequest()).cells).toEqual({ Request: 'Pledge', Securities: 'Held Ltd.', Quantity: '—', Margin: '—' })
	expect(readText((await visitor.visit(`${PLEDGE}/return?ref=${ref}`)).html)).toContain('Total (incomplete)')
	const review = await visitor.visit(`${PLEDGE}/review?action=pledge&${isin}=3`)
	expect(readText(review.html)).not.toContain('You have asked for exactly this already')
	opened.breakBroker(undefined)
	await atDepository(visitor, left)
})

test('says when the broker sells funded shares whose pledge waits, if that is known', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const readNote = async () => readAll((await visitor.visit(PLEDGE)).html, 'main [role=note]')[0]
	const asks = () => opened.asked.filter(({ url }) => new URL(url).pathname === '/v1/ours/mtf-facts').length
	// Bought on Friday, 20/11/2026. 24/11 is a holiday, so the fifth trading day after it is 30/11.
	expect(await readNote()).toContain('If you do not confirm it, the broker sells these shares at 09:15 on 30/11/2026.')
	opened.failCalls('/v1/ours/mtf-facts', () => Response.json({}, { status: 500 }))
	expect(await readNote()).toContain('the broker sells these shares a few days later. MTF in the menu shows when.')
	// Nobody asks for a client without such a pledge.
	const cash = await signedIn(opened, 'CASH01')
	const before = asks()
	await cash.visit(PLEDGE)
	expect(asks()).toBe(before)
})
