import { and, desc, eq, gt } from 'drizzle-orm'
import { z } from 'zod/v4'
import { addDays, type Day, toIndianDay } from '#contract/values/dates'
import { formatRupees, type Paise } from '#contract/values/money'
import { Refused } from '#sandbox/api/responses'
import { readMarginCash } from '#sandbox/book/read-deductions'
import { readLedgerBalance } from '#sandbox/book/read-ledger'
import { type FundedPosition, readFundedPositions } from '#sandbox/book/read-mtf'
import { type Readable } from '#sandbox/book/rows'
import { findClient, listLedgers } from '#sandbox/clients/clients'
import { type Books } from '#sandbox/db/open'
import { esigns, mtfAccounts, pledgeRequests } from '#sandbox/db/schema'
import { isTradingDay, lastTradingDay, nextTradingDay } from '#sandbox/rules/calendar'
import { findOpenedDay, findPledgeTimes, SQUARE_OFF_DAYS } from '#sandbox/rules/mtf'
import { type SandboxParts } from '#sandbox/types'

/** A client's margin funding account. */
export type MtfAccount = {
	status: 'ACTIVE' | 'INACTIVE' | 'PENDING'
	activatedOn: Day | null
	/** The reference of the waiting e-sign. */
	esignReference: string | null
}

/** Reads the account: ACTIVE since the signature, PENDING while a signature is awaited, else INACTIVE. */
export async function readMtfAccount({ books, clock }: Pick<SandboxParts, 'books' | 'clock'>, client: string): Promise<MtfAccount> {
	const [account] = await books.db.select().from(mtfAccounts).where(eq(mtfAccounts.client, client))
	if (account !== undefined) return { status: 'ACTIVE', activatedOn: toIndianDay(account.activated_at), esignReference: null }
	const waiting = and(eq(esigns.client, client), eq(esigns.kind, 'MTF'), eq(esigns.status, 'WAITING'), gt(esigns.expires_at, clock.now()))
	const [esign] = await books.db.select().from(esigns).where(waiting).orderBy(desc(esigns.id)).limit(1)
	return { status: esign ? 'PENDING' : 'INACTIVE', activatedOn: null, esignReference: esign?.reference ?? null }
}

type Obstacle = { kind: 'SEGMENT' | 'DEBIT'; words: string }

/**
 * The reason why a client may not have margin funding, in the broker's words. Undefined when the client may: the cash segment is active
 * and nothing is owed.
 */
export async function explainNoMtf(books: Books, code: string, day: Day): Promise<Obstacle | undefined> {
	const client = await findClient(books, code)
	if (client === undefined || !listLedgers(client.profile).includes('NSE_CASH'))
		return { kind: 'SEGMENT', words: 'Activate the Cash segment before MTF' }
	const balance = await readLedgerBalance(books, code, 'NSE_CASH', day)
	return balance < 0 ? { kind: 'DEBIT', words: `Clear the ${formatRupees(-balance)} that you owe before MTF` } : undefined
}

/** Throws 409 when margin funding is already active, 422 when the client may not have it. */
export async function requireMtfPossible(parts: Pick<SandboxParts, 'books' | 'clock'>, client: string): Promise<void> {
	if ((await readMtfAccount(parts, client)).status === 'ACTIVE') throw new Refused(409, 'MTF is already active')
	const why = await explainNoMtf(parts.books, client, toIndianDay(parts.clock.now()))
	if (why !== undefined) throw new Refused(422, why.words)
}

export type MarginCall = {
	positions: FundedPosition[]
	needed: Paise
	held: Paise
	/** Money of the equity ledger, which counts as margin. */
	cash: Paise
	shortfall: Paise
	/**
	 * The end of the trading day after the margin first fell short (SEBI's T+1 for margin calls). Null without a shortfall, or when that
	 * day is over.
	 */
	shortfallBy: Day | null
	/** The day on which the broker sells shares for it, at the market's opening. Null without a shortfall. */
	soldOn: Day | null
}

/** The margin that the loans need at the last close, and the margin that the client has, in paise. */
export async function readMarginCall(books: Books, client: string, now: Date): Promise<MarginCall> {
	const day = toIndianDay(now)
	const margin = await readMargin(books, client, day)
	if (margin.shortfall === 0) return { ...margin, shortfallBy: null, soldOn: null }
	// The first trading day on which it is short. A shortfall that begins on a weekend counts from the next one.
	let first = isTradingDay(day) ? day : nextTradingDay(day)
	// When it is short for longer than that, both days are over, and the broker sells at the next opening.
	for (let steps = 0; steps <= SQUARE_OFF_DAYS; steps++) {
		const before = lastTradingDay(addDays(first, -1))
		if ((await readMargin(books, client, before)).shortfall === 0) break
		first = before
	}
	const by = nextTradingDay(first)
	let soldOn = first
	for (let count = 0; count < SQUARE_OFF_DAYS; count++) soldOn = nextTradingDay(soldOn)
	const opening = nextTradingDay(findOpenedDay(now))
	return { ...margin, shortfallBy: by >= day ? by : null, soldOn: soldOn > opening ? soldOn : opening }
}

export async function readMargin(books: Readable, client: string, day: Day): Promise<Omit<MarginCall, 'shortfallBy' | 'soldOn'>> {
	const positions = await readFundedPositions(books, client, day)
	const needed = positions.reduce((sum, position) => sum + position.needed, 0)
	const held = positions.reduce((sum, position) => sum + position.held, 0)
	const cash = positions.length === 0 ? 0 : await readMarginCash(books, client, day)
	return { positions, needed, held, cash, shortfall: Math.max(0, needed - held - cash) }
}

/** A funded purchase that is not fully pledged. */
export type WaitingPledge = {
	position: FundedPosition
	quantity: number
	confirmBy: Date
	/** From this moment the broker sells the units that are still not pledged. */
	soldFrom: Date
	/** The reference of the depository's request, while it can be confirmed. */
	reference: string | null
}

const Lines = z.array(z.object({ isin: z.string() }))

/** A client's purchases that wait to be pledged, and their requests. */
export async function listWaitingPledges({ db }: Books, client: string, positions: FundedPosition[], now: Date): Promise<WaitingPledge[]> {
	const waiting = positions.filter(({ confirmed, quantity }) => confirmed < quantity)
	if (waiting.length === 0) return []
	const its = and(
		eq(pledgeRequests.client, client),
		eq(pledgeRequests.purpose, 'MTF'),
		eq(pledgeRequests.status, 'WAITING'),
		gt(pledgeRequests.confirm_by, now),
	)
	const requests = await db.select().from(pledgeRequests).where(its)
	const referencesByIsin = new Map(requests.flatMap(({ reference, lines }) => Lines.parse(lines).map(({ isin }) => [isin, reference])))
	return waiting.map((position) => ({
		position,
		quantity: position.quantity - position.confirmed,
		...findPledgeTimes(position.boughtOn),
		reference: referencesByIsin.get(position.instrument) ?? null,
	}))
}
