import { beforeAll, describe, expect, test } from 'vitest'
import { type BadRowCase, CASES, type BadRow } from '#tests/support/bad-rows'
import { makeLedgerRow } from '#tests/support/ledger-row'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { readAll, readText } from '#tests/support/readers'

/* One unreadable row or cell in a broker's response: the page shows the rest, and says what is missing. */

const open = openPortalForFile()
let client: Visitor
beforeAll(async () => {
	client = await signedIn(open)
})

function rewriteRows({ path, rows: at, sample }: BadRowCase, change: (rows: BadRow[]) => void) {
	open.rewriteCalls(path, (json) => {
		const rows = (at ? (json.data as Record<string, unknown>)[at] : json.data) as BadRow[]
		if (rows.length === 0 && sample) rows.push({ ...sample })
		expect(rows.length, path).toBeGreaterThan(0)
		change(rows)
	})
}

const AS_DASH = '1 value could not be read and is shown as —.'
const LEFT_OUT = '1 entry could not be read and is left out.'
/** Without the tables of charts and the feet: with an unknown figure no chart is drawn, and no line of sums may be shown. */
const countRows = (html: string) =>
	readAll(html, 'tbody th[scope="row"]').length - readAll(html, 'details.as-table tbody th[scope="row"]').length

async function see(page: string, expected = 200) {
	const { status, html } = await client.visit(page)
	const text = readText(html)
	expect([page, status]).toEqual([page, expected])
	expect(text).not.toMatch(/\bNaN\b|\bundefined\b|\[object Object\]|\bnull\b|Invalid Date/)
	return { html, text }
}

describe.each(CASES)('$name', (of) => {
	const oddFigures: [string, (row: BadRow) => void][] = [
		['a null figure', (row) => void (row[of.figure] = null)],
		['text where a figure is', (row) => void (row[of.figure] = 'PRIVATE-VALUE')],
		['a figure left out', (row) => void delete row[of.figure]],
	]
	test.each(oddFigures)('%s: a bad cell leaves the page up, is counted, and every other row is shown', async (_, spoil) => {
		rewriteRows(of, () => {})
		const whole = await see(of.page)
		rewriteRows(of, (rows) => spoil(rows[0] ?? {}))
		const { html, text } = await see(of.page)
		expect(text).toContain(of.isStrict ? LEFT_OUT : AS_DASH)
		expect(countRows(html)).toBe(countRows(whole.html) - (of.isStrict && !of.isPaged ? 1 : 0))
		expect(text).toMatch(/Reference [\w-]{8,}/)
	})

	test('leaves out and counts a row without its key and an unreadable row', async () => {
		rewriteRows(of, (rows) => {
			const { [of.id]: _, ...nameless } = rows[0] ?? {}
			rows.push(nameless, 'nonsense' as unknown as BadRow)
		})
		expect((await see(of.page)).text).toContain('2 entries could not be read and are left out.')
	})

	test('shows long text, an unknown word and 101 extra rows without a warning', async () => {
		rewriteRows(of, (rows) => {
			const [first = {}] = rows
			if (of.text) first[of.text] = `Long ${'x'.repeat(300)}`
			if (of.word) first[of.word] = 'BRAND_NEW'
			for (let at = 0; at < 101; at++) rows.push({ ...first })
		})
		const { text } = await see(of.page)
		expect(text).not.toContain('could not be read')
		if (of.text && !of.isPaged) expect(text).toContain(`Long ${'x'.repeat(300)}`)
		if (of.word && !of.isPaged) expect(text).toContain('BRAND_NEW')
	})
})

const entry = (VOUCHER_NO: string, VOUCHER_TYPE: string, DR_AMT: unknown, CR_AMT: unknown, BALANCE: number) =>
	makeLedgerRow({ VOUCHER_NO, VOUCHER_TYPE, DR_AMT, CR_AMT, BALANCE })

