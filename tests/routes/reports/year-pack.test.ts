import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { formatYear } from '#contract/values/financial-year'
import { BROKERS_YEAR } from '#tests/support/brokers-day'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { paiseIn, readColumn, readCsv, sum } from '#tests/support/readers'

/* The year pack: one zip of every file of a year, with a manifest. */

const run = promisify(execFile)
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const YEAR = '2024-2025'

const open = openPortalForFile()
let client: Visitor
let folder: string
beforeAll(async () => {
	client = await signedIn(open)
	folder = await mkdtemp(path.join(tmpdir(), 'khata-'))
})
afterAll(() => rm(folder, { recursive: true }))
beforeEach(() => void (open.asked.length = 0))

const error = (status: number, message: string) => Response.json({ status: 'error', message, data: null }, { status })

/** The pack on disk, checked by unzip, and the lines of its manifest. */
async function unpack(answer: Response, name: string) {
	const file = path.join(folder, `${name}.zip`)
	await writeFile(file, Buffer.from(await answer.arrayBuffer()))
	expect((await run('unzip', ['-t', file], { maxBuffer: 1e7 })).stdout).toContain('No errors detected')
	const into = path.join(folder, name)
	await run('unzip', ['-q', file, '-d', into])
	const listed = (await run('unzip', ['-Z1', file], { maxBuffer: 1e7 })).stdout.trim().split('\n')
	const [head, ...rows] = readCsv(await readFile(path.join(into, 'manifest.csv'), 'utf8'))
	expect(head?.join()).toBe('#,File,Statement,Bytes,SHA-256,Figure,Amount,Problem')
	const manifest = rows.map(([, name = '', statement = '', bytes = '', sha256 = '', figure = '', amount = '', problem = '']) => {
		return { name, statement, bytes: Number(bytes), sha256, figure, amount, problem }
	})
	return { into, listed, manifest }
}

test('the year pack opens, and its manifest matches the files byte for byte', { timeout: 120_000 }, async () => {
	// The client does not have this segment, so no file has its rows and no figure may include it.
	open.rewriteCalls('/v1/reports/pnl-segment', (json) => {
		;(json.data as object[]).push({ SEGMENT: 'NSE_SLBM', REALISED: 1200, UNREALISED: 0, CHARGES: 0, NET: 1200 })
	})
	const answer = await client.send(`/downloads/year-pack?year=${YEAR}`)
	expect(answer.headers.get('content-disposition')).toContain(`filename="DEMO01_YEAR_PACK_${YEAR}.zip"`)
	expect(answer.headers.get('content-type')).toBe('application/zip')
	const announced = Number(answer.headers.get('x-files'))
	const { into, listed, manifest } = await unpack(answer, 'whole')
	// With the files that fail and are left out.
	expect(announced).toBe(manifest.length + 1)
	const there = manifest.filter(({ problem }) => !problem)
	expect(listed).toEqual([...there.map(({ name }) => name), 'manifest.csv'])
	for (const { name, bytes, sha256 } of there) {
		const content = await readFile(path.join(into, name))
		expect([name, content.length, createHash('sha256').update(content).digest('hex')]).toEqual([name, bytes, sha256])
		if (name.endsWith('.pdf')) expect(content.subarray(0, 5).toString(), name).toBe('%PDF-')
	}
	// The broker makes the holding file for today only; past years have the CSV.
	expect(manifest.filter(({ problem }) => problem).map(({ name }) => name)).toEqual(['DEMO01_HOLDING.pdf'])
	for (const name of ['LEDGER.pdf', 'LEDGER.xlsx', 'LEDGER.csv', 'HOLDING.csv', 'PNL.csv', 'INCOME_TAX.xlsx', 'SCHEDULE_112A.csv'])
		expect(listed).toContain(`DEMO01_${name}`)
	expect(listed.filter((name) => name.startsWith('contract-notes/')).length).toBeGreaterThan(5)

	// A figure in the manifest equals the figure on the page and in the file.
	const csvIn = async (report: string) => readCsv(await readFile(path.join(into, `DEMO01_${report}.csv`), 'utf8'))
	const ledger = (await csvIn('LEDGER')).at(-1)?.at(-1)
	expect(manifest.find(({ name }) => name === 'DEMO01_LEDGER.csv')).toMatchObject({ figure: 'Closing balance', amount: ledger })
	for (const [file, column] of [
		['HOLDING', 'Value'],
		['GLOBAL_SUMMARY', 'Realised'],
		['GLOBAL_DETAILS', 'Charges'],
		['INCOME_TAX', 'Gain'],
		['SCHEDULE_112A', 'Balance'],
		['CONTRACTNBILL', 'Amount'],
		['PNL', 'Net'],
		['PNL_CHARGES', 'All charges'],
		['DIVIDENDS', 'Amount'],
	] as const) {
		const total = sum(readColumn(await csvIn(file), column))
		const stated = manifest.find(({ name }) => name === `DEMO01_${file}.csv`)
		expect([file, stated?.figure, paiseIn(stated?.amount)]).toEqual([file, column, total])
	}
})

