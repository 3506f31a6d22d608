import { and, eq, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { type z } from 'zod/v4'
import { type LedgerCocd } from '#contract/common'
import { CreatePayinRequest, PaymentType, PayinResult } from '#contract/funds'
import { type Day, toIndianDay } from '#contract/values/dates'
import { type Paise, toPaise } from '#contract/values/money'
import { LEDGER_BY_SEGMENT } from '#contract/values/segments'
import { describeOperation } from '#sandbox/api/describe-operation'
import { formatOwnAddress } from '#sandbox/api/page-url'
import { sendData, invalidField, parseBody, parseQuery, Refused } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { postPayIn } from '#sandbox/book/entries'
import { lockBook, recordVouchers } from '#sandbox/book/record'
import { findClient, listLedgers } from '#sandbox/clients/clients'
import { type Queries } from '#sandbox/db/open'
import { payins, unregisteredPayments } from '#sandbox/db/schema'
import { readStored } from '#sandbox/modifications/stored'
import { findBankCode } from '#sandbox/reference-data/banks'
import { findSettlementDay } from '#sandbox/rules/calendar'
import { findUpiLimit } from '#sandbox/rules/utr'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { PAYIN_MAX, PAYIN_MIN, UPI_MAX } from './limits'
import { createReference, newToken, createUtr } from './references'

/** How long a payment page stays open, and how long a bank takes to report the result, in milliseconds. */
export const PAYIN_LIFE_MS = 30 * 60_000

export type Payin = typeof payins.$inferSelect

const PayinQuery = Source.extend({ payment_type: PaymentType })

/** Pay-ins: the request returns the address of the payment page. The ledger changes only when the payment succeeds. */
export function payinCalls({ books, clock, settings }: SandboxParts) {
	const routes = new Hono<SandboxEnv>()

	async function examine(code: string, type: PaymentType, asked: CreatePayinRequest): Promise<{ amount: Paise; cocd: LedgerCocd }> {
		const amount = toPaise(asked.amount)
		const cocd = LEDGER_BY_SEGMENT[asked.segment]
		const client = await findClient(books, code)
		if (client === undefined || !listLedgers(client.profile).includes(cocd)) throw invalidField('segment', 'This segment is not active')
		if (type === 'upi' && !asked.upi_id) throw invalidField('upi_id', 'UPI id is required')
		if (amount < PAYIN_MIN) throw invalidField('amount', 'Amount is below Rs 1')
		if (type === 'upi' && amount > UPI_MAX) throw new Refused(422, `Amount is above the UPI limit of Rs ${UPI_MAX / 100}`)
		if (amount > PAYIN_MAX) throw new Refused(422, `Amount is above the limit of Rs ${PAYIN_MAX / 100}`)
		return { amount, cocd }
	}

	routes.post(
		'/atompay/v2/Request',
		describeOperation({
			id: 'createPayinRequest',
			summary: 'Start a pay-in',
			changes: true,
			query: PayinQuery,
			body: CreatePayinRequest,
			data: PayinResult,
		}),
		async (c) => {
			const { payment_type } = parseQuery(c, PayinQuery)
			const asked = await parseBody(c, CreatePayinRequest)
			const { code } = c.var.client
			const { amount, cocd } = await examine(code, payment_type, asked)
			const now = clock.now()
			const idempotency_key = c.req.header('idempotency-key') ?? null
			const payin = await books.db.transaction(async (tx) => {
				const { banks } = await readStored(tx, code, true)
				const earlier = idempotency_key ? await findByKey(tx, code, idempotency_key) : undefined
				if (earlier) return earlier
				const bank = banks.find(({ bank_acno, ifsc_code_act }) => bank_acno === asked.account_no && ifsc_code_act === asked.bank_ifsc)
				if (bank === undefined) throw new Refused(422, 'Bank account is not registered')
				const row: Payin = {
					request_id: createReference('PI', now),
					client: code,
					idempotency_key,
					token: newToken(),
					asked_at: now,
					amount,
					cocd,
					mode: payment_type === 'upi' ? 'UPI' : 'NETBANKING',
					bank_name: bank.bank_name,
					bank_acno: bank.bank_acno,
					upi_id: asked.upi_id || null,
					status: 'PENDING',
					waits_since: null,
					ended_at: null,
					utr: null,
					remarks: 'Not paid yet',
					voucher_no: null,
				}
				await tx.insert(payins).values(row)
				return row
			})
			return sendData(c, 'Payment request created', {
				url_data: formatOwnAddress(c, settings, '/pay', { token: payin.token }),
				request_id: payin.request_id,
			} satisfies z.input<typeof PayinResult>)
		},
	)
	return routes
}

async function findByKey(tx: Queries, client: string, key: string): Promise<Payin | undefined> {
	const [row] = await tx
		.select()
		.from(payins)
		.where(and(eq(payins.client, client), eq(payins.idempotency_key, key)))
	return row
}

/** The pay-in with this token. */
export async function findPayin(queries: Queries, token: string): Promise<Payin | undefined> {
	const [row] = await queries.select().from(payins).where(eq(payins.token, token))
	return row
}

export type PayinOutcome = 'pay' | 'wait' | 'fail' | 'cancel' | 'other'

/**
 * Ends a pay-in with the payment page's result, once. A finished pay-in does not change, and one that waits at the bank cannot be
 * cancelled. A success posts a receipt in the ledger in the same transaction.
 */
export async function endPayin(
	{ books, clock }: Pick<SandboxParts, 'books' | 'clock'>,
	token: string,
	outcome: PayinOutcome,
): Promise<void> {
	const now = clock.now()
	await books.db.transaction(async (tx) => {
		const open = and(eq(payins.token, token), eq(payins.status, 'PENDING'), isNull(payins.waits_since))
		const [payin] = await tx.select().from(payins).where(open).for('update')
		if (payin === undefined || now.getTime() - payin.asked_at.getTime() >= PAYIN_LIFE_MS) return
		if (outcome === 'pay') await credit(tx, payin, now)
		if (outcome === 'wait') await set(tx, payin, { waits_since: now, remarks: 'Waiting for your bank' })
		if (outcome === 'fail') await set(tx, payin, { status: 'FAILED', ended_at: now, remarks: 'Declined by the bank' })
		if (outcome === 'cancel') await set(tx, payin, { status: 'CANCELLED', ended_at: now, remarks: 'Cancelled on the payment page' })
		if (outcome === 'other') await refuseStranger(tx, payin, now)
	})
}

async function set(tx: Queries, { request_id }: Payin, changes: Partial<Payin>): Promise<void> {
	await tx.update(payins).set(changes).where(eq(payins.request_id, request_id))
}

/** The client's UPI payments of a day, in paise. Locks the book, so that further UPI payments wait until the transaction ends. */
async function sumUpiDay(tx: Queries, client: string, day: Day): Promise<Paise> {
	await lockBook(tx)
	const onDay = sql`(${payins.ended_at} AT TIME ZONE 'Asia/Kolkata')::date = ${day}`
	const [paid] = await tx
		.select({ amount: sql<number>`coalesce(sum(${payins.amount}), 0)::float8` })
		.from(payins)
		.where(and(eq(payins.client, client), eq(payins.mode, 'UPI'), eq(payins.status, 'SUCCESS'), onDay))
	return paid?.amount ?? 0
}

async function credit(tx: Queries, payin: Payin, now: Date): Promise<void> {
	const { client, amount, mode } = payin
	const day = toIndianDay(now)
	if (mode === 'UPI' && (await sumUpiDay(tx, client, day)) + amount > findUpiLimit(day)) {
		await set(tx, payin, { status: 'FAILED', ended_at: now, waits_since: null, remarks: 'Above what UPI carries in a day' })
		return
	}
	const utr = createUtr(mode === 'UPI' ? 'UPI' : 'BANK', now, findBankCode(payin.bank_name))
	const place = { client, cocd: payin.cocd as LedgerCocd, day }
	const settles_on = findSettlementDay(day)
	const { voucher_no } = await recordVouchers(tx, day, (journal) => postPayIn(journal, place, amount, mode, utr, settles_on))
	await set(tx, payin, { status: 'SUCCESS', ended_at: now, utr, remarks: '', voucher_no })
}

/** Handles a payment from an unregistered account: nothing is posted, and the money is returned on the next working day. */
async function refuseStranger(tx: Queries, payin: Payin, now: Date): Promise<void> {
	const day = toIndianDay(now)
	await set(tx, payin, { status: 'FAILED', ended_at: now, remarks: 'Paid from an account that is not registered' })
	await tx.insert(unregisteredPayments).values({
		utr: createUtr(payin.mode === 'UPI' ? 'UPI' : 'BANK', now),
		client: payin.client,
		day,
		amount: payin.amount,
		from_account: '30450100006612',
		from_name: 'ACCOUNT OF ANOTHER PERSON',
		returned_on: findSettlementDay(day),
		reason: 'Account not registered',
	})
}

/** Changes that happen as time passes: a waiting bank reports success, and an unused page expires. */
export async function settlePayins(tx: Queries, client: string, now: Date): Promise<void> {
	const since = new Date(now.getTime() - PAYIN_LIFE_MS)
	const own = and(eq(payins.client, client), eq(payins.status, 'PENDING'))
	const waited = await tx
		.select()
		.from(payins)
		.where(and(own, isNotNull(payins.waits_since), lte(payins.waits_since, since)))
		.for('update')
	for (const payin of waited) await credit(tx, payin, new Date((payin.waits_since ?? now).getTime() + PAYIN_LIFE_MS))
	await tx
		.update(payins)
		.set({ status: 'FAILED', ended_at: now, remarks: 'Not paid within 30 minutes' })
		.where(and(own, isNull(payins.waits_since), lte(payins.asked_at, since)))
}
