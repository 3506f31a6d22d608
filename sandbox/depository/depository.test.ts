import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DdpiDetails, EdisHoldings, PledgeData, PledgeRequests, PledgeTerms, StockVerifications } from '#contract/depository'
import { readEncumbrances } from '#sandbox/book/read-open-lots'
import { type Books } from '#sandbox/db/open'
import { latestCode, readOutbox, postJson, readRefusal, readReply, sign, wrongCode } from '#sandbox/testing/changes'
import { parseWhole } from '#sandbox/testing/reader'
import { createTestSandbox, openTestBooks, TEST_DAY } from '#sandbox/testing/sandbox'

let books: Books
let sandbox: ReturnType<typeof createTestSandbox>
let ask: Awaited<ReturnType<typeof sandbox.signIn>>
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())
beforeEach(async () => {
	sandbox = createTestSandbox(books)
	ask = await sandbox.signIn('DEMO01')
})
afterEach(async () => {
	await books.db.execute('DELETE FROM edis_authorisations')
	await books.db.execute('DELETE FROM otp_requests')
})

const VERIFY = '/edis/edis/v1/edis-stock-verify?source=connect'
const OTP = '/edis/edis/v1/edis-verify-otp?source=connect'
const PLEDGE = '/v1/margin_epledge?source=connect'
const KEY = 'a-key-of-one-order-0001'

const readData = async (path: string) => (await readReply(await ask(path))).data
const holdings = async () => parseWhole(EdisHoldings, await readData('/edis/edis/v1/edis-holding-data?source=connect'))
const verifications = async () => parseWhole(StockVerifications, await readData('/v1/ours/stock-verifications'))
const pledges = async () => parseWhole(PledgeData, await readData('/v1/margin_epledge_data'))
const requests = async () => parseWhole(PledgeRequests, await readData('/v1/ours/pledge-requests'))

async function freeHolding() {
	const held = (await holdings()).find(({ free_qty }) => free_qty > 10)
	if (!held) throw new Error('DEMO01 holds nothing free')
	return held
}

type Held = Awaited<ReturnType<typeof freeHolding>>
const toLine = ({ isin, stock_name, poa_qty, free_qty }: Held, qty: number) => ({ isin, qty, stock_name, poa_qty, free_qty })
const pre = (...data: object[]) => ({ client_code: 'DEMO01', eDis_type: '2', trade_type: 'PRE', post_trade_date: '', data })

/** Confirms a pledge at the depository, or ends the visit with another outcome. */
async function atDepository(response: unknown, outcome = 'confirm'): Promise<string> {
	const body = new URLSearchParams({ response: String(response), outcome })
	const answer = await sandbox.app.request('/depository', { method: 'POST', body })
	expect(answer.status).toBe(303)
	return answer.headers.get('location') ?? ''
}

async function place(action: 'pledge' | 'unpledge', lines: { isin: string; qty: number }[], key?: string) {
	const body = { client_code: 'DEMO01', action, data: lines, confirmation: true }
	const answer = await readReply(await postJson(ask, PLEDGE, body, key ? { 'idempotency-key': key } : {}))
	expect(answer.status).toBe(200)
	return answer.data as { request_id: string; esign_response: string }
}

