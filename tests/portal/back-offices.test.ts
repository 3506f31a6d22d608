import { describe, expect, test } from 'vitest'
import { PLEDGE, readFormRows, VERIFY } from '#tests/support/depository'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { readAll, readText } from '#tests/support/readers'

/* What back offices of real brokers write in place of what the contract says. */

const opened = openPortalForFile()

type Row = Record<string, unknown>
type Json = Record<string, unknown>

/** The words of a page of DEMO01, with the broker's response at `path` changed like this. */
async function readWith(page: string, path: string, change: (json: Json) => void) {
	const visitor = await signedIn(opened, 'DEMO01')
	opened.rewriteCalls(path, change)
	const since = opened.asked.length
	const { status, html } = await visitor.visit(page)
	// A wrong path would change nothing.
	expect(opened.asked.slice(since).some(({ url }) => new URL(url).pathname === path)).toBe(true)
	return { visitor, status, html, words: readText(html) }
}

const rowsOf = (json: Json) => json.data as Row[]

describe('one security in two demat accounts', () => {
	test('has one row to verify, with the units of both', async () => {
		const { visitor, html } = await readWith(VERIFY, '/edis/edis/v1/edis-holding-data', (json) => {
			const axis = rowsOf(json).find(({ isin }) => isin === 'INE238A01034')
			rowsOf(json).push({ ...axis, qty: 5, free_qty: 5, verified_qty: 0, poa_qty: 0, sold: [] })
		})
		const rows = readFormRows(html).filter(({ isin }) => isin === 'INE238A01034')
		// 29 are free in the sandbox.
		expect(rows.map(({ cells }) => cells.Free)).toEqual(['34'])
		await visitor.post(VERIFY, VERIFY, { isin: 'INE238A01034', 'qty.INE238A01034': '34', trade_type: 'PRE' })
		const sent = opened.asked.findLast(({ url }) => url.includes('/edis-stock-verify'))
		expect((((await sent?.json()) ?? { data: [] }) as { data: Row[] }).data.map(({ isin, qty }) => [isin, qty])).toEqual([
			['INE238A01034', 34],
		])
	})

	test('has one row to pledge', async () => {
		const { visitor, html } = await readWith(PLEDGE, '/v1/margin_epledge_data', (json) => {
			const { filtered_df } = json.data as { filtered_df: Row[] }
			const axis = filtered_df.find(({ ISIN }) => ISIN === 'INE238A01034')
			filtered_df.push({ ...axis, QTY: 5, FREE_QTY: 5, PLEDGED_QTY: 0, VALUE: 6731.5, MARGIN: 0 })
		})
		expect(readFormRows(html).flatMap(({ isin, cells }) => (isin === 'INE238A01034' ? [cells.Free] : []))).toEqual(['34'])
		const asked = await visitor.post(PLEDGE, PLEDGE, { action: 'pledge', 'qty.INE238A01034': '34' })
		expect(asked.headers.get('location')).toMatch(/review\?action=pledge&INE238A01034=34&/)
	})
})

test('a ledger that is in debit does not hide what another can pay', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	opened.breakBroker(async (request) => {
		const { pathname, searchParams } = new URL(request.url)
		if (pathname !== '/v2/fund/withdrawable-amount' || searchParams.get('cocd') !== 'MCX') return undefined
		return Response.json({ status: 'success', message: '', data: { balance: -1250.5, ledger: -1250.5, unsettled: 0, margin_used: 0 } })
	})
	const { html } = await visitor.visit('/funds/withdraw')
	expect(readText(html)).toMatch(/You can withdraw ₹ 39,091\.78 .*Commodity/)
	expect(readText(html)).not.toContain('not known at the moment')
})

describe('bank accounts', () => {
	const BANKS = '/v2/account-profile/bank-details'

	test('with small letters, blanks and an apostrophe take payments', async () => {
		const { words } = await readWith('/funds', BANKS, (json) => {
			for (const bank of rowsOf(json)) {
				bank.ifsc_code_act = String(bank.ifsc_code_act).toLowerCase()
				bank.bank_acno = `'${String(bank.bank_acno).slice(0, 4)} ${String(bank.bank_acno).slice(4)}`
			}
		})
		expect(words).not.toContain('No registered bank account')
		expect(words).toContain('HDFC BANK LTD ••••••4821')
	})

	test.each([null, 'NA', ''])('without an IFSC (%s) take a payout, and no pay-in', async (ifsc) => {
		const omit = (json: Json) => rowsOf(json).forEach((bank) => Object.assign(bank, { ifsc_code_act: ifsc }))
		expect((await readWith('/funds/withdraw', BANKS, omit)).words).toContain('HDFC BANK LTD ••••••4821')
		expect((await readWith('/funds', BANKS, omit)).words).toContain(
			'No registered bank account of yours can be used here: the broker states no complete account number and IFSC of it.',
		)
	})
})

