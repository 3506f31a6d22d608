import { randomBytes } from 'node:crypto'
import { and, desc, eq, gt } from 'drizzle-orm'
import { z } from 'zod/v4'
import { LedgerCocd } from '#contract/common'
import { type OnePledgeRequest, PledgeAction } from '#contract/depository'
import { formatDay, toIndianDay } from '#contract/values/dates'
import { formatRupees, toRupees } from '#contract/values/money'
import { Refused } from '#sandbox/api/responses'
import { restateMargin } from '#sandbox/book/contract-days'
import { postPledgeCharge } from '#sandbox/book/entries'
import { readFreeBalance } from '#sandbox/book/read-deductions'
import { recordVouchers } from '#sandbox/book/record'
import { type Queries } from '#sandbox/db/open'
import { outbox, pledgeMovements, pledgeRequests } from '#sandbox/db/schema'
import { listContacts } from '#sandbox/modifications/notices'
import { readStored } from '#sandbox/modifications/stored'
import { findPledgeDeadline } from '#sandbox/rules/depository'
import { findPledgeCharge } from '#sandbox/rules/fees'
import { findPledgeTimes } from '#sandbox/rules/mtf'
import { type SandboxParts } from '#sandbox/types'
import { lockDemat, computePledgeMargin, readDemat, type Stock } from './demat'

const Lines = z.array(z.object({ isin: z.string(), symbol: z.string(), name: z.string(), qty: z.number().int(), margin: z.number().int() }))

/** A request's current state. Margins are paise. */
export type StoredPledgeRequest = {
	reference: string
	token: string
	client: string
	action: PledgeAction
	/** MTF requests are made with the purchase, never by the client. */
	purpose: 'MARGIN' | 'MTF'
	lines: z.infer<typeof Lines>
	status: 'WAITING' | 'CONFIRMED' | 'LAPSED'
	lastOutcome: 'CANCELLED' | 'FAILED' | null
	reason: string | null
	askedAt: Date
	/** The client's deadline. MTF requests still wait after it, until the broker sells the shares. */
	confirmBy: Date
	marginFrom: string
	endedAt: Date | null
}

type Asked = { client: string; action: PledgeAction; lines: readonly { isin: string; qty: number }[]; key: string | undefined }

function toStoredPledgeRequest(row: typeof pledgeRequests.$inferSelect, now: Date): StoredPledgeRequest {
	return {
		reference: row.reference,
		token: row.token,
		client: row.client,
		action: PledgeAction.parse(row.action),
		purpose: row.purpose === 'MTF' ? 'MTF' : 'MARGIN',
		lines: Lines.parse(row.lines),
		status: row.status === 'WAITING' && row.confirm_by <= now ? 'LAPSED' : (row.status as StoredPledgeRequest['status']),
		lastOutcome: row.last_outcome as StoredPledgeRequest['lastOutcome'],
		reason: row.reason,
		askedAt: row.asked_at,
		confirmBy: row.purpose === 'MTF' ? findPledgeTimes(toIndianDay(row.asked_at)).confirmBy : row.confirm_by,
		marginFrom: row.margin_from,
		endedAt: row.ended_at,
	}
}

/** The depository's page of a request: an https address when the sandbox has one, else only the token, as with an e-sign. */
function formatResponseUrl(url: string | undefined, token: string): string {
	return url?.startsWith('https:') ? `${url}/depository?response=${token}` : token
}

/**
 * The reason why a request cannot be done now, in words for the client: units that are not free or not pledged, or a debit secured by
 * the pledged units. Undefined when nothing prevents it.
 */