test('leaves out files that fail, and the manifest gives their names and the reason', { timeout: 120_000 }, async () => {
	open.failCalls(/download_income_tax|client-master/, () => error(422, 'Not for that year'))
	const person = await signedIn(open, 'NEW001')
	const { listed, manifest } = await unpack(await person.send(`/downloads/year-pack?year=${YEAR}`), 'partly')
	expect(listed).not.toContain('NEW001_INCOME_TAX.xlsx')
	expect(manifest.find(({ name }) => name === 'NEW001_INCOME_TAX.xlsx')).toMatchObject({
		bytes: 0,
		sha256: '',
		problem: 'Not for that year',
	})
	expect(manifest.at(-1)).toMatchObject({ name: 'NEW001_CLIENT_MASTER.pdf', problem: 'Not for that year' })
})

test('names incomplete CSV files in the manifest, and asks for the bills once', async () => {
	const totals = [{ BUY_AMT: 0, SELL_AMT: 0, REALISED: 0, UNREALISED: 0, CHARGES: 0 }]
	const answers: Record<string, unknown> = {
		'/v1/reports/contractbills': ['nonsense'],
		'/v2/service/reports/holding': ['nonsense'],
		'/v1/user/report/pnl': { filtered_df: ['nonsense'], totals_df: totals },
	}
	open.breakBroker(({ url }) => {
		const data = answers[new URL(url).pathname]
		return data ? Response.json({ status: 'success', message: '', data }) : undefined
	})
	const person = await signedIn(open, 'NEW001')
	open.asked.length = 0
	const { manifest } = await unpack(await person.send(`/downloads/year-pack?year=${YEAR}`), 'unread')
	const asked = open.asked.filter(({ url }) => new URL(url).pathname === '/v1/reports/contractbills')
	expect(asked).toHaveLength(1)
	// One unreadable row in each of the client's segments.
	const segments = open.asked.filter(({ url }) => new URL(url).pathname === '/v1/user/report/pnl').length
	const ofPnl = segments === 1 ? '1 entry could not be read and is' : `${segments} entries could not be read and are`
	const problem = (name: string) => manifest.find((entry) => entry.name === `NEW001_${name}.csv`)?.problem
	expect(problem('CONTRACTNBILL')).toMatch(/^Incomplete: 1 entry could not be read and is left out\. Reference [\w-]+\.$/)
	expect(problem('HOLDING')).toMatch(/^Incomplete: 1 entry could not be read and is left out\. Reference [\w-]+\.$/)
	expect(problem('PNL')).toMatch(new RegExp(`^Incomplete: ${ofPnl} left out\\. Reference [\\w-]+\\.$`))
})

test('marks a file that breaks off as incomplete, and continues with the others', { timeout: 120_000 }, async () => {
	open.failCalls(/download_income_tax/, () => {
		let pulls = 0
		const body = new ReadableStream<Uint8Array>({
			pull(controller) {
				if (pulls++ === 0) controller.enqueue(Buffer.from('PK\u0003\u0004 half'))
				else controller.error(new Error('gone'))
			},
		})
		return new Response(body, { headers: { 'content-type': XLSX } })
	})
	const person = await signedIn(open, 'NEW001')
	const { listed, manifest } = await unpack(await person.send(`/downloads/year-pack?year=${YEAR}`), 'broken')
	expect(manifest.find(({ name }) => name === 'NEW001_INCOME_TAX.xlsx')?.problem).toBe('Not whole: This file was interrupted.')
	expect(listed).toContain('NEW001_CLIENT_MASTER.pdf')
})

