import { createHash } from 'node:crypto'
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { formatDay } from '#contract/values/dates'
import { formatRupees } from '#contract/values/money'
import { postIpoBlock, postIpoDebit } from '#sandbox/book/entries'
import { recordVouchers } from '#sandbox/book/record'
import { type Queries } from '#sandbox/db/open'
import { clients, instruments, ipoApplications, ipoBids, ipoIssues, lots, prices } from '#sandbox/db/schema'
import { sendMessages } from '#sandbox/messages/outbox'
import { findAllotment, findCounting, findFinalPrice, toMoment, splitBlock, TIMES } from '#sandbox/rules/ipo'
import { type ScheduledJob } from '#sandbox/scheduler/scheduled-job'
import { type SandboxParts } from '#sandbox/types'
import { findIssue, type Issue } from './issues'
import { refreshMandates } from './mandate'

type Application = typeof ipoApplications.$inferSelect

type Step = {
	day: 'close_date' | 'allotment_date' | 'refund_date' | 'listing_date'
	time: string
	take: (parts: SandboxParts, tx: Queries, issue: Issue) => Promise<string>
}

/** The next event of an issue by its stage: its day, its time, and its effect. A listed issue has no further event. */
const STEPS = new Map<string, Step>([
	['OPEN', { day: 'close_date', time: TIMES.mandate, take: close }],
	['CLOSED', { day: 'allotment_date', time: TIMES.allotment, take: allot }],
	['ALLOTTED', { day: 'refund_date', time: TIMES.refund, take: settle }],
	['SETTLED', { day: 'listing_date', time: TIMES.listing, take: list }],
])

/**
 * Takes the steps of issues whose time has come: mandates expire, shares are allotted, blocks end and shares are credited, trading
 * begins.
 */
export const issuesJob: ScheduledJob = {
	isDue(_, now) {
		const cases = [...STEPS].map(
			([stage, { day, time }]) =>
				sql`stage = ${stage} AND ${sql.identifier(day)} + ${time}::time <= ${now.toISOString()}::timestamptz AT TIME ZONE 'Asia/Kolkata'`,
		)
		return sql`EXISTS (SELECT FROM ${ipoIssues} WHERE ${sql.join(cases, sql` OR `)})`
	},
	async work(parts, _, now) {
		const { books } = parts
		const issues = await books.db.select().from(ipoIssues).where(ne(ipoIssues.stage, 'LISTED')).orderBy(asc(ipoIssues.close_date))
		for (const { symbol } of issues) {
			// A clock moved far ahead may have passed several steps.
			while (await books.db.transaction((tx) => takeStep(parts, tx, symbol, now)));
		}
	},
}

/** Takes one step if one is due, and returns true when it did. A simultaneous caller waits here and then finds the step done. */
async function takeStep(parts: SandboxParts, tx: Queries, symbol: string, now: Date): Promise<boolean> {
	await tx.execute(sql`SELECT 1 FROM ${ipoIssues} WHERE symbol = ${symbol} FOR UPDATE`)
	const issue = await findIssue(tx, symbol)
	const step = issue && STEPS.get(issue.stage)
	if (!issue || !step || toMoment(issue[step.day], step.time) > now) return false
	const stage = await step.take(parts, tx, issue)
	await tx.update(ipoIssues).set({ stage }).where(eq(ipoIssues.symbol, symbol))
	return true
}

async function close(_: SandboxParts, tx: Queries, { symbol }: Issue): Promise<string> {
	await refreshMandates(tx, { symbol })
	await tx
		.update(ipoApplications)
		.set({ status: 'REJECTED', mandate_status: 'EXPIRED', reason: 'The UPI mandate was not accepted in time' })
		.where(and(eq(ipoApplications.symbol, symbol), eq(ipoApplications.status, 'PENDING')))
	return 'CLOSED'
}

/** A pseudo-random number from 0 to 1, always the same for an application. */
function drawLot(application: string): number {
	return createHash('sha256').update(application).digest().readUInt32BE() / 0xffffffff
}

/** The applications with blocked money, oldest first. */
async function acceptedFor(tx: Queries, { symbol }: Issue): Promise<Application[]> {
	const its = and(eq(ipoApplications.symbol, symbol), eq(ipoApplications.status, 'ACCEPTED'))
	return await tx.select().from(ipoApplications).where(its).orderBy(asc(ipoApplications.id))
}

