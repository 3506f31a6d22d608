import { beforeAll, expect, test } from 'vitest'
import { makeLedgerRow } from '#tests/support/ledger-row'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { readCsv, readTable, readText } from '#tests/support/readers'

/* The proof of a ledger whose broker writes balances, amounts or totals in another way. */

const opened = openPortalForFile()
let client: Visitor
beforeAll(async () => void (client = await signedIn(opened, 'DEMO01')))

type Entry = [cocd: string, debit: unknown, credit: unknown, balance: number]

async function show(entries: readonly Entry[], totals: unknown, { isNewestFirst = false } = {}) {
	opened.rewriteCalls('/v2/service/reports/ledger', (json) => {
		const filtered_df = entries.map(([COCD, DR_AMT, CR_AMT, BALANCE], at) =>
			makeLedgerRow({ VOUCHER_DATE: `2026-05-0${at + 1}`, VOUCHER_NO: `V${at + 1}`, COCD, DR_AMT, CR_AMT, BALANCE }),
		)
		json.data = { filtered_df: isNewestFirst ? filtered_df.toReversed() : filtered_df, totals_df: [totals] }
	})
	return readText((await client.visit('/reports/ledger?refresh=1')).html)
}

/** 100 - 30 = 70 in Equity and 50 - 20 = 30 in Commodity: over all rows 100, 150, 120, 100. */
const OVER_ALL: Entry[] = [
	['NSE_CASH', 0, 100, 100],
	['MCX', 0, 50, 150],
	['NSE_CASH', 30, 0, 120],
	['MCX', 20, 0, 100],
]
const TOTALS = { DR_AMT: 50, CR_AMT: 150, BALANCE: 100 }
const PROVED = 'Opening + credits − debits = closing, as the broker states it'

test('accepts balances that run over the rows of all ledgers', async () => {
	const text = await show(OVER_ALL, TOTALS)
	expect(text).toContain(PROVED)
	expect(text).not.toContain('does not add up')
})

test('accepts balances that run within each ledger', async () => {
	const own = [100, 50, 70, 30]
	const text = await show(
		OVER_ALL.map(([cocd, debit, credit], at) => [cocd, debit, credit, own[at] ?? 0]),
		TOTALS,
	)
	expect(text).toContain(PROVED)
})

test.each(['', null, undefined, '-'])('the other side of an entry may be %j', async (blank) => {
	const text = await show(
		OVER_ALL.map(([cocd, debit, credit, balance]) => [cocd, debit || blank, credit || blank, balance]),
		TOTALS,
	)
	expect(text).toContain(PROVED)
	expect(text).not.toMatch(/could not be read|incomplete/)
	const { head, rows } = readTable((await client.visit('/reports/ledger')).html, 'Ledger')
	const sides = ['Debit', 'Credit'].map((side) => rows.map((row) => row[head.findIndex((label) => label.startsWith(side))]))
	expect(sides).toEqual([
		['', '', '30.00', '20.00'],
		['100.00', '50.00', '', ''],
	])
})

test('an amount may name the side of its own column, and not the other one', async () => {
	expect(
		await show(
			[
				['NSE_CASH', '', '100.00 Cr', 100],
				['NSE_CASH', '30.00 DR', '', 70],
			],
			{ DR_AMT: 30, CR_AMT: 100, BALANCE: 70 },
		),
	).toContain(PROVED)
	expect(await show([['NSE_CASH', '100.00 Cr', '', 100]], { DR_AMT: 0, CR_AMT: 100, BALANCE: 100 })).toContain('could not be read')
})

test('an entry without an amount on either side is not one of nothing', async () => {
	expect(await show([['NSE_CASH', 0, '', 100]], { DR_AMT: 0, CR_AMT: 100, BALANCE: 100 })).toContain('could not be read')
	expect(await show([['NSE_CASH', '', null, 100]], { DR_AMT: 0, CR_AMT: 100, BALANCE: 100 })).toContain('could not be read')
})

test('a broker may list the newest entries first, over all ledgers or in each', async () => {
	expect(await show(OVER_ALL, TOTALS, { isNewestFirst: true })).toContain(PROVED)
	const { rows } = readTable((await client.visit('/reports/ledger')).html, 'Ledger')
	expect(rows.map(([, day]) => day)).toEqual(['01/05/2026', '02/05/2026', '03/05/2026', '04/05/2026'])
	// Equity on 1, 3 and Commodity on 2, 4 May: in each ledger the days fall.
	opened.rewriteCalls('/v2/service/reports/ledger', (json) => {
		const make = (day: number, COCD: string, DR_AMT: number, CR_AMT: number, BALANCE: number) =>
			makeLedgerRow({ VOUCHER_DATE: `2026-05-0${day}`, VOUCHER_NO: `V${day}`, COCD, DR_AMT, CR_AMT, BALANCE })
		const equity = [make(3, 'NSE_CASH', 30, 0, 70), make(1, 'NSE_CASH', 0, 100, 100)]
		json.data = { filtered_df: [...equity, make(4, 'MCX', 20, 0, 30), make(2, 'MCX', 0, 50, 50)], totals_df: [TOTALS] }
	})
	expect(readText((await client.visit('/reports/ledger?refresh=1')).html)).toContain(PROVED)
})