test('shows the message of a broker that is down, and sends no empty pack', async () => {
	open.failCalls(/./, () => error(503, 'Back office is not reachable'))
	const person = await client.send(`/downloads/year-pack?year=2023-2024`, { headers: { 'x-download': 'fetch' } })
	expect([person.status, await person.json()]).toEqual([503, { message: 'Back office is not reachable' }])
})

test('stops asking the broker when the client leaves', async () => {
	const answer = await client.send(`/downloads/year-pack?year=${YEAR}`)
	const reader = answer.body?.getReader()
	await reader?.read()
	await reader?.cancel()
	const before = open.asked.length
	// Several requests later. Without the stop, the pack would have requested the remaining files by now.
	for (const page of ['/dashboard', '/myaccount', '/dashboard']) await client.visit(page)
	const asked = open.asked.slice(before).map(({ url }) => new URL(url).pathname)
	expect(asked).toContain('/v2/dashboard/ledger')
	expect(asked.filter((path) => /contract|excel|downloads|download_|reports\/pnl|incometax|global/.test(path))).toEqual([])
})

test('bills without a file do not stop the pack, and bills of one number have names of their own', async () => {
	open.rewriteCalls('/v1/reports/contractbills', (json) => {
		const [bill] = json.data as object[]
		const without = Array.from({ length: 6 }, (_, at) => ({ ...bill, BILL_NO: `MTM${at}`, file_path: null }))
		const alike = ['NSE_CASH', 'NSE_FNO'].map((COCD) => ({ ...bill, BILL_NO: '1234', DOC_TYPE: 'BILL', COCD }))
		json.data = [...without, ...alike]
	})
	const person = await signedIn(open, 'DEMO01')
	const { listed, manifest } = await unpack(await person.send(`/downloads/year-pack?year=${YEAR}`), 'without')
	const problems = manifest.filter(({ name }) => /MTM/.test(name)).map(({ problem }) => problem)
	expect(problems).toEqual(Array.from({ length: 6 }, () => 'The broker gave no readable file for this note.'))
	expect(manifest.filter(({ problem }) => problem.startsWith('Skipped'))).toEqual([])
	expect(listed.slice(-4)).toEqual([
		'contract-notes/DEMO01_CONTRACT_1234_BILL.pdf',
		'contract-notes/DEMO01_CONTRACT_1234_BILL_2.pdf',
		'DEMO01_CLIENT_MASTER.pdf',
		'manifest.csv',
	])
})

test('gives a file of the broker no figure when a row of its statement could not be read', async () => {
	open.rewriteCalls('/v2/service/reports/global-summary', (json) => {
		const { filtered_df } = json.data as { filtered_df: Record<string, unknown>[] }
		Object.assign(filtered_df[0] ?? {}, { REALISED: 'nonsense' })
	})
	const person = await signedIn(open, 'DEMO01')
	const { manifest } = await unpack(await person.send(`/downloads/year-pack?year=${YEAR}`), 'figureless')
	const figureOf = (name: string) => manifest.find((entry) => entry.name === `DEMO01_${name}`)?.figure
	expect([figureOf('GLOBAL_SUMMARY.pdf'), figureOf('GLOBAL_SUMMARY.csv'), figureOf('GLOBAL_DETAILS.csv')]).toEqual(['', '', 'Charges'])
})

test('the pack of the current year has both files of the holding today', async () => {
	const person = await signedIn(open, 'CASH01')
	const pack = await unpack(await person.send(`/downloads/year-pack?year=${formatYear(BROKERS_YEAR)}`), 'current')
	const names = ['CASH01_HOLDING.pdf', 'CASH01_HOLDING.xlsx']
	expect(pack.listed).toEqual(expect.arrayContaining(names))
	expect(pack.manifest.filter(({ name }) => names.includes(name)).map(({ problem }) => problem)).toEqual(['', ''])
})
