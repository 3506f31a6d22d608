import { sql } from 'drizzle-orm'
import { type LedgerCocd } from '#contract/common'
import { addDays, type Day } from '#contract/values/dates'
import { type Paise, formatPlainAmount } from '#contract/values/money'
import { SEGMENT_NAMES } from '#contract/values/segments'
import { type Books } from '#sandbox/db/open'
import { readRows } from './rows'
import { type Account } from './voucher'

/*
 * The book as a journal of hledger (https://hledger.org/hledger.html, "Journal format"): one transaction per voucher, rupees with two
 * decimals. In hledger a debit is positive, in the book a credit is, so amounts change their sign. `memo` accounts hold money that never
 * reaches the broker: money in clients' own banks, and at companies that pay dividends. In them the client's money is positive in the
 * book and in hledger.
 */

const NAMES: Record<Account, string> = {
	CLIENT: 'liabilities:clients',
	MARGIN: 'liabilities:margin blocked',
	MTF: 'assets:margin funding',
	OWN_BANK: 'memo:banks of clients',
	ASBA: 'memo:blocked for IPO bids',
	TDS: 'memo:tax deducted at source',
	ISSUER: 'memo:companies',
	HOUSE_BANK: 'assets:bank',
	CLEARING: 'assets:clearing corporation',
	BROKERAGE: 'revenues:brokerage',
	DEPOSITORY: 'revenues:depository charges',
	INTEREST: 'revenues:interest',
	EXCHANGE: 'liabilities:payable:exchange transaction charges',
	SEBI: 'liabilities:payable:SEBI turnover fees',
	GST: 'liabilities:payable:GST',
	STT: 'liabilities:payable:securities transaction tax',
	CTT: 'liabilities:payable:commodities transaction tax',
	STAMP: 'liabilities:payable:stamp duty',
}

type Posting = { account: Account; client: string | null; cocd: LedgerCocd | null; amount: Paise }
/** A posting with the data of its voucher. */
type Line = Posting & { number: string; day: Day; narration: string; bill: string | null; settlesOn: Day }

/** `liabilities:clients:DEMO01:equity`. */
function nameAccount({ account, client, cocd }: Omit<Posting, 'amount'>): string {
	const ledger = cocd === null ? [] : [SEGMENT_NAMES[cocd].toLowerCase()]
	return [NAMES[account], ...(client === null ? [] : [client, ...ledger])].join(':')
}

/**
 * The amount of a posting with hledger's sign, in paise. A voucher with memo accounts has only memo accounts, so it still sums to zero.
 */
const signDebit = ({ account, amount }: Posting): Paise => (NAMES[account].startsWith('memo:') ? amount : 0 - amount)

/** Removes characters that end a description in hledger: the start of a comment, the separator of a payee, a new line. */
const describe = (narration: string) => narration.replace(/[;|\s]+/g, ' ').trim()

function writeHead({ number, day, narration, bill, settlesOn }: Line): string {
	const tags = [...(settlesOn === day ? [] : [`settles:${settlesOn}`]), ...(bill === null ? [] : [`bill:${bill}`])]
	return `\n${day} * (${number}) ${describe(narration)}${tags.length === 0 ? '' : `  ; ${tags.join(', ')}`}\n`
}

/** Lines in the order of their vouchers; each voucher's head is above its first line. */
function writeLines(lines: readonly Line[]): string {
	return lines
		.map((line, at) => {
			const head = lines[at - 1]?.number === line.number ? '' : writeHead(line)
			return `${head}    ${nameAccount(line)}  ${formatPlainAmount(signDebit(line))} INR\n`
		})
		.join('')
}

/**
 * The journal of the whole book, or of one client's vouchers, oldest first. Each part holds one month. Every account is declared, so
 * that `hledger check --strict` accepts it. An unknown client has no vouchers.
 */
export async function* writeJournal(books: Books, client?: string): AsyncGenerator<string> {
	const [book] = await readRows<{ first: Day | null; last: Day | null; voucher: number }>(
		books,
		sql`SELECT min(day)::text AS first, max(day)::text AS last, coalesce(max(id), 0)::float8 AS voucher FROM vouchers`,
	)
	// Postings made during the read are left out, because their accounts might not be declared.
	const isWanted = sql`v.id <= ${book?.voucher ?? 0} ${
		client === undefined ? sql`` : sql`AND EXISTS (SELECT FROM postings c WHERE c.voucher_id = v.id AND c.client = ${client})`
	}`
	const accounts = await readRows<Omit<Posting, 'amount'>>(
		books,
		sql`SELECT DISTINCT p.account, p.client, p.cocd FROM postings p JOIN vouchers v ON v.id = p.voucher_id WHERE ${isWanted}`,
	)
	yield `; The book of the sandbox broker${client === undefined ? '' : `, the vouchers of ${client}`}. Debits are positive.\n`
	const names = [...new Set(accounts.map(nameAccount))].toSorted()
	yield `decimal-mark .\ncommodity 1000.00 INR\n${names.map((name) => `account ${name}\n`).join('')}`
	for (let month = book?.first?.slice(0, 7); month !== undefined && month <= (book?.last ?? '');) {
		const next = addDays(`${month}-01`, 31).slice(0, 7)
		const lines = await readRows<Line>(
			books,
			sql`SELECT v.voucher_no AS number, v.day::text AS day, v.narration, v.bill_no AS bill, v.settles_on::text AS "settlesOn",
				p.account, p.client, p.cocd, p.amount::float8 AS amount
			FROM vouchers v JOIN postings p ON p.voucher_id = v.id
			WHERE v.day >= ${`${month}-01`} AND v.day < ${`${next}-01`} AND ${isWanted} ORDER BY v.day, v.id, p.id`,
		)
		if (lines.length > 0) yield writeLines(lines)
		month = next
	}
}