test('names the row of a wrong balance, and no difference of the closing balances when there is none', async () => {
	const text = await show(
		OVER_ALL.map(([cocd, debit, credit, balance], at) => [cocd, debit, credit, at === 2 ? 119 : balance]),
		TOTALS,
	)
	expect(text).toContain(
		'This ledger does not add up. Its closing balance agrees, but a balance above it does not. It starts on 03/05/2026 at voucher V3, where the broker’s balance is ₹ 119.00 Cr and ₹ 120.00 Cr follows from the rows above.',
	)
	expect(text).not.toContain('a difference of')
})

test('says what is wrong when only the totals of the two sides are', async () => {
	const text = await show(OVER_ALL, { ...TOTALS, CR_AMT: 151 })
	expect(text).toContain('Its closing balance agrees, but the broker’s totals of debits and credits are not the sums of the entries.')
	expect(text).not.toContain('a difference of')
})

test('both totals that are too high by the same amount are a fault', async () => {
	const text = await show(OVER_ALL, { DR_AMT: 51, CR_AMT: 151, BALANCE: 100 })
	expect(text).toContain('Its closing balance agrees, but the broker’s totals of debits and credits are not the sums of the entries.')
	expect(text).not.toContain(PROVED)
})

/** Openings 1,000 Cr and 300 Dr make 700 Cr; a receipt of 50 makes 750 Cr. Debits 300, credits 1,050. */
test('the opening row of all ledgers has both sides, so the rows add up to the total, on the page and in the CSV', async () => {
	opened.rewriteCalls('/v2/service/reports/ledger', (json) => {
		const opening = { VOUCHER_TYPE: 'OPENING', VOUCHER_DATE: '2026-05-01' }
		json.data = {
			filtered_df: [
				makeLedgerRow({ ...opening, VOUCHER_NO: 'OP1', DR_AMT: 0, CR_AMT: 1000, BALANCE: 1000 }),
				makeLedgerRow({ VOUCHER_NO: 'R1', DR_AMT: 0, CR_AMT: 50, BALANCE: 1050 }),
				makeLedgerRow({ ...opening, VOUCHER_NO: 'OP2', COCD: 'MCX', DR_AMT: 300, CR_AMT: 0, BALANCE: -300 }),
			],
			totals_df: [{ DR_AMT: 300, CR_AMT: 1050, BALANCE: 750 }],
		}
	})
	const { html } = await client.visit('/reports/ledger?refresh=1&columns=all')
	const { rows, foot } = readTable(html, 'Ledger')
	expect(rows.map((row) => row.slice(-3))).toEqual([
		['300.00', '1,000.00', '700.00 Cr'],
		['', '50.00', '750.00 Cr'],
	])
	expect(foot.slice(-4)).toEqual(['Includes opening ₹ 700.00 Cr', '300.00', '1,050.00', '750.00 Cr'])
	expect(readText(html)).toContain(PROVED)
	const csv = readCsv(await (await client.send('/downloads/ledger/csv')).text())
	expect(csv.slice(1).map((row) => row.slice(-3))).toEqual([
		['300.00', '1000.00', '700.00'],
		['', '50.00', '750.00'],
	])
})

/** 10.005 rounds to 10.01, so three rows make 30.03; the broker's sum 30.015 rounds to 30.02. */
test('amounts with parts of a paisa are not a fault of the ledger', async () => {
	const text = await show(
		[
			['NSE_CASH', 0, 10.005, 10.005],
			['NSE_CASH', 0, 10.005, 20.01],
			['NSE_CASH', 0, 10.005, 30.015],
		],
		{ DR_AMT: 0, CR_AMT: 30.015, BALANCE: 30.015 },
	)
	expect(text).not.toContain('does not add up')
	expect(text).toContain(PROVED)
})

test('a larger difference is one also with such amounts', async () => {
	const text = await show([['NSE_CASH', 0, 10.005, 10.005]], { DR_AMT: 0, CR_AMT: 10.005, BALANCE: 10.05 })
	expect(text).toContain('This ledger does not add up')
	expect(text).toContain('a difference of ₹ 0.0')
})

test('an unreadable total is no missing entry: page, PDF and CSV count the same', async () => {
	const text = await show(OVER_ALL, { ...TOTALS, BALANCE: null })
	expect(text).not.toContain('could not be read')
	expect(text).toContain('The broker states no closing balance for this ledger, so its balances are not checked.')
	// The sums of the rows.
	expect(text).toContain('Closing balance ₹ 100.00 Cr Opening balance ₹ 0.00 Credits ₹ 150.00 Debits ₹ 50.00')
	expect(await (await client.send('/downloads/ledger/csv')).text()).not.toContain('INCOMPLETE')
})
