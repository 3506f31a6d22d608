import { and, asc, eq, gt, lte } from 'drizzle-orm'
import { Hono } from 'hono'
import { z } from 'zod/v4'
import { type LedgerCocd } from '#contract/common'
import { CancelPayoutRequest, PayoutResult, PayoutTimetable, RequestPayoutRequest } from '#contract/funds'
import { toIndianDay } from '#contract/values/dates'
import { formatRupees, type Paise, toPaise, formatPlainAmount, toRupees } from '#contract/values/money'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData, invalidField, NO_DATA, parseBody, Refused } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { postPayOut } from '#sandbox/book/entries'
import { readFreeBalance, readFreeBeforePayouts } from '#sandbox/book/read-deductions'
import { recordVouchers } from '#sandbox/book/record'
import { findClient, listLedgers } from '#sandbox/clients/clients'
import { type Queries } from '#sandbox/db/open'
import { payouts } from '#sandbox/db/schema'
import { readStored } from '#sandbox/modifications/stored'
import { findBatch } from '#sandbox/rules/payout-batches'
import { splitPayout } from '#sandbox/rules/payout-split'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { readNextAccountDay } from './account'
import { createReference, createUtr } from './references'

const ALREADY = 'A payout request is already pending'
const TOO_LATE = 'The batch of this payout is closed. It cannot be cancelled any more.'

const readFree = async (tx: Queries, client: string, cocd: LedgerCocd, now: Date): Promise<Paise> =>
	Math.max(0, (await readFreeBalance({ db: tx }, client, cocd, toIndianDay(now))).free)

type Asked = {
	checkbox_payout: LedgerCocd[]
	amount: Paise
	bank: { bank_name: string; bank_acno: string }
	idempotency_key: string | null
}

/** Payouts: requested, listed with their batch, cancelled. */
export function payoutCalls(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	addRequestPayout(routes, parts)
	addPayoutTimetable(routes, parts)
	addCancelPayout(routes, parts)
	return routes
}

/** Stores a payout request. The first ledger pays what it can, the next pays the rest; each part joins the next batch of its ledger. */
async function place(
	{ clock }: SandboxParts,
	tx: Queries,
	client: string,
	{ checkbox_payout, amount, bank, idempotency_key }: Asked,
): Promise<string> {
	const now = clock.now()
	const profile = (await findClient({ db: tx }, client))?.profile
	const held = profile ? listLedgers(profile) : []
	const ledgers = [...new Set(checkbox_payout)]
	if (ledgers.some((cocd) => !held.includes(cocd))) throw invalidField('checkbox_payout', 'This ledger is not active')
	const open = await tx
		.select({ cocd: payouts.cocd })
		.from(payouts)
		.where(and(eq(payouts.client, client), eq(payouts.status, 'PENDING')))
	if (open.some(({ cocd }) => ledgers.some((each) => each === cocd))) throw new Refused(409, ALREADY)
	const free: Paise[] = []
	for (const cocd of ledgers) free.push(await readFree(tx, client, cocd, now))
	const shares = splitPayout(amount, free)
	if (shares === undefined) {
		const withdrawable = free.reduce((sum, each) => sum + each, 0)
		throw new Refused(422, `Amount is above the withdrawable balance of Rs ${formatPlainAmount(withdrawable)}`)
	}
	const request_id = createReference('PO', now)
	for (const [at, cocd] of ledgers.entries()) {
		const share = shares[at] ?? 0
		if (share === 0) continue
		const { cutOff: cut_off, creditedBy: credited_by } = findBatch(cocd, now)
		const batch = { cut_off, credited_by, status: 'PENDING', paid: 0, remarks: 'Client request' }
		const { bank_name, bank_acno } = bank
		await tx
			.insert(payouts)
			.values({ request_id, cocd, client, idempotency_key, asked_at: now, amount: share, bank_name, bank_acno, ...batch })
	}
	return request_id
}

function addRequestPayout(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { books } = parts
	routes.post(
		'/v1/account_profile/fund_payout',
		describeOperation({
			id: 'requestPayout',
			summary: 'Ask for a pay-out',
			changes: true,
			query: Source,
			body: RequestPayoutRequest,
			data: PayoutResult,
		}),
		async (c) => {
			const asked = await parseBody(c, RequestPayoutRequest)
			const { code } = c.var.client
			if (asked.client_code !== code) throw new Refused(403, 'Forbidden')
			const idempotency_key = c.req.header('idempotency-key') ?? null
			const amount = toPaise(asked.ledger_balance)
			const request_id = await books.db.transaction(async (tx) => {
				const { banks } = await readStored(tx, code, true)
				const own = eq(payouts.client, code)
				const [earlier] = idempotency_key
					? await tx
							.select()
							.from(payouts)
							.where(and(own, eq(payouts.idempotency_key, idempotency_key)))
					: []
				if (earlier) return earlier.request_id
				const bank = banks.find(({ bank_acno }) => bank_acno === asked.bank_acno)
				if (bank === undefined) throw new Refused(422, 'Bank account is not registered')
				return await place(parts, tx, code, { ...asked, amount, bank, idempotency_key })
			})
			return sendData(c, 'Payout request placed successfully', {
				request_id,
				status: 'PENDING',
				amount: toRupees(amount),
			} satisfies z.input<typeof PayoutResult>)
		},
	)
}

