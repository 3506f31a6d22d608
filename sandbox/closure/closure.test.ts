import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ClosureDetails, ClosureTasks } from '#contract/closure'
import { envelope } from '#contract/common'
import { LedgerReport } from '#contract/ledger'
import { type Books } from '#sandbox/db/open'
import { closures, esigns, outbox, payouts, pledgeRequests } from '#sandbox/db/schema'
import { listChanges, toChangeRequest } from '#sandbox/modifications/requests'
import { parseWhole } from '#sandbox/testing/reader'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

let books: Books
let sandbox: ReturnType<typeof createTestSandbox>
type Ask = Awaited<ReturnType<typeof sandbox.signIn>>
let clos: Ask
beforeAll(async () => {
	books = await openTestBooks()
	sandbox = createTestSandbox(books, { PUBLIC_URL: 'https://portal.test' })
	clos = await sandbox.signIn('CLOS01')
})
beforeEach(async () => {
	await books.db.delete(closures)
	await books.db.delete(esigns)
	await books.db.delete(outbox)
})
afterAll(() => books.close())

const readDetails = async (ask: Ask) =>
	parseWhole(envelope(ClosureDetails), await (await ask('/v1/acc-closing-details', { method: 'POST', body: '{}' })).json()).data
const readTasks = async (ask: Ask) => parseWhole(envelope(ClosureTasks), await (await ask('/v1/ours/closure-tasks')).json()).data
const openKinds = async (ask: Ask) => (await readTasks(ask)).tasks.filter((task) => !task.is_done).map(({ kind }) => kind)

const PDF = new File(['%PDF-1.4 a client master'], 'master.pdf', { type: 'application/pdf' })
const PNG = new File([Buffer.from('\u0089PNG\r\n\u001A\n picture', 'latin1')], 'sign.png', { type: 'image/png' })

function transfer(ask: Ask, more: Record<string, string | File> = {}, closeIn = 'CDSL') {
	const form = new FormData()
	const fields = {
		client_code: 'CLOS01',
		reason: 'Moving to another broker',
		clouser_for: 'Trading and Demat',
		account_type: 'CDSL',
		cdsl_bo_id: '1300000000200815',
		nsdl_bo_id: '',
		client_master: PDF,
		signature: PNG,
		...more,
	}
	for (const [name, value] of Object.entries(fields)) form.set(name, value)
	return sandbox.app.request(`/v1/acc-closing-with-transfer-esign-proccess?close_in=${closeIn}`, {
		method: 'POST',
		body: form,
		headers: { 'auth-token': ask.token, 'client-code': 'CLOS01' },
	})
}

function visitProvider(response: string, outcome: string) {
	return sandbox.app.request('/esign', { method: 'POST', body: new URLSearchParams({ response, outcome }) })
}
const signed = async (answer: Response) => ((await answer.json()) as { data: string }).data

describe('the blocking tasks', () => {
	test('use the ledger’s own balance, to the paisa, and sum as the contract says', async () => {
		for (const code of ['DEMO01', 'CASH01', 'DEBT01', 'CLOS01', 'NEW001']) {
			const ask = await sandbox.signIn(code)
			const details = await readDetails(ask)
			const ledger = parseWhole(envelope(LedgerReport), await (await ask('/v2/service/reports/ledger?dataYear=2026')).json()).data
			expect([code, details.ledger_balance]).toEqual([code, ledger.totals_df[0]?.BALANCE ?? 0])
			expect(details.total_ledger_balance).toBe(details.ledger_balance + details.virtual_balance - details.cdsl_debit)
			expect(details.can_close_plain).toBe(details.blockers.length === 0)
		}
	})

	test('are a debt for DEBT01, every kind for DEMO01, only holdings for CLOS01, and none for NEW001', async () => {
		const debt = await sandbox.signIn('DEBT01')
		expect(await openKinds(debt)).toContain('DEBIT')
		const owed = (await readTasks(debt)).tasks.find(({ kind }) => kind === 'DEBIT')?.amount
		expect(owed).toBe((await readDetails(debt)).total_ledger_balance)
		expect(owed).toBeLessThan(0)
		expect(await openKinds(await sandbox.signIn('DEMO01'))).toEqual(expect.arrayContaining(['POSITIONS', 'PLEDGED', 'HOLDINGS']))
		expect(await openKinds(clos)).toEqual(['HOLDINGS'])
		const { holdings } = await readTasks(clos)
		expect(holdings.length).toBeGreaterThan(0)
		expect(holdings.reduce((sum, { VALUE }) => sum + VALUE, 0)).toBe((await readDetails(clos)).total_holdings)
		expect(await openKinds(await sandbox.signIn('NEW001'))).toEqual([])
	})
})