describe('stock verification', () => {
	test('verifies units with the code, once, until the end of the session', async () => {
		const held = await freeHolding()
		const sent = await readReply(await postJson(ask, VERIFY, pre(toLine(held, 10))))
		expect([sent.status, sent.message]).toEqual([200, expect.stringMatching(/^OTP sent to \*{6}\d{4}$/)])
		const { request_id } = sent.data as { request_id: string }
		const code = await latestCode(sandbox, 'DEMO01')
		expect(await readRefusal(await postJson(ask, OTP, { otp: wrongCode(code), request_id }))).toMatchObject({
			status: 422,
			data: { attempts_left: 4 },
		})
		const done = await readReply(await postJson(ask, OTP, { otp: code, request_id }))
		expect(done).toEqual({ status: 200, message: 'Stocks verified successfully', data: [{ isin: held.isin, qty: 10, status: 'SUCCESS' }] })
		expect((await postJson(ask, OTP, { otp: code, request_id })).status).toBe(410)

		const after = (await holdings()).find(({ isin }) => isin === held.isin)
		expect(after).toMatchObject({ qty: held.qty, verified_qty: held.verified_qty + 10, free_qty: held.free_qty - 10 })
		const { verifications: live } = await verifications()
		expect(live).toEqual([expect.objectContaining({ isin: held.isin, qty: 10, trade_type: 'PRE' })])
		expect(live[0]?.valid_until.slice(11, 16)).toBe('12:00')
		// After five days it is past 17:30 in India of the next trading day, even with a weekend and a holiday.
		sandbox.passTime(5 * 86_400_000)
		ask = await sandbox.signIn('DEMO01')
		expect((await verifications()).verifications).toEqual([])
		expect((await holdings()).find(({ isin }) => isin === held.isin)?.verified_qty).toBe(0)
	})

	test('repeats the first response for the same key', async () => {
		const held = await freeHolding()
		const { data } = await readReply(await postJson(ask, VERIFY, pre(toLine(held, 5))))
		const { request_id } = data as { request_id: string }
		const body = { otp: await latestCode(sandbox, 'DEMO01'), request_id }
		const answers = await Promise.all(Array.from({ length: 20 }, () => postJson(ask, OTP, body, { 'idempotency-key': `${KEY}-otp` })))
		const texts = await Promise.all(answers.map((answer) => answer.text()))
		expect([answers.map(({ status }) => status), new Set(texts).size]).toEqual([Array(20).fill(200), 1])
		expect((await verifications()).verifications).toHaveLength(1)
	})

	test('refuses units that are not free, listed twice, not held, or of another client', async () => {
		const held = await freeHolding()
		const above = await readRefusal(await postJson(ask, VERIFY, pre(toLine(held, held.free_qty + 1))))
		expect([above.status, above.message]).toEqual([422, 'Quantity is above the free quantity'])
		expect((await postJson(ask, VERIFY, pre(toLine(held, held.free_qty)))).status).toBe(200)
		for (const qty of [0, -1, 1.5, '1']) expect((await postJson(ask, VERIFY, pre({ ...toLine(held, 1), qty }))).status).toBe(422)
		expect((await postJson(ask, VERIFY, pre(toLine(held, 1), toLine(held, 1)))).status).toBe(422)
		expect((await postJson(ask, VERIFY, pre({ ...toLine(held, 1), isin: 'INE000X01010' }))).status).toBe(422)
		expect((await postJson(ask, VERIFY, { ...pre(toLine(held, 1)), client_code: 'CASH01' })).status).toBe(403)
	})

	test('hides the requests of another client in every call', async () => {
		const held = await freeHolding()
		const { data } = await readReply(await postJson(ask, VERIFY, pre(toLine(held, 1))))
		const { request_id } = data as { request_id: string }
		const otp = await latestCode(sandbox, 'DEMO01')
		const other = await sandbox.signIn('CASH01')
		expect((await postJson(other, OTP, { otp, request_id })).status).toBe(404)
		expect((await other(`/edis/edis/v1/resend-otp?request_id=${request_id}`)).status).toBe(404)
		expect((await ask(`/edis/edis/v1/resend-otp?request_id=${request_id}`)).status).toBe(429)
		sandbox.passTime(31_000)
		const resent = await readReply(await ask(`/edis/edis/v1/resend-otp?request_id=${request_id}`))
		expect(resent).toMatchObject({ status: 200, message: expect.stringContaining('OTP sent to'), data: null })
	})

	test('fails for units that were pledged between sending and entering the code', async () => {
		const held = await freeHolding()
		const { data } = await readReply(await postJson(ask, VERIFY, pre(toLine(held, held.free_qty))))
		const { request_id } = data as { request_id: string }
		const otp = await latestCode(sandbox, 'DEMO01')
		await atDepository((await place('pledge', [{ isin: held.isin, qty: 1 }])).esign_response)
		const done = await readReply(await postJson(ask, OTP, { otp, request_id }))
		expect(done.data).toEqual([{ isin: held.isin, qty: held.free_qty, status: 'FAILED' }])
		await atDepository((await place('unpledge', [{ isin: held.isin, qty: 1 }])).esign_response)
	})
})

