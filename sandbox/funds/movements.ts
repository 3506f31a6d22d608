import { desc, eq, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { type z } from 'zod/v4'
import { type LedgerCocd } from '#contract/common'
import { type FundMovement, FundMovements, FundMovementType, UnauthorizedPayments } from '#contract/funds'
import { type Day, formatDay, toIndianDay } from '#contract/values/dates'
import { toRupees } from '#contract/values/money'
import { SEGMENT_BY_LEDGER } from '#contract/values/segments'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData, parseQuery } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { readRows } from '#sandbox/book/rows'
import { maskAccount } from '#sandbox/clients/masks'
import { origin, payins, payouts, unregisteredPayments } from '#sandbox/db/schema'
import { readStored } from '#sandbox/modifications/stored'
import { findAccountOn } from '#sandbox/reference-data/bank-accounts'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'

const TypeQuery = Source.extend({ type: FundMovementType })
type Movement = z.input<typeof FundMovement>

/** The maximum number of rows in the contract. */
const MOST = 100

/** Lists of pay-ins, payouts and refused payments. The seed's part is read from the ledger, so the lists and the ledger agree. */
export function movementCalls(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	addFundMovements(routes, parts)
	addUnauthorizedPayments(routes, parts)
	return routes
}

async function listPayins({ books }: SandboxParts, code: string): Promise<Movement[]> {
	const rows = await books.db.select().from(payins).where(eq(payins.client, code)).orderBy(desc(payins.asked_at)).limit(MOST)
	return rows.map((row) => ({
		request_id: row.request_id,
		date: toIndianDay(row.status === 'SUCCESS' && row.ended_at ? row.ended_at : row.asked_at),
		amount: toRupees(row.amount),
		segment: SEGMENT_BY_LEDGER[row.cocd as LedgerCocd],
		mode: row.mode,
		bank_name: row.bank_name,
		bank_acno: maskAccount(row.bank_acno),
		status: row.status as Movement['status'],
		utr: row.utr,
		remarks: row.remarks,
	}))
}

async function listPayouts({ books }: SandboxParts, code: string): Promise<Movement[]> {
	const rows = await books.db
		.select()
		.from(payouts)
		.where(eq(payouts.client, code))
		.orderBy(desc(payouts.asked_at), payouts.cocd)
		.limit(MOST)
	return rows.map((row) => ({
		request_id: row.request_id,
		date: toIndianDay(row.status === 'SUCCESS' && row.ended_at ? row.ended_at : row.asked_at),
		amount: toRupees(row.status === 'SUCCESS' ? row.paid : row.amount),
		segment: SEGMENT_BY_LEDGER[row.cocd as LedgerCocd],
		mode: 'NEFT',
		bank_name: row.bank_name,
		bank_acno: maskAccount(row.bank_acno),
		status: row.status as Movement['status'],
		utr: row.utr,
		remarks: row.remarks,
	}))
}

/** Receipts and payments of the ledger without a request in the lists above. */
async function listBooked({ books }: SandboxParts, code: string, type: FundMovementType): Promise<Movement[]> {
	const { banks } = await readStored(books.db, code)
	const now = banks.find(({ set_default }) => set_default) ?? banks[0]
	if (now === undefined) return []
	const [made] = await books.db.select({ day: origin.day }).from(origin)
	// Old payments used the client's default account of that time, whatever the default is now.
	const accountThen = (client: string, day: Day) => (made && day <= made.day ? findAccountOn(client, day) : undefined)
	const asked = type === 'payin' ? payins : payouts
	const rows = await readRows<{ voucher_no: string; day: string; narration: string; amount: number; cocd: string }>(
		books,
		sql`SELECT v.voucher_no, v.day::text AS day, v.narration, abs(p.amount)::float8 AS amount, p.cocd
			FROM postings p JOIN vouchers v ON v.id = p.voucher_id
			WHERE p.account = 'CLIENT' AND p.client = ${code} AND v.type = ${type === 'payin' ? 'RECEIPT' : 'PAYMENT'}
				AND NOT EXISTS (SELECT 1 FROM ${asked} a WHERE a.voucher_no = v.voucher_no)
			ORDER BY v.day DESC, v.voucher_no DESC LIMIT ${MOST}`,
	)
	return rows.map(({ voucher_no, day, narration, amount, cocd }) => {
		const said = /^PAY-(?:IN (?<mode>[A-Z]+)|OUT (?<reason>[A-Z ]+?)) UTR (?<utr>[A-Z0-9]+)$/.exec(narration)?.groups
		const reason = said?.reason?.toLowerCase() ?? ''
		const bank = accountThen(code, day) ?? now
		return {
			request_id: `${type === 'payin' ? 'PI' : 'PO'}-${voucher_no}`,
			date: day,
			amount: toRupees(amount),
			segment: SEGMENT_BY_LEDGER[cocd as LedgerCocd],
			mode: said?.mode ?? 'NEFT',
			bank_name: bank.bank_name,
			bank_acno: maskAccount(bank.bank_acno),
			status: 'SUCCESS',
			utr: said?.utr ?? null,
			remarks: reason.slice(0, 1).toUpperCase() + reason.slice(1),
		}
	})
}

function addFundMovements(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	routes.get(
		'/v1/account_profile/list_of_funds_payout_payin',
		describeOperation({ id: 'listFundMovements', summary: 'Pay-ins or pay-outs', query: TypeQuery, data: FundMovements }),
		async (c) => {
			const { type } = parseQuery(c, TypeQuery)
			const { code } = c.var.client
			const asked = type === 'payin' ? await listPayins(parts, code) : await listPayouts(parts, code)
			const rows = [...asked, ...(await listBooked(parts, code, type))].sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0))
			return sendData(c, type === 'payin' ? 'Pay-in list fetched' : 'Pay-out list fetched', rows.slice(0, MOST))
		},
	)
}

function addUnauthorizedPayments(routes: Hono<SandboxEnv>, { clock, books }: SandboxParts) {
	routes.get(
		'/v2/fund/unauthorized-payments',
		describeOperation({
			id: 'listUnauthorizedPayments',
			summary: 'Payments from unregistered accounts',
			query: Source,
			data: UnauthorizedPayments,
		}),
		async (c) => {
			const day = toIndianDay(clock.now())
			const rows = await books.db
				.select()
				.from(unregisteredPayments)
				.where(eq(unregisteredPayments.client, c.var.client.code))
				.orderBy(desc(unregisteredPayments.day), desc(unregisteredPayments.utr))
				.limit(MOST)
			const payments: z.input<typeof UnauthorizedPayments> = rows.map(({ utr, day: date, amount, returned_on, reason, ...from }) => {
				const isBack = returned_on !== null && returned_on <= day
				return {
					date,
					amount: toRupees(amount),
					utr,
					from_account: maskAccount(from.from_account),
					from_name: from.from_name,
					status: returned_on === null ? 'ON_HOLD' : isBack ? 'REFUNDED' : 'REFUND_PENDING',
					remarks: returned_on === null ? reason : `${reason}; ${isBack ? 'returned' : 'goes back'} on ${formatDay(returned_on)}`,
				}
			})
			return sendData(c, rows.length === 0 ? 'No unauthorized payments' : 'Unauthorized payments fetched', payments)
		},
	)
}