describe('closing', () => {
	const plain = (ask: Ask, code: string) =>
		ask('/v1/acc-closing-esign-proccess', {
			method: 'POST',
			body: JSON.stringify({ client_code: code, reason: 'Not trading', clouser_for: 'Trading and Demat' }),
		})

	test('is refused while a task is open, and always for another client’s account', async () => {
		const refused = await plain(clos, 'CLOS01')
		expect([refused.status, (await refused.json()) as object]).toEqual([
			422,
			expect.objectContaining({ message: 'Account can not be closed: securities, dues or open positions are left' }),
		])
		expect((await plain(clos, 'NEW001')).status).toBe(403)
		expect((await plain(await sandbox.signIn('DEBT01'), 'DEBT01')).status).toBe(422)
	})

	test('takes effect when signed, once, notifies the client, and can be withdrawn until it is processed', async () => {
		const ask = await sandbox.signIn('NEW001')
		const response = await signed(await plain(ask, 'NEW001'))
		expect((await readTasks(ask)).request).toMatchObject({ status: 'WAITING' })
		const [first, second] = await Promise.all([visitProvider(response, 'sign'), visitProvider(response, 'sign')])
		expect([first.headers.get('location'), second.headers.get('location')]).toEqual([
			expect.stringMatching(/^https:\/\/portal\.test\/esign\/return\?ref=ES-[0-9A-F]{10}&status=signed$/),
			first.headers.get('location'),
		])
		const { request } = await readTasks(ask)
		expect(request).toMatchObject({ status: 'CLOSING', clouser_for: 'Trading and Demat', transfer_to: null })
		const sent = (await books.db.select().from(outbox)).map(({ channel, subject }) => `${channel} ${subject}`)
		expect(sent.filter((line) => line.includes('closure'))).toEqual(['SMS Account closure signed', 'EMAIL Account closure signed'])
		expect((await plain(ask, 'NEW001')).status).toBe(409)
		// Signed on Saturday 21 November 2026; Tuesday the 24th is a holiday. The 23rd, the 25th and the 26th are working days.
		const [change] = await listChanges({ books }, 'NEW001')
		const stateOn = (day: string) => change && toChangeRequest(change, 'Rohan Das', new Date(`${day}T12:00+05:30`)).status
		expect([stateOn('2026-11-21'), stateOn('2026-11-26'), stateOn('2026-11-27')]).toEqual(['SIGNED', 'SIGNED', 'DONE'])
		const body = JSON.stringify({ reference: request?.reference })
		expect((await clos('/v1/ours/withdraw-closure', { method: 'POST', body })).status).toBe(409)
		expect((await ask('/v1/ours/withdraw-closure', { method: 'POST', body })).status).toBe(200)
		expect((await readTasks(ask)).request).toBeNull()
		expect((await plain(ask, 'NEW001')).status).toBe(200)
	})

	test('allows only its own withdrawal while it is processed, and no login after it', async () => {
		const ask = await sandbox.signIn('NEW001')
		await visitProvider(await signed(await plain(ask, 'NEW001')), 'sign')
		const payin = () => ask('/atompay/v2/Request?payment_type=upi', { method: 'POST', body: '{}' })
		const readMessage = async (answer: Response) => [answer.status, ((await answer.json()) as { message: string }).message]
		expect(await readMessage(await payin())).toEqual([403, 'Account is being closed. Withdraw the closure request first'])
		expect((await ask('/v2/service/reports/ledger?dataYear=2026')).status).toBe(200)
		expect((await sandbox.logIn('NEW001')).status).toBe(200)
		const { request } = await readTasks(ask)
		const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000
		const ahead = days('2026-11-21', request?.closes_on ?? '') * 86_400_000
		sandbox.passTime(ahead)
		expect((await sandbox.logIn('NEW001')).status).toBe(200)
		const last = await sandbox.signIn('NEW001')
		sandbox.passTime(86_400_000)
		expect(await readMessage(await sandbox.logIn('NEW001'))).toEqual([403, 'Account closed on 26/11/2026'])
		expect((await sandbox.logIn('NEW001', 'wrong')).status).toBe(401)
		sandbox.passTime(-86_400_000)
		const body = JSON.stringify({ reference: request?.reference })
		expect((await last('/v1/ours/withdraw-closure', { method: 'POST', body })).status).toBe(200)
		sandbox.passTime(-ahead)
		// The sessions expired when the clock was moved.
		clos = await sandbox.signIn('CLOS01')
	})

	test('is checked when it is signed: a request made a moment before blocks it', async () => {
		const ask = await sandbox.signIn('NEW001')
		const response = await signed(await plain(ask, 'NEW001'))
		const soon = new Date('2026-11-22T10:00:00Z')
		const bank = { bank_name: 'HDFC BANK LTD', bank_acno: '50100042104821', cut_off: soon, credited_by: soon, paid: 0, remarks: '' }
		const late = { ...bank, request_id: 'PO-LATE', cocd: 'NSE_CASH', client: 'NEW001', asked_at: soon, amount: 1_00, status: 'PENDING' }
		const { transaction } = books.db
		vi.spyOn(books.db, 'transaction').mockImplementationOnce(async (work) => {
			await books.db.insert(payouts).values(late)
			return await transaction.call(books.db, work)
		})
		expect((await visitProvider(response, 'sign')).headers.get('location')).toMatch(/status=failed$/)
		expect(await books.db.select().from(payouts)).toContainEqual(expect.objectContaining({ request_id: 'PO-LATE' }))
		await books.db.delete(payouts).where(eq(payouts.request_id, 'PO-LATE'))
		expect((await readTasks(ask)).request).toMatchObject({ status: 'WAITING' })
		expect((await visitProvider(response, 'sign')).headers.get('location')).toMatch(/status=signed$/)
	})

	test('waits for an unconfirmed pledge request', async () => {
		const asked = { action: 'pledge', lines: [], status: 'WAITING', asked_at: new Date(), margin_from: '2026-11-23' }
		const confirm_by = new Date('2026-11-30T10:00:00Z')
		await books.db.insert(pledgeRequests).values({ ...asked, reference: 'PL-1', token: 'a-token', client: 'NEW001', confirm_by })
		const ask = await sandbox.signIn('NEW001')
		expect(await openKinds(ask)).toEqual(['PLEDGE_REQUEST'])
		expect((await plain(ask, 'NEW001')).status).toBe(422)
		await books.db.delete(pledgeRequests)
		expect(await openKinds(ask)).toEqual([])
	})

	test('changes nothing when it is cancelled or fails, can be signed after that, and lapses after a day', async () => {
		const ask = await sandbox.signIn('NEW001')
		const response = await signed(await plain(ask, 'NEW001'))
		expect((await visitProvider(response, 'cancel')).headers.get('location')).toMatch(/status=cancelled$/)
		expect((await visitProvider(response, 'fail')).headers.get('location')).toMatch(/status=failed$/)
		const { request } = await readTasks(ask)
		expect(request).toMatchObject({ status: 'WAITING' })
		const status = async () => (await ask(`/v1/ours/esign?ref=${request?.reference}`)).json()
		expect(await status()).toMatchObject({ data: { status: 'WAITING', last_outcome: 'FAILED', esign_response: response } })
		expect((await clos(`/v1/ours/esign?ref=${request?.reference}`)).status).toBe(404)
		sandbox.passTime(86_400_001)
		const later = await sandbox.signIn('NEW001')
		expect((await visitProvider(response, 'sign')).headers.get('location')).toMatch(/status=failed$/)
		expect((await readTasks(later)).request).toBeNull()
		sandbox.passTime(-86_400_001)
	})

	test('transfers the holdings to another account, with the files checked by content', async () => {
		expect((await transfer(clos, { signature: new File(['<html>'], 'sign.png') })).status).toBe(415)
		expect((await transfer(clos, { client_master: new File(['<html>'], 'master.pdf') })).status).toBe(415)
		expect((await transfer(clos, { client_master: new File([], 'master.pdf') })).status).toBe(422)
		expect((await transfer(clos, { client_master: new File(['%PDF-1.4 /Encrypt 5 0 R'], 'master.pdf') })).status).toBe(422)
		const large = new File(['%PDF-', new Uint8Array(5 * 1_048_576)], 'master.pdf')
		expect((await transfer(clos, { client_master: large })).status).toBe(413)
		expect((await transfer(clos, {}, 'NSDL')).status).toBe(422)
		expect((await transfer(clos, { cdsl_bo_id: (await readDetails(clos)).cdsl_bo_id ?? '' })).status).toBe(422)
		const response = await signed(await transfer(clos))
		await visitProvider(response, 'sign')
		expect((await readTasks(clos)).request).toMatchObject({ status: 'CLOSING', transfer_to: 'CDSL 1300000000200815' })
	})

	test('refuses a second request until the first is withdrawn, also at the same moment', async () => {
		const answers = await Promise.all([transfer(clos), transfer(clos, { reason: 'High charges' })])
		expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
		expect(await answers.find(({ status }) => status === 409)?.json()).toMatchObject({ message: 'A closure request is already pending' })
		const { request } = await readTasks(clos)
		expect((await transfer(clos)).status).toBe(409)
		const body = JSON.stringify({ reference: request?.reference })
		expect((await clos('/v1/ours/withdraw-closure', { method: 'POST', body })).status).toBe(200)
		await visitProvider(await signed(await transfer(clos, { reason: 'Service' })), 'sign')
		expect((await readTasks(clos)).request).toMatchObject({ status: 'CLOSING', reason: 'Service' })
	})
})
