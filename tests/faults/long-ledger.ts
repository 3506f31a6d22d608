import { readText } from '#tests/support/readers'
import { type ResponseFault } from './broken-responses'

/* A ledger of 100,000 rows. It is correct, but longer than one page may show, and takes seconds of work if done at once. */

const ROWS = 100_000

/** An opening balance of ₹ 1,000, then ₹ 2 in and ₹ 1 out in turn. */
function rowAt(index: number, day: string, cocd: string) {
	const isCredit = index % 2 === 1
	const row = { VOUCHER_DATE: day, VOUCHER_NO: `V${index}`, COCD: cocd, SETL_NO: null, NARRATION: 'By turns', BILL_NO: null }
	if (index === 0) return { ...row, VOUCHER_TYPE: 'OPENING', DR_AMT: 0, CR_AMT: 1000, BALANCE: 1000 }
	const BALANCE = 1000 + 2 * Math.ceil(index / 2) - Math.floor(index / 2)
	return { ...row, VOUCHER_TYPE: isCredit ? 'RECEIPT' : 'PAYMENT', DR_AMT: isCredit ? 0 : 1, CR_AMT: isCredit ? 2 : 0, BALANCE }
}

/*
 * Rows 1 to 99,999 are 50,000 credits and 49,999 debits: ₹ 1,00,000 in and ₹ 49,999 out.
 *   closing  1,000 + 1,00,000 − 49,999 = 51,001
 *   foot     debits 49,999; credits 1,000 + 1,00,000 = 1,01,000
 */
const TOTALS = { DR_AMT: 49_999, CR_AMT: 101_000, BALANCE: 51_001 }
const PROOF = 'Closing balance ₹ 51,001.00 Cr Opening balance ₹ 1,000.00 Cr Credits ₹ 1,00,000.00 Debits ₹ 49,999.00'

/** What is wrong with a page of that ledger whose first row has this number. */
export function findWrong(html: string, first: number): string[] {
	const text = readText(html)
	const numbers = [...html.matchAll(/<td class="figure n[^"]*">(\d+)<\/td>/g)].map(([, number]) => Number(number))
	const grouped = new Intl.NumberFormat('en-IN')
	const range = `${grouped.format(first)}–${grouped.format(first + 99)} of 1,00,000`
	const foot = readText(/<tfoot>.*?<\/tfoot>/s.exec(html)?.[0] ?? '')
	return [
		...(numbers.length === 100 && numbers[0] === first && numbers[99] === first + 99
			? []
			: [`has rows ${numbers[0]} to ${numbers.at(-1)}`]),
		...(text.includes(range) ? [] : [`does not say ${range}`]),
		...(text.includes(PROOF) && text.includes('as the broker states it') ? [] : ['does not prove the ledger']),
		...(/49,999\.00 1,01,000\.00 51,001\.00 Cr/.test(foot) ? [] : [`has the foot ${foot}`]),
	]
}

export const LONG_LEDGER: ResponseFault = {
	name: '100,000 rows',
	isUsable: true,
	isHeavy: true,
	answer: (_, { url }) => {
		const query = new URL(url).searchParams
		const day = query.get('from_date') ?? `${query.get('dataYear')}-04-01`
		const filtered_df = Array.from({ length: ROWS }, (__, index) => rowAt(index, day, query.get('cocd') ?? 'NSE_CASH'))
		return Response.json({ status: 'success', message: 'ok', data: { filtered_df, totals_df: [TOTALS] } })
	},
	findWrong: (html) => findWrong(html, 1),
}