test('an incomplete ledger shows no proof, and its totals and its file say that they are incomplete', async () => {
	open.rewriteCalls('/v2/service/reports/ledger', (json) => {
		json.data = {
			filtered_df: [
				entry('OP', 'OPENING', 0, 1000, 1000),
				entry('R1', 'RECEIPT', 0, 500, 1500),
				entry('B1', 'BILL', null, 0, 1200),
				'nonsense',
			],
			totals_df: [{ DR_AMT: 300, CR_AMT: 1500, BALANCE: 1200 }],
		}
	})
	const { text } = await see('/reports/ledger/NSE_CASH?refresh=1')
	expect(text).toContain('1 entry could not be read and is left out. 1 value could not be read and is shown as —.')
	expect(text).toMatch(/Total \(incomplete\)\s+0\.00\s+1,500\.00/)
	expect(text).toContain('The broker states a closing balance of ₹ 1,200.00 Cr.')
	expect(text).not.toMatch(/as the broker states it|does not add up|a difference of/)
	const csv = await (await client.send('/downloads/ledger/csv?segment=NSE_CASH')).text()
	const lines = csv.trim().split('\r\n')
	expect(lines).toHaveLength(5)
	expect(lines[3]).toMatch(/^3,2026-06-01,B1,Bill,Equity,,By hand,,,1200\.00$/)
	expect(lines[4]).toMatch(/^,"?INCOMPLETE: 1 entry could not be read and is left out\. 1 value could not be read and is left empty\./)
})

test.each(['sort=-debit', 'q=receipt', 'q=receipt&sort=-debit'])(
	'counts the unreadable rows of a ledger of more than 1,000 rows with %s',
	async (view) => {
		open.rewriteCalls('/v2/service/reports/ledger', (json) => {
			const rows = Array.from({ length: 1200 }, (_, n) => entry(`R${n}`, 'RECEIPT', 0, 1, n + 1))
			json.data = {
				filtered_df: [...rows.slice(0, 600), { ...entry('B1', 'RECEIPT', 0, 0, 600), DR_AMT: 'nonsense' }, ...rows.slice(600)],
				totals_df: [{ DR_AMT: 0, CR_AMT: 1200, BALANCE: 1200 }],
			}
		})
		const { text } = await see(`/reports/ledger/NSE_CASH?refresh=1&${view}`)
		expect(text).toContain('of 1,201')
		expect(text).toContain(AS_DASH)
		expect(text).toContain('Total (incomplete)')
	},
)

test('shows a third company code on its own line on the dashboard cards', async () => {
	open.rewriteCalls('/v2/dashboard/ledger', (json) => {
		json.data = [
			{ COCD: 'NSE_CASH', DUE_AMT: 100 },
			{ COCD: 'MCX', DUE_AMT: -40 },
			{ COCD: 'BSE_FO', DUE_AMT: 7.5 },
		]
	})
	const { text } = await see('/dashboard')
	expect(text).toMatch(
		/₹ 67\.50 Cr\s+Your money with the broker; Dr: you owe\s+Equity\s+₹ 100\.00 Cr\s+Commodity\s+₹ 40\.00 Dr\s+BSE_FO\s+₹ 7\.50 Cr/,
	)
})

test('shows an account number with a hyphen and does not offer it for a payout', async () => {
	open.rewriteCalls('/v2/account-profile/bank-details', (json) => {
		const [first] = json.data as BadRow[]
		json.data = [first, { ...first, bank_acno: '1234-5678-90', bank_name: 'Hyphen Bank', set_default: false }]
	})
	expect((await see('/myaccount/bank')).text).toContain('Hyphen Bank')
	expect((await see('/funds/withdraw')).text).not.toContain('Hyphen Bank')
})

test('forms say that no account can be used when the only registered account is missing or unreadable', async () => {
	for (const spoil of [(bank: BadRow) => ({ ...bank, bank_acno: '1234-5678-90' }), () => 'nonsense']) {
		// A new session: the profile kept for the other session would hide the fault.
		client = await signedIn(open)
		open.rewriteCalls('/v2/account-profile/bank-details', (json) => void (json.data = [spoil((json.data as BadRow[])[0] ?? {})]))
		for (const page of ['/funds', '/funds/withdraw', '/funds/e-mandate']) {
			const { text } = await see(page)
			expect(text, page).toContain('No registered bank account of yours can be used here')
			expect(text, page).not.toContain('No bank account of yours is registered.')
		}
	}
})

test.each([
	['/myaccount/bank?refresh=1', '/v2/account-profile/bank-details', 'No bank account is registered'],
	['/myaccount/requests?refresh=1', '/v1/ours/change-requests', 'You have not asked for any change'],
])('%s does not report “no data” when no row could be read', async (page, path, nothing) => {
	open.rewriteCalls(path, (json) => void (json.data = ['nonsense']))
	const { text } = await see(page)
	expect(text).toContain(LEFT_OUT)
	expect(text).toContain('There is nothing to show that could be read.')
	expect(text).not.toContain(nothing)
})

test('does not fill the nominee form with only some of the registered nominees', async () => {
	// A new session: the profile kept for the other session would hide the fault.
	client = await signedIn(open)
	open.rewriteCalls('/v2/account-profile/personal-details', (json) => {
		const profile = json.data as { nominees: unknown[] }
		profile.nominees = [{ name: 'Asha Rao', relation: 'Spouse', pan: null, dob: null, share: 50, guardian: null }, 'nonsense']
	})
	expect((await see('/myaccount')).text).toContain(LEFT_OUT)
	const { html } = await see('/myaccount/nominee', 502)
	expect(html).not.toContain('value="Asha Rao"')
})
