import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { envelope } from '#contract/common'
import { ChangeRequests } from '#contract/modifications'
import { type Books } from '#sandbox/db/open'
import { latestCode, PDF, postForm, postJson, readReply, sign } from '#sandbox/testing/changes'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

type Ask = Awaited<ReturnType<ReturnType<typeof createTestSandbox>['signIn']>>

/** The form of the client's latest change as text, and its rows from label to detail. */
async function readForm(ask: Ask) {
	const { data } = envelope(ChangeRequests).parse(await (await ask('/v1/ours/change-requests')).json())
	const form = await ask(`/v1/ours/change-form?reference=${data[0]?.reference}`)
	expect([form.status, form.headers.get('content-type')]).toEqual([200, 'application/pdf'])
	const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: Buffer.from(await form.arrayBuffer()) }).toString()
	return Object.fromEntries([...text.matchAll(/^ *(\S.*?) {2,}(\S.*?) *$/gm)].map(([, label, detail]) => [label, detail]))
}

test('the form of a signed closure says that it is under way and when it was signed, not that it is done', async () => {
	const sandbox = createTestSandbox(books)
	const ask = await sandbox.signIn('NEW001')
	const closing = { client_code: 'NEW001', reason: 'Not trading', clouser_for: 'Trading and Demat' }
	await sign(sandbox, (await readReply(await postJson(ask, '/v1/acc-closing-esign-proccess', closing))).data)
	const form = await readForm(ask)
	// The sandbox's clock stands on Saturday 21 November 2026.
	expect(form).toMatchObject({ Status: 'Signed, under way', 'Signed at': expect.stringContaining('21/11/2026') })
	expect(form).toMatchObject({ Date: '21/11/2026' })
	expect(form).not.toHaveProperty('Period')
	expect(form).not.toHaveProperty('Done at')
})

test('the form of a finished change says that it is done, and when', async () => {
	const sandbox = createTestSandbox(books)
	const ask = await sandbox.signIn('DEMO01')
	const change = (process: string, fields = {}) =>
		postForm(ask, `/v1/modifications/income-modification?process=${process}`, { income: 'Above 1 Crore', ...fields })
	await change('send_otp')
	await change('verify_otp', { otp: await latestCode(sandbox, 'DEMO01'), file: PDF })
	const form = await readForm(ask)
	expect(form).toMatchObject({ Status: 'Done', 'Done at': expect.stringContaining('21/11/2026') })
	expect(form).not.toHaveProperty('Signed at')
})