describe('margin pledge', () => {
	test('shows totals that are the sums of the rows', async () => {
		const { filtered_df, total } = await pledges()
		expect(filtered_df.some(({ PLEDGED_QTY }) => PLEDGED_QTY > 0)).toBe(true)
		for (const row of filtered_df) {
			expect(row.QTY).toBe(row.FREE_QTY + row.PLEDGED_QTY)
			expect(row.VALUE).toBe(Math.round(row.QTY * row.CLOSE_PRICE * 100))
		}
		expect(filtered_df.reduce((sum, row) => sum + row.VALUE, 0)).toBe(total.VALUE)
		expect(filtered_df.reduce((sum, row) => sum + row.MARGIN, 0)).toBe(total.MARGIN)
	})

	test('pledges units confirmed at the depository, charges the fee, and releases the units again', async () => {
		const before = await pledges()
		const row = before.filtered_df.find(({ FREE_QTY }) => FREE_QTY >= 10)
		if (!row) throw new Error('Nothing to pledge')
		const { fee, ask_by, confirm_by, margin_from } = parseWhole(PledgeTerms, await readData('/v1/ours/pledge-terms'))
		// A Saturday: the next batch is Monday's at 17:00, and Tuesday is a holiday.
		expect([ask_by, confirm_by, margin_from]).toEqual(['2026-11-23T11:30:00.000Z', '2026-11-23T13:30:00.000Z', '2026-11-25'])
		const { request_id, esign_response } = await place('pledge', [{ isin: row.ISIN, qty: 10 }])
		expect((await pledges()).total).toEqual(before.total)
		expect((await requests())[0]).toMatchObject({ request_id, status: 'WAITING', confirm_by, margin_from, esign_response })

		expect(await atDepository(esign_response, 'cancel')).toContain('status=cancelled')
		expect((await requests())[0]).toMatchObject({ status: 'WAITING', last_outcome: 'CANCELLED' })
		expect(await atDepository(esign_response)).toMatch(new RegExp(`/dpprocess/pledge/return\\?ref=${request_id}&status=confirmed$`))
		const after = await pledges()
		expect(after.filtered_df.find(({ ISIN }) => ISIN === row.ISIN)).toMatchObject({
			QTY: row.QTY,
			FREE_QTY: row.FREE_QTY - 10,
			PLEDGED_QTY: row.PLEDGED_QTY + 10,
		})
		expect(after.total.VALUE).toBe(before.total.VALUE)
		expect((await readOutbox(sandbox, 'DEMO01'))[0]).toMatchObject({ subject: 'Shares pledged' })
		const { rows } = await books.db.execute<{ amount: number; narration: string }>(
			`SELECT p.amount::float8 AS amount, v.narration FROM postings p JOIN vouchers v ON v.id = p.voucher_id WHERE p.client = 'DEMO01' AND v.narration LIKE 'PLEDGE CHARGES%' ORDER BY v.id DESC LIMIT 1`,
		)
		expect(rows[0]?.amount).toBe(-fee)

		await atDepository((await place('unpledge', [{ isin: row.ISIN, qty: 10 }])).esign_response)
		expect((await pledges()).filtered_df).toEqual(before.filtered_df)
		expect((await requests())[0]).toMatchObject({ action: 'unpledge', status: 'CONFIRMED', esign_response: null })
	})

	test('makes one request for one key, also for twenty posts at once, and also when the stored response is lost', async () => {
		const row = (await pledges()).filtered_df.find(({ FREE_QTY }) => FREE_QTY >= 5)
		if (!row) throw new Error('Nothing to pledge')
		const count = (await requests()).length
		const lines = [{ isin: row.ISIN, qty: 5 }]
		const placed = await Promise.all(Array.from({ length: 20 }, () => place('pledge', lines, KEY)))
		expect(new Set(placed.map(({ request_id }) => request_id)).size).toBe(1)
		await books.db.execute('DELETE FROM idempotency')
		expect((await place('pledge', lines, KEY)).request_id).toBe(placed[0]?.request_id)
		expect(await requests()).toHaveLength(count + 1)

		const movements = async () => (await readEncumbrances(books, 'DEMO01', TEST_DAY)).get(row.ISIN)?.margin ?? 0
		const was = await movements()
		await Promise.all(Array.from({ length: 20 }, () => atDepository(placed[0]?.esign_response)))
		expect((await movements()) - was).toBe(5)
		// Confirmed, then requested again with the same key: the response is the same request, and nothing else changes.
		await atDepository((await place('pledge', lines, KEY)).esign_response)
		expect((await movements()) - was).toBe(5)
		await atDepository((await place('unpledge', lines)).esign_response)
	})

	test('never pledges a unit twice: of two requests for all units, one is confirmed', async () => {
		const row = (await pledges()).filtered_df.find(({ FREE_QTY }) => FREE_QTY > 1)
		if (!row) throw new Error('Nothing to pledge')
		const lines = [{ isin: row.ISIN, qty: row.FREE_QTY }]
		const [first, second] = [await place('pledge', lines), await place('pledge', lines)]
		const backs = await Promise.all([atDepository(first.esign_response), atDepository(second.esign_response)])
		expect(backs.map((back) => new URL(back).searchParams.get('status')).sort()).toEqual(['confirmed', 'failed'])
		const failed = (await requests()).find(({ last_outcome }) => last_outcome === 'FAILED')
		expect(failed?.reason).toContain('Quantity is above the free quantity: 0')
		await atDepository((await place('unpledge', lines)).esign_response)
	})

	test('lapses when it is not confirmed in time', async () => {
		const row = (await pledges()).filtered_df.find(({ FREE_QTY }) => FREE_QTY > 1)
		const { esign_response } = await place('pledge', [{ isin: row?.ISIN ?? '', qty: 1 }])
		sandbox.passTime(5 * 86_400_000)
		ask = await sandbox.signIn('DEMO01')
		expect(await atDepository(esign_response)).toContain('status=failed')
		expect((await requests())[0]).toMatchObject({ status: 'LAPSED', esign_response: null })
	})

	test('refuses too many units, a security listed twice, none, another client, and no confirmation', async () => {
		const row = (await pledges()).filtered_df.find(({ FREE_QTY }) => FREE_QTY > 1)
		if (!row) throw new Error('Nothing to pledge')
		const good = { client_code: 'DEMO01', action: 'pledge', data: [{ isin: row.ISIN, qty: 1 }], confirmation: true }
		for (const [wrong, status] of [
			[{ data: [{ isin: row.ISIN, qty: row.FREE_QTY + 1 }] }, 422],
			[{ action: 'unpledge', data: [{ isin: row.ISIN, qty: row.PLEDGED_QTY + 1 }] }, 422],
			[{ data: [...good.data, ...good.data] }, 422],
			[{ data: [{ isin: 'INE000X01010', qty: 1 }] }, 422],
			[{ data: [] }, 422],
			[{ data: [{ isin: row.ISIN, qty: 0 }] }, 422],
			[{ data: [{ isin: row.ISIN, qty: 0.5 }] }, 422],
			[{ confirmation: false }, 422],
			[{ client_code: 'CASH01' }, 403],
		] as const)
			expect([wrong, (await postJson(ask, PLEDGE, { ...good, ...wrong })).status]).toEqual([wrong, status])
	})

	test('opens also at the address of the e-sign, and only with its token', async () => {
		const row = (await pledges()).filtered_df.find(({ FREE_QTY }) => FREE_QTY > 1)
		const { esign_response } = await place('pledge', [{ isin: row?.ISIN ?? '', qty: 1 }])
		const opened = await sandbox.app.request(`/esign?response=${esign_response}`)
		expect([opened.status, opened.headers.get('location')]).toEqual([303, `/depository?response=${esign_response}`])
		expect(await (await sandbox.app.request(`/depository?response=${esign_response}`)).text()).toContain(row?.SCRIP_NAME)
		expect((await sandbox.app.request(`/depository?response=${'x'.repeat(43)}`)).status).toBe(404)
	})
})