async function obstacle(
	tx: Queries,
	{ client, action, lines }: Omit<Asked, 'key'>,
	stocks: ReadonlyMap<string, Stock>,
	now: Date,
): Promise<string | undefined> {
	for (const { isin, qty } of lines) {
		const stock = stocks.get(isin)
		if (!stock || stock.close === 0) return `${stock?.name ?? isin} is not on the approved list today`
		if (action === 'pledge' && qty > stock.free) return `Quantity is above the free quantity: ${stock.free} of ${stock.name}`
		if (action === 'unpledge' && qty > stock.pledged) return `Quantity is above the pledged quantity: ${stock.pledged} of ${stock.name}`
	}
	if (action === 'pledge') return undefined
	// A debit is counted for each ledger, blocked margin included: a credit in another ledger does not cover it.
	let debit = 0
	for (const cocd of LedgerCocd.options) debit += Math.max(0, -(await readFreeBalance({ db: tx }, client, cocd, toIndianDay(now))).free)
	if (debit === 0) return undefined
	const owed = debit + findPledgeCharge().total * lines.length
	const released = new Map(lines.map(({ isin, qty }) => [isin, qty]))
	const left = [...stocks.values()].reduce(
		(sum, stock) => sum + computePledgeMargin(stock, stock.pledged - (released.get(stock.isin) ?? 0)),
		0,
	)
	return owed > left ? `These shares secure ${formatRupees(debit)} that you owe. Add funds first` : undefined
}

async function readStocks(tx: Queries, client: string, now: Date): Promise<Map<string, Stock>> {
	return new Map((await readDemat({ db: tx }, client, toIndianDay(now), now)).map((stock) => [stock.isin, stock]))
}

/** Stores a request once per key, and returns it with its page at the depository. Throws the broker's refusals. */
export async function openPledge(
	{ books, clock, settings }: SandboxParts,
	{ key, ...asked }: Asked,
): Promise<{ request_id: string; esign_response: string }> {
	const now = clock.now()
	const { client, action } = asked
	const row = await books.db.transaction(async (tx) => {
		await lockDemat(tx, client)
		const own = and(eq(pledgeRequests.client, client), eq(pledgeRequests.idempotency_key, key ?? ''))
		const [earlier] = key === undefined ? [] : await tx.select().from(pledgeRequests).where(own)
		if (earlier) return earlier
		const stocks = await readStocks(tx, client, now)
		const why = await obstacle(tx, asked, stocks, now)
		if (why !== undefined) throw new Refused(422, why)
		const { confirmBy, marginFrom } = findPledgeDeadline(now)
		const lines = asked.lines.flatMap(({ isin, qty }): z.infer<typeof Lines> => {
			const stock = stocks.get(isin)
			return stock ? [{ isin, symbol: stock.symbol, name: stock.name, qty, margin: computePledgeMargin(stock, qty) }] : []
		})
		const [made] = await tx
			.insert(pledgeRequests)
			.values({
				reference: `PL-${randomBytes(5).toString('hex').toUpperCase()}`,
				token: randomBytes(32).toString('base64url'),
				client,
				idempotency_key: key,
				action,
				lines,
				status: 'WAITING',
				asked_at: now,
				confirm_by: confirmBy,
				margin_from: marginFrom,
			})
			.returning()
		return made
	})
	if (row === undefined) throw new Error('A pledge request was not stored')
	return { request_id: row.reference, esign_response: formatResponseUrl(settings.url, row.token) }
}

/** The request with this token. */
export async function findPledge({ books, clock }: SandboxParts, token: string): Promise<StoredPledgeRequest | undefined> {
	const [row] = await books.db.select().from(pledgeRequests).where(eq(pledgeRequests.token, token))
	return row && toStoredPledgeRequest(row, clock.now())
}

/**
 * Confirms a request once, in time, and only when the units are still there. Units, fees and messages are stored in one transaction.
 * When it fails, the request keeps waiting, with the reason.
 */