function addPayoutTimetable(routes: Hono<SandboxEnv>, { clock, books }: SandboxParts) {
	routes.get(
		'/v1/ours/payout-timetable',
		describeOperation({ id: 'getPayoutTimetable', summary: 'Batches and pay-outs under way', query: Source, data: PayoutTimetable }),
		async (c) => {
			const { code } = c.var.client
			const now = clock.now()
			const client = await findClient(books, code)
			const open = await books.db
				.select()
				.from(payouts)
				.where(and(eq(payouts.client, code), eq(payouts.status, 'PENDING')))
				.orderBy(asc(payouts.asked_at), asc(payouts.cocd))
			const timetable: z.input<typeof PayoutTimetable> = {
				settles_on: await readNextAccountDay(books, code, now),
				ledgers: (client ? listLedgers(client.profile) : []).map((COCD) => {
					const { cutOff, creditedBy } = findBatch(COCD, now)
					return { COCD, cut_off: cutOff.toISOString(), credited_by: creditedBy.toISOString() }
				}),
				open: open.map(({ request_id, cocd, amount, asked_at, cut_off, credited_by }) => ({
					request_id,
					COCD: cocd as LedgerCocd,
					amount: toRupees(amount),
					asked_at: asked_at.toISOString(),
					cut_off: cut_off.toISOString(),
					credited_by: credited_by.toISOString(),
					// All parts of a request can be cancelled or none: a part that is already with the bank blocks the others.
					can_cancel: open.every((other) => other.request_id !== request_id || now < other.cut_off),
				})),
			}
			return sendData(c, 'Timetable fetched', timetable)
		},
	)
}

function addCancelPayout(routes: Hono<SandboxEnv>, { clock, books }: SandboxParts) {
	routes.post(
		'/v1/ours/cancel-payout',
		describeOperation({
			id: 'cancelPayout',
			summary: 'Cancel a pay-out',
			changes: true,
			query: Source,
			body: CancelPayoutRequest,
			data: z.null(),
		}),
		async (c) => {
			const { request_id } = await parseBody(c, CancelPayoutRequest)
			const { code } = c.var.client
			const now = clock.now()
			await books.db.transaction(async (tx) => {
				const its = and(eq(payouts.client, code), eq(payouts.request_id, request_id))
				const rows = await tx.select().from(payouts).where(its).for('update')
				if (rows.length === 0) throw new Refused(404, NO_DATA)
				if (rows.every(({ status }) => status === 'CANCELLED')) return
				if (rows.some(({ status, cut_off }) => status !== 'PENDING' || now >= cut_off)) throw new Refused(409, TOO_LATE)
				await tx
					.update(payouts)
					.set({ status: 'CANCELLED', ended_at: now, remarks: 'Cancelled by you' })
					.where(and(its, gt(payouts.cut_off, now)))
			})
			return sendData(c, 'Payout cancelled', null)
		},
	)
}

/**
 * Pays the payouts that are due, in the order of the batches. It never pays more than is free at that moment, because charges may have
 * been posted after the request. The posting and the status are one transaction.
 */
export async function settlePayouts(tx: Queries, client: string, now: Date): Promise<void> {
	const due = await tx
		.select()
		.from(payouts)
		.where(and(eq(payouts.client, client), eq(payouts.status, 'PENDING'), lte(payouts.credited_by, now)))
		.orderBy(asc(payouts.credited_by))
		.for('update')
	for (const { request_id, cocd, amount, credited_by } of due) {
		const ledger = cocd as LedgerCocd
		const its = and(eq(payouts.request_id, request_id), eq(payouts.cocd, cocd))
		const { free } = await readFreeBeforePayouts({ db: tx }, client, ledger, toIndianDay(credited_by))
		const paid = Math.min(amount, Math.max(0, free))
		if (paid === 0) {
			const remarks = 'Nothing was free to pay at that time'
			await tx.update(payouts).set({ status: 'REJECTED', ended_at: credited_by, remarks }).where(its)
			continue
		}
		const utr = createUtr('BANK', credited_by)
		const day = toIndianDay(credited_by)
		const { voucher_no } = await recordVouchers(tx, day, (journal) =>
			postPayOut(journal, { client, cocd: ledger, day }, paid, 'CLIENT REQUEST', utr),
		)
		const remarks = paid < amount ? `${formatRupees(amount - paid)} less than asked: no more was free at that time` : 'Client request'
		await tx.update(payouts).set({ status: 'SUCCESS', paid, ended_at: credited_by, utr, remarks, voucher_no }).where(its)
	}
}