test('categories of an issue in small letters are open to the client', async () => {
	const { words } = await readWith('/connect/ipo/NOVATEC', '/ipo/v1/get-ipo-details', (json) => {
		for (const issue of rowsOf(json)) for (const category of issue.categories as Row[]) category.code = String(category.code).toLowerCase()
	})
	expect(words).not.toContain('None of the categories')
	expect(words).toContain('Individual')
})

describe('a profile', () => {
	const PROFILE = '/v2/account-profile/personal-details'

	test('of a company has no first name', async () => {
		const { status, words } = await readWith('/myaccount', PROFILE, (json) => {
			const { personal_details } = json.data as { personal_details: Row }
			delete personal_details.first_name
		})
		expect([status, words]).toEqual([200, expect.stringContaining('Personal details')])
	})

	test('keeps a name that is also a word for none', async () => {
		const { words } = await readWith('/myaccount', PROFILE, (json) => {
			Object.assign((json.data as { personal_details: Row }).personal_details, { first_name: 'Nil', middle_name: '-', last_name: 'Das' })
		})
		expect(words).toContain('Name Nil Das')
	})

	test.each([
		['Y', 'Active'],
		[true, 'Active'],
		[1, 'Active'],
		['N', 'Not signed'],
		[false, 'Not signed'],
	])('has the DDPI as a flag: %s is %s', async (flag, shown) => {
		const { words } = await readWith('/myaccount', PROFILE, (json) => {
			Object.assign((json.data as { dp_details: Row }).dp_details, { ddpi_status: flag })
		})
		expect(words).toContain(`DDPI ${shown}`)
		expect(words.includes('Sign the DDPI')).toBe(shown === 'Not signed')
	})

	test.each(['1900-01-01', ' 01 Jan 1900', '30/12/1899 00:00:00', '0001-01-01T00:00:00', '0000-00-00'])(
		'has no birthday on %s',
		async (day) => {
			const { words } = await readWith('/myaccount', PROFILE, (json) => {
				const { personal_details } = json.data as { personal_details: Row }
				personal_details.dob = day
			})
			expect(words).toContain('Date of birth —')
		},
	)
})

test('a DDPI of an unknown status is not offered for signing', async () => {
	const { words } = await readWith('/dpprocess/ddpi', '/edis/v1/detailed_file', (json) => {
		Object.assign(json.data as Row, { ddpi_status: 'UNDER_PROCESS' })
	})
	expect(words).toContain('Status UNDER_PROCESS')
	expect(words).not.toContain('Proceed to e-sign')
})