describe('DDPI', () => {
	const details = async () => DdpiDetails.parse(await readData('/edis/v1/detailed_file?client_code=CASH01'))
	beforeEach(async () => {
		ask = await sandbox.signIn('CASH01')
	})

	test('is a PDF, waits for its e-sign, and is active once signed', async () => {
		const { bo_id, ddpi_status, clauses } = await details()
		expect([ddpi_status, clauses.length]).toEqual(['NOT_SIGNED', 4])
		const pdf = await postJson(ask, '/edis/v1/get_pdf', { bo_id })
		expect(pdf.headers.get('content-disposition')).toBe('attachment; filename="CASH01_EDDPI.pdf"')
		expect((await pdf.text()).slice(0, 5)).toBe('%PDF-')
		expect((await postJson(ask, '/edis/v1/get_pdf', { bo_id: '1209990000100419' })).status).toBe(404)

		const first = await readReply(await ask('/edis/v1/request_esign?client_code=CASH01'))
		const second = await readReply(await ask('/edis/v1/request_esign?client_code=CASH01'))
		expect((await details()).ddpi_status).toBe('PENDING')
		expect(await sign(sandbox, first.data)).toContain('status=failed')
		expect(await sign(sandbox, second.data)).toContain('status=signed')
		expect(await details()).toMatchObject({ ddpi_status: 'ACTIVE', signed_on: TEST_DAY })
		expect((await readRefusal(await ask('/edis/v1/request_esign?client_code=CASH01'))).status).toBe(409)
		const rows = parseWhole(EdisHoldings, await readData('/edis/edis/v1/edis-holding-data?source=connect'))
		expect(rows.every(({ poa_qty, free_qty }) => poa_qty === free_qty)).toBe(true)
		expect((await ask('/edis/v1/detailed_file?client_code=DEMO01')).status).toBe(403)
	})
})
