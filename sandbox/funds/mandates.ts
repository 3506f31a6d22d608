import { and, desc, eq, inArray, lte } from 'drizzle-orm'
import { Hono } from 'hono'
import { z } from 'zod/v4'
import { CancelMandateRequest, EmandateRequest, type MandateChannel, Mandates, MandateStarted } from '#contract/funds'
import { formatDay, toIndianDay } from '#contract/values/dates'
import { formatRupees, type Paise, toPaise, toRupees } from '#contract/values/money'
import { describeOperation } from '#sandbox/api/describe-operation'
import { formatOwnAddress } from '#sandbox/api/page-url'
import { sendData, invalidField, NO_DATA, parseBody, Refused } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { maskAccount } from '#sandbox/clients/masks'
import { type Queries } from '#sandbox/db/open'
import { mandates } from '#sandbox/db/schema'
import { readStored } from '#sandbox/modifications/stored'
import { fileHeaders, requireClient, streamStatement } from '#sandbox/reports/statements'
import { nextTradingDay } from '#sandbox/rules/calendar'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { MANDATE_AADHAAR_MAX, MANDATE_MAX, MANDATE_MIN } from './limits'
import { createReference, newToken, createUmrn } from './references'

export type MandateRow = typeof mandates.$inferSelect

/** Length of a mandate. A bank accepts up to forty years; the sandbox asks for thirty. */
const YEARS = 30
/** How long a registration page stays open, in milliseconds. */
export const MANDATE_LIFE_MS = 86_400_000

/** Banks that do not confirm a mandate with a debit card, by the first four letters of their IFSC. */
const WITHOUT_DEBIT_CARD = new Set(['IDIB', 'MAHB'])

/** Mandates: registered online, printed, listed, ended. */
export function mandateCalls(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	addCreateOnlineEmandate(routes, parts)
	addCreatePhysicalEmandate(routes, parts)
	addMandates(routes, parts)
	addCancelMandate(routes, parts)
	return routes
}

async function examine({ books }: SandboxParts, code: string, asked: EmandateRequest, isOnline: boolean) {
	const { banks } = await readStored(books.db, code)
	const { bank_acno, ifsc_code } = asked.bank_details
	const bank = banks.find((each) => each.bank_acno === bank_acno && each.ifsc_code_act === ifsc_code)
	if (bank === undefined) throw new Refused(422, 'Bank account is not registered')
	const amount = toPaise(Number(asked.amount))
	const most: Paise = isOnline && asked.channel === 'aadhaar' ? MANDATE_AADHAAR_MAX : MANDATE_MAX
	if (amount < MANDATE_MIN) throw invalidField('amount', 'Amount must be ₹100 or more')
	if (amount > most) throw invalidField('amount', `Amount must be ${formatRupees(most)} or less`)
	if (isOnline && asked.channel === 'debitcard' && WITHOUT_DEBIT_CARD.has(ifsc_code.slice(0, 4)))
		throw invalidField('channel', 'This bank does not support mandates by debit card')
	return { bank, amount }
}

function addCreateOnlineEmandate(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { clock, books, settings } = parts
	routes.post(
		'/v1/account_profile/e_mandate/online',
		describeOperation({
			id: 'createOnlineEmandate',
			summary: 'Register an e-mandate online',
			changes: true,
			query: Source,
			body: EmandateRequest,
			data: MandateStarted,
		}),
		async (c) => {
			const asked = await parseBody(c, EmandateRequest)
			const { code } = c.var.client
			const { bank, amount } = await examine(parts, code, asked, true)
			const now = clock.now()
			const idempotency_key = c.req.header('idempotency-key') ?? null
			const token = await books.db.transaction(async (tx) => {
				await readStored(tx, code, true)
				const its = and(eq(mandates.client, code), eq(mandates.idempotency_key, idempotency_key ?? ''))
				const [earlier] = idempotency_key ? await tx.select().from(mandates).where(its) : []
				if (earlier) return earlier.token
				const starts_on = asked.start_date ?? toIndianDay(now)
				const token = newToken()
				await tx.insert(mandates).values({
					reference: createReference('EM', now),
					client: code,
					idempotency_key,
					token,
					asked_at: now,
					amount,
					bank_name: bank.bank_name,
					bank_acno: bank.bank_acno,
					channel: asked.channel,
					frequency: asked.frequency ?? 'As presented',
					starts_on,
					ends_on: `${Number(starts_on.slice(0, 4)) + YEARS}${starts_on.slice(4).replace('02-29', '02-28')}`,
					status: 'STARTED',
					remarks: 'Not confirmed at the bank yet',
				})
				return token
			})
			return sendData(c, 'Mandate request created', {
				url_data: formatOwnAddress(c, settings, '/mandate', { token }),
			} satisfies z.input<typeof MandateStarted>)
		},
	)
}