describe('a ledger', () => {
	const LEDGER = '/v2/service/reports/ledger'
	const listRows = (json: Json) => (json.data as { filtered_df: Row[] }).filtered_df
	const isOpening = ({ VOUCHER_TYPE }: Row) => VOUCHER_TYPE === 'OPENING'
	const strip = (html: string) => readAll(html, 'main dl').join(' ')

	test.each<[string, (row: Row) => void]>([
		['OP', (row) => (row.VOUCHER_TYPE = 'OP')],
		['Opening Balance', (row) => (row.VOUCHER_TYPE = 'Opening Balance')],
		['only in the narration', (row) => Object.assign(row, { VOUCHER_TYPE: '', NARRATION: 'OPENING BALANCE B/F' })],
		['brought forward', (row) => Object.assign(row, { VOUCHER_TYPE: null, NARRATION: 'By Balance B/F' })],
		['without a day', (row) => (row.VOUCHER_DATE = null)],
		['on the first day of all', (row) => (row.VOUCHER_DATE = '01/01/1900')],
	])('has its opening, written as %s', async (_, write) => {
		const visitor = await signedIn(opened, 'DEMO01')
		const plain = await visitor.visit('/reports/ledger')
		expect(strip(plain.html)).toMatch(/Opening balance ₹ 3,43,613\.60/)
		const { html } = await readWith('/reports/ledger', LEDGER, (json) => listRows(json).filter(isOpening).forEach(write))
		expect(strip(html)).toBe(strip(plain.html))
	})

	test('newest first has its undated opening at its end', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const plain = await visitor.visit('/reports/ledger')
		const { html } = await readWith('/reports/ledger', LEDGER, (json) => {
			for (const row of listRows(json).filter(isOpening)) row.VOUCHER_DATE = ''
			listRows(json).reverse()
		})
		expect(strip(html)).toBe(strip(plain.html))
		expect(readText(html)).toContain('Opening + credits − debits = closing, as the broker states it.')
	})

	test('is not proved when the type of a row cannot be read', async () => {
		const { words } = await readWith('/reports/ledger', LEDGER, (json) => {
			for (const row of listRows(json).filter(isOpening)) row.VOUCHER_TYPE = { code: 1 }
		})
		expect(words).not.toContain('Opening + credits − debits = closing')
		expect(words).toContain('could not be read')
	})

	test('has its sums when one row has no type', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const plain = await visitor.visit('/reports/ledger')
		const { html } = await readWith('/reports/ledger', LEDGER, (json) => {
			Object.assign(listRows(json).findLast((row) => !isOpening(row)) ?? {}, { VOUCHER_TYPE: null })
		})
		expect(strip(html)).toBe(strip(plain.html))
	})

	test('adds up when its balance runs over the segments that are posted to it', async () => {
		const { words } = await readWith('/reports/ledger', LEDGER, (json) => {
			for (const row of listRows(json)) if (String(row.NARRATION).includes(' FNO ')) row.COCD = 'NSE_FNO'
		})
		expect(words).toContain('Opening + credits − debits = closing, as the broker states it.')
	})
})

test('the portfolio of the dashboard is in the order of its days', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const readValue = (words: string) => /Value on .*? ₹ [\d,.]+/.exec(words)?.[0]
	const plain = readValue(readText((await visitor.visit('/dashboard')).html))
	const { words } = await readWith('/dashboard?refresh=1', '/v1/user/dashboard', (json) => {
		;(json.data as { history: Row[] }).history.reverse()
	})
	expect(plain).toBeDefined()
	expect(readValue(words)).toBe(plain)
})

test('totals that contradict their rows are named', async () => {
	// Of 60 HDFC Bank at 723.25 and 150 ITC at 234.40, less 15 %.
	const pledge = await readWith(PLEDGE, '/v1/margin_epledge_data', (json) => {
		Object.assign((json.data as { total: Row }).total, { MARGIN: 1 })
	})
	expect(pledge.words).toContain('The rows add up to a margin of ₹ 66,771.75, but the broker states ₹ 1.00.')
	const funding = await readWith('/connect/mtf', '/v2/account-profile/mtf-details', (json) =>
		Object.assign(json.data as Row, { funded_amount: 1 }),
	)
	expect(funding.words).toMatch(
		/Funded: the positions add up to ₹ [\d,]+\.\d\d, but the broker states ₹ 1\.00\. Ask the broker which is right\./,
	)
	opened.breakBroker(undefined)
	for (const page of [PLEDGE, '/connect/mtf']) expect(readText((await pledge.visitor.visit(page)).html)).not.toContain('add up to')
})

test('a limit of 0 is no limit, and leaves those of the other form', async () => {
	const LIMITS = '/v1/ours/fund-limits'
	const free = await readWith('/funds', LIMITS, (json) => Object.assign(json.data as Row, { payin_max: 0, upi_max: 0 }))
	expect([free.status, free.words]).toEqual([200, expect.stringContaining('Bank account')])
	expect(free.words).not.toMatch(/From ₹|up to ₹/)
	const other = await readWith('/funds', LIMITS, (json) => Object.assign(json.data as Row, { mandate_aadhaar_max: 0 }))
	expect(other.words).toContain('From ₹ 1 to ₹ 10,00,000; by UPI up to ₹ 5,00,000 a day.')
})

test('text that only says that there is none is shown as none', async () => {
	const { words, visitor } = await readWith('/funds/history', '/v1/account_profile/list_of_funds_payout_payin', (json) => {
		for (const row of rowsOf(json)) row.remarks = 'NULL'
	})
	expect(words).not.toMatch(/\bnull\b/i)
	expect(await (await visitor.send('/downloads/payins/csv')).text()).not.toMatch(/\bnull\b/i)
})