export async function confirmPledge({ books, clock }: SandboxParts, token: string): Promise<void> {
	const now = clock.now()
	const day = toIndianDay(now)
	const its = and(eq(pledgeRequests.token, token), eq(pledgeRequests.status, 'WAITING'), gt(pledgeRequests.confirm_by, now))
	await books.db.transaction(async (tx) => {
		const [known] = await tx.select({ client: pledgeRequests.client }).from(pledgeRequests).where(eq(pledgeRequests.token, token))
		if (known === undefined) return
		const { client } = known
		await lockDemat(tx, client)
		const [row] = await tx.select().from(pledgeRequests).where(its)
		if (row === undefined) return
		const { reference, action, purpose, lines, marginFrom } = toStoredPledgeRequest(row, now)
		// Funded shares are pledged from the purchase on, delivered or not, so nothing can prevent this pledge.
		const why = purpose === 'MTF' ? undefined : await obstacle(tx, { client, action, lines }, await readStocks(tx, client, now), now)
		if (why !== undefined)
			return void (await tx
				.update(pledgeRequests)
				.set(ended('FAILED', why, now))
				.where(its))
		const isRelease = action === 'unpledge'
		await tx
			.insert(pledgeMovements)
			.values(lines.map(({ isin, qty }) => ({ client, instrument: isin, kind: purpose, day, quantity: isRelease ? -qty : qty })))
		await recordVouchers(tx, day, (journal) => {
			for (const { symbol } of lines) postPledgeCharge(journal, { client, cocd: 'NSE_CASH', day }, symbol, isRelease)
		})
		// A pledge counts from the next trading day, so it changes no margin now; a release counts at once.
		if (isRelease) await restateMargin(tx, client, day)
		await tx.update(pledgeRequests).set({ status: 'CONFIRMED', last_outcome: null, reason: null, ended_at: now }).where(its)
		const words = lines
			.map(({ name, qty }) => `${qty} ${name}`)
			.join(', ')
			.slice(0, 300)
		const body = `${isRelease ? 'Released' : 'Pledged'} for margin${purpose === 'MTF' ? ' funding' : ''} in account ${client}: ${words}. ${isRelease ? 'They are no margin any more' : `Counts from ${formatDay(marginFrom)}`}. Reference ${reference}. Not you? Call us at once.`
		const to = listContacts(await readStored(tx, client))
		const subject = isRelease ? 'Shares released' : 'Shares pledged'
		await tx.insert(outbox).values(to.map(({ channel, address }) => ({ client, channel, recipient: address, subject, body, sent_at: now })))
	})
}

const ended = (outcome: 'CANCELLED' | 'FAILED', reason: string | null, now: Date) => ({
	last_outcome: outcome,
	reason: reason?.slice(0, 200) ?? null,
	ended_at: now,
})

/** Records a visit to the depository without a confirmation. The request keeps waiting. */
export async function notePledgeOutcome(
	{ books, clock }: SandboxParts,
	token: string,
	outcome: 'CANCELLED' | 'FAILED',
	reason: string | null,
) {
	const its = and(eq(pledgeRequests.token, token), eq(pledgeRequests.status, 'WAITING'))
	await books.db
		.update(pledgeRequests)
		.set(ended(outcome, reason, clock.now()))
		.where(its)
}

/** A client's requests, latest first. */
export async function listPledges({ books, clock, settings }: SandboxParts, client: string): Promise<z.input<typeof OnePledgeRequest>[]> {
	const now = clock.now()
	const rows = await books.db
		.select()
		.from(pledgeRequests)
		.where(eq(pledgeRequests.client, client))
		.orderBy(desc(pledgeRequests.asked_at), desc(pledgeRequests.reference))
		.limit(200)
	return rows.map((row) => {
		const order = toStoredPledgeRequest(row, now)
		return {
			request_id: order.reference,
			action: order.action,
			purpose: order.purpose,
			lines: order.lines.map(({ isin, name, qty, margin }) => ({ isin, stock_name: name, qty, margin: toRupees(margin) })),
			status: order.status,
			last_outcome: order.lastOutcome,
			reason: order.reason,
			asked_at: order.askedAt.toISOString(),
			confirm_by: order.confirmBy.toISOString(),
			margin_from: order.marginFrom,
			ended_at: order.endedAt?.toISOString() ?? null,
			esign_response: order.status === 'WAITING' ? formatResponseUrl(settings.url, order.token) : null,
		}
	})
}