function addCreatePhysicalEmandate(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { clock, settings } = parts
	routes.post(
		'/v1/account_profile/e_mandate/physical',
		describeOperation({
			id: 'createPhysicalEmandate',
			summary: 'Mandate form to print and sign',
			query: Source,
			body: EmandateRequest,
			files: ['application/pdf'],
		}),
		async (c) => {
			const asked = await parseBody(c, EmandateRequest)
			const { code } = c.var.client
			const { bank, amount } = await examine(parts, code, asked, false)
			const client = await requireClient(parts, code)
			const day = toIndianDay(clock.now())
			const rows = [
				['Amount in figures, at most', formatRupees(amount)],
				['Frequency', asked.frequency === undefined || asked.frequency === 'As presented' ? 'As and when presented' : asked.frequency],
				['Debit type', 'Maximum amount'],
				['Bank', `${bank.bank_name}, ${bank.branch}`],
				['Account number', bank.bank_acno],
				['IFSC', bank.ifsc_code_act],
				['MICR', bank.micr_code],
				['Account type', bank.account_type],
				['From', formatDay(asked.start_date ?? day)],
				['Until', `at most ${YEARS} years`],
				['Paid to', settings.brokerName],
			]
			const columns = [
				{ head: 'Particular', width: 50 },
				{ head: 'Detail', width: 90 },
			]
			const pdf = streamStatement(parts, client, {
				heading: 'NACH mandate form',
				period: formatDay(day),
				periodName: 'Date',
				tables: [{ name: 'Mandate to debit my account', columns, rows: rows.map((cells) => ({ cells })) }],
				closing: [
					'I authorise the bank named above to debit my account for payments to the broker, up to the amount above each time.',
					'Print this form, sign it as in your bank’s records, and post it to the broker. A bank takes seven to ten working days.',
				],
				toSign: ['Amount in words', 'Signature of the account holder, as in the bank’s records', 'Date and place'],
			})
			return c.body(pdf, 200, fileHeaders('application/pdf', `${code}_MANDATE.pdf`))
		},
	)
}

function addMandates(routes: Hono<SandboxEnv>, { books, clock }: SandboxParts) {
	routes.get(
		'/v1/ours/mandates',
		describeOperation({ id: 'listMandates', summary: 'Mandates registered online', query: Source, data: Mandates }),
		async (c) => {
			const rows = await books.db
				.select()
				.from(mandates)
				.where(eq(mandates.client, c.var.client.code))
				.orderBy(desc(mandates.asked_at))
				.limit(100)
			const day = toIndianDay(clock.now())
			return sendData(c, 'Mandates fetched', rows.map((row) => toMandate(row, day)) satisfies z.input<typeof Mandates>)
		},
	)
}