/** Approves the basis of allotment, and tells clients their allotment. Money and shares move later, in `settle`. */
async function allot(parts: SandboxParts, tx: Queries, issue: Issue): Promise<string> {
	for (const application of await acceptedFor(tx, issue)) {
		const allotted = await allotTo(tx, issue, application)
		const subject = allotted > 0 ? `${issue.symbol}: ${allotted} shares allotted` : `${issue.symbol}: no shares allotted`
		const rest = 'The rest of the blocked amount is released by'
		const body = `Application ${application.application_no}: ${allotted > 0 ? `${allotted} shares of ${issue.name} are yours. ${rest}` : `no shares this time. Your ${formatRupees(application.amount)} are free again by`} ${formatDay(issue.refund_date)}.`
		const [client] = await tx
			.select({ mobile: sql<string>`${clients.profile}->'personal_details'->>'mobile'` })
			.from(clients)
			.where(eq(clients.code, application.client))
		if (client) await sendMessages(parts, [{ client: application.client, channel: 'SMS', recipient: client.mobile, subject, body }], tx)
	}
	return 'ALLOTTED'
}

/** The bids of an application in the order they were made. */
async function listBids(tx: Queries, { application_no }: Application) {
	return await tx.select().from(ipoBids).where(eq(ipoBids.application_no, application_no)).orderBy(asc(ipoBids.id))
}

function offeredIn({ symbol, categories }: Issue, category: string) {
	const offered = categories.find(({ code }) => code === category)
	if (!offered) throw new Error(`${symbol} has no category ${category}`)
	return offered
}

/** Allots to one application. Returns the shares, which are stored on the bid that counts; its other bids get none. */
async function allotTo(tx: Queries, issue: Issue, application: Application): Promise<number> {
	const { code, times } = offeredIn(issue, application.category)
	const bids = await listBids(tx, application)
	const counting = findCounting(bids, findFinalPrice(issue))
	const luck = drawLot(application.application_no)
	const allotted = counting ? findAllotment(code, counting.quantity, issue.lot, issue.min_quantity, times, luck) : 0
	for (const { id } of bids) {
		const set = { allotted_quantity: id === counting?.id ? allotted : 0 }
		await tx.update(ipoBids).set(set).where(eq(ipoBids.id, id))
	}
	return allotted
}

/** The bank pays the issuer from the blocked amount and releases the rest. The shares are credited to the demat account. */
async function settle(_: SandboxParts, tx: Queries, issue: Issue): Promise<string> {
	const price = findFinalPrice(issue)
	for (const application of await acceptedFor(tx, issue)) {
		const { client, symbol } = application
		const bids = await listBids(tx, application)
		const carrying = bids.find(({ allotted_quantity }) => (allotted_quantity ?? 0) > 0) ?? bids[0]
		const allotted = carrying?.allotted_quantity ?? 0
		const { cost, refund } = splitBlock(application.amount, allotted, price, offeredIn(issue, application.category).discount)
		const place = { client, cocd: 'NSE_CASH', day: issue.refund_date } as const
		await recordVouchers(tx, place.day, (journal) => {
			if (cost > 0) postIpoDebit(journal, place, cost, symbol)
			if (refund > 0) postIpoBlock(journal, place, -refund, symbol)
		})
		if (allotted > 0) await openIpoLot(tx, issue, client, allotted, cost, price)
		for (const { id } of bids) {
			const set = { refund: id === carrying?.id ? refund : 0 }
			await tx.update(ipoBids).set(set).where(eq(ipoBids.id, id))
		}
	}
	return 'SETTLED'
}

/** Opens the lot of credited shares, at the price paid. The allotment day counts for tax. Cost and price in paise. */
async function openIpoLot(tx: Queries, issue: Issue, client: string, quantity: number, cost: number, price: number): Promise<void> {
	const { isin, symbol, name, sector, allotment_date, refund_date } = issue
	const listed = { kind: 'EQUITY', segment: 'NSE_CASH', series: 'EQ' }
	await tx
		.insert(instruments)
		.values({ id: isin, symbol, name, sector, ...listed })
		.onConflictDoNothing()
	await tx
		.insert(prices)
		.values({ instrument: isin, day: refund_date, close: price * 100 })
		.onConflictDoNothing()
	// The book's lock, taken by recordVouchers, keeps two writers from using one number.
	const { rows } = await tx.execute<{ last: number }>(sql`SELECT coalesce(max(id), 0)::float8 AS last FROM ${lots}`)
	await tx.insert(lots).values({
		id: (rows[0]?.last ?? 0) + 1,
		client,
		instrument: isin,
		segment: 'NSE_CASH',
		side: 'L',
		opened_on: refund_date,
		acquired_on: allotment_date,
		quantity,
		cost,
		expenses: 0,
		origin: 'IPO',
	})
}

/** Starts trading: 8 % above the final price when a category was oversubscribed, else 4 % below it. */
async function list(_: SandboxParts, tx: Queries, issue: Issue): Promise<string> {
	const { isin, listing_date: day, categories } = issue
	const [known] = await tx.select({ id: instruments.id }).from(instruments).where(eq(instruments.id, isin))
	const sought = Math.max(...categories.map(({ times }) => times))
	const close = Math.round(findFinalPrice(issue) * (sought > 1 ? 1.08 : 0.96)) * 100
	if (known) await tx.insert(prices).values({ instrument: isin, day, close }).onConflictDoNothing()
	return 'LISTED'
}