function addCancelMandate(routes: Hono<SandboxEnv>, { books, clock }: SandboxParts) {
	routes.post(
		'/v1/ours/cancel-mandate',
		describeOperation({
			id: 'cancelMandate',
			summary: 'End a mandate',
			changes: true,
			query: Source,
			body: CancelMandateRequest,
			data: z.null(),
		}),
		async (c) => {
			const { reference } = await parseBody(c, CancelMandateRequest)
			await books.db.transaction(async (tx) => {
				const its = and(eq(mandates.client, c.var.client.code), eq(mandates.reference, reference))
				const [row] = await tx.select().from(mandates).where(its).for('update')
				if (row === undefined) throw new Refused(404, NO_DATA)
				if (row.status === 'CANCELLED') return
				if (row.status === 'REJECTED') throw new Refused(409, 'The bank has refused this mandate. There is nothing to cancel.')
				await tx.update(mandates).set({ status: 'CANCELLED', ended_at: clock.now(), remarks: 'Cancelled by you' }).where(its)
			})
			return sendData(c, 'Mandate cancelled', null)
		},
	)
}

function toMandate(row: MandateRow, day: string): z.input<typeof Mandates>[number] {
	return {
		reference: row.reference,
		asked_on: toIndianDay(row.asked_at),
		amount: toRupees(row.amount),
		bank_name: row.bank_name,
		bank_acno: maskAccount(row.bank_acno),
		channel: row.channel as MandateChannel,
		frequency: row.frequency,
		starts_on: row.starts_on,
		ends_on: row.ends_on,
		status: row.status === 'ACTIVE' && row.ends_on < day ? 'EXPIRED' : (row.status as z.input<typeof Mandates>[number]['status']),
		umrn: row.umrn,
		remarks: row.remarks,
	}
}

/** The mandate with this token. */
export async function findMandate(queries: Queries, token: string): Promise<MandateRow | undefined> {
	const [row] = await queries.select().from(mandates).where(eq(mandates.token, token))
	return row
}

/**
 * Stores the account holder's decision at the bank, once. A confirmed mandate goes to the clearing house, a refused one ends, and a
 * cancelled one can be started again.
 */
export async function endMandate(
	{ books, clock }: Pick<SandboxParts, 'books' | 'clock'>,
	token: string,
	outcome: 'confirm' | 'refuse' | 'cancel',
): Promise<void> {
	const now = clock.now()
	const ended = {
		confirm: { status: 'AT_BANK', waits_since: now, remarks: 'Confirmed; the bank is registering it' },
		refuse: { status: 'REJECTED', ended_at: now, remarks: 'The bank could not confirm who you are' },
		cancel: { status: 'CANCELLED', ended_at: now, remarks: 'Cancelled on the bank’s page' },
	}[outcome]
	await books.db
		.update(mandates)
		.set(ended)
		.where(and(eq(mandates.token, token), eq(mandates.status, 'STARTED')))
}

/** Changes that happen as time passes: a bank registers a mandate by the next working day, and an unused page expires after a day. */
export async function settleMandates(tx: Queries, client: string, now: Date): Promise<void> {
	const own = eq(mandates.client, client)
	const waiting = await tx
		.select()
		.from(mandates)
		.where(and(own, eq(mandates.status, 'AT_BANK')))
		.for('update')
	const { banks } = waiting.length > 0 ? await readStored(tx, client) : { banks: [] }
	for (const { reference, waits_since, bank_name, bank_acno, asked_at } of waiting) {
		if (toIndianDay(now) < nextTradingDay(toIndianDay(waits_since ?? asked_at))) continue
		// The bank's four letters are the first of its IFSC. When the account has been deleted since, only the bank's name is known.
		const ifsc = banks.find((bank) => bank.bank_acno === bank_acno)?.ifsc_code_act
		const umrn = createUmrn(ifsc ?? bank_name.replace(/[^A-Z]/g, ''), now)
		await tx.update(mandates).set({ status: 'ACTIVE', umrn, ended_at: now, remarks: '' }).where(eq(mandates.reference, reference))
	}
	const old = lte(mandates.asked_at, new Date(now.getTime() - MANDATE_LIFE_MS))
	const remarks = 'Not confirmed within a day'
	await tx
		.update(mandates)
		.set({ status: 'CANCELLED', ended_at: now, remarks })
		.where(and(own, inArray(mandates.status, ['STARTED']), old))
}
