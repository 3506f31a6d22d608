import { and, count, eq, gt, inArray, ne, sum } from 'drizzle-orm'
import { type Day } from '#contract/values/dates'
import { formatRupees, type Paise } from '#contract/values/money'
import { readAccruedInterest, readUnbilledDpCharges, readUnsettledNotes } from '#sandbox/book/read-dues'
import { type Position, readPositions, sumHolding } from '#sandbox/book/read-holding'
import { readLedgerBalance } from '#sandbox/book/read-ledger'
import { readEncumbrances } from '#sandbox/book/read-open-lots'
import { type Client, isWoman, listLedgers } from '#sandbox/clients/clients'
import { type Books } from '#sandbox/db/open'
import { esigns, ipoApplications, ipoIssues, mandates as mandateTable, payouts, pledgeRequests } from '#sandbox/db/schema'

/** One condition for closing an account. */
export type Task = { kind: string; isDone: boolean; words: string; amount: Paise | null; count: number | null }

/** The data of the checks, read once. */
export type Standing = {
	client: Client
	day: Day
	ledgerBalance: Paise
	/** Accrued but not posted; credit positive. */
	virtualBalance: Paise
	/** Depository's dues not yet billed; positive: the client owes. */
	dpDues: Paise
	positions: Position[]
}

const grouped = new Intl.NumberFormat('en-IN')

/** A difference of up to a rupee needs no payment. */
const TOLERANCE: Paise = 1_00

// The signature checks all of this again in its transaction, whose one connection takes one query at a time.

/** Balance, dues and positions of a client at the end of a day. */
export async function readStanding(books: Books, client: Client, day: Day): Promise<Standing> {
	let ledgerBalance = 0
	for (const cocd of listLedgers(client.profile)) ledgerBalance += await readLedgerBalance(books, client.code, cocd, day)
	const accrued = await readAccruedInterest(books, client.code, day)
	const dpDues = await readUnbilledDpCharges(books, client.code, isWoman(client), day)
	const positions = await readPositions(books, client.code, [day])
	return { client, day, ledgerBalance, virtualBalance: accrued === 0 ? 0 : -accrued, dpDues, positions }
}

const done = (kind: string, words: string): Task => ({ kind, isDone: true, words, amount: null, count: null })
const open = (kind: string, words: string, figures: { amount?: Paise; count?: number }): Task => ({
	kind,
	isDone: false,
	words,
	amount: figures.amount ?? null,
	count: figures.count ?? null,
})

type Check = (books: Books, standing: Standing, now: Date) => Promise<Task> | Task

/** The sum of all ledgers less everything accrued. */
const sumStanding = ({ ledgerBalance, virtualBalance, dpDues }: Standing): Paise => ledgerBalance + virtualBalance - dpDues

function debit(_: Books, standing: Standing): Task {
	const total = sumStanding(standing)
	if (total >= -TOLERANCE) return done('DEBIT', 'Nothing is owed')
	return open('DEBIT', `${formatRupees(-total)} is owed`, { amount: total })
}

function credit(_: Books, standing: Standing): Task {
	const total = sumStanding(standing)
	if (total <= TOLERANCE) return done('CREDIT', 'No money is left in the ledgers')
	return open('CREDIT', `${formatRupees(total)} is left in the ledgers`, { amount: total })
}

function openPositions(_: Books, { positions }: Standing): Task {
	const contracts = positions.filter((position) => !position.isSecurity)
	if (contracts.length === 0) return done('POSITIONS', 'No position is open')
	return open('POSITIONS', `${contracts.length} ${contracts.length === 1 ? 'position is' : 'positions are'} open`, {
		count: contracts.length,
	})
}

async function unsettled(books: Books, { client, day }: Standing): Promise<Task> {
	const notes = await readUnsettledNotes(books, client.code, day)
	if (notes.count === 0) return done('UNSETTLED', 'All trades are settled')
	return open('UNSETTLED', `Trades of ${notes.count} ${notes.count === 1 ? 'bill' : 'bills'} are not settled`, {
		amount: notes.net,
		count: notes.count,
	})
}

async function pledged(books: Books, { client, day }: Standing): Promise<Task> {
	const encumbrances = await readEncumbrances(books, client.code, day)
	const units = [...encumbrances.values()].reduce((sum, { margin, mtf, unpaid }) => sum + margin + mtf + unpaid, 0)
	if (units === 0) return done('PLEDGED', 'No share is pledged or margin-funded')
	return open('PLEDGED', `${grouped.format(units)} units are pledged or margin-funded`, { count: units })
}

/** Pledge requests that are not confirmed at the depository yet. */
async function pledgeRequestsWaiting({ db }: Books, { client }: Standing, now: Date): Promise<Task> {
	const own = and(eq(pledgeRequests.client, client.code), eq(pledgeRequests.status, 'WAITING'), gt(pledgeRequests.confirm_by, now))
	const [found] = await db.select({ count: count() }).from(pledgeRequests).where(own)
	const many = found?.count ?? 0
	if (many === 0) return done('PLEDGE_REQUEST', 'No pledge request is waiting')
	return open('PLEDGE_REQUEST', `${many} pledge ${many === 1 ? 'request is' : 'requests are'} unconfirmed`, { count: many })
}

function holdings(_: Books, { positions }: Standing): Task {
	const held = positions.filter((position) => position.isSecurity)
	const { value } = sumHolding(positions)
	if (held.length === 0) return done('HOLDINGS', 'The demat account is empty')
	return open('HOLDINGS', `Securities worth ${formatRupees(value)} are in the demat account`, { amount: value, count: held.length })
}

/** Changes that wait for their signature. */
async function modifications({ db }: Books, { client }: Standing, now: Date): Promise<Task> {
	const waiting = and(eq(esigns.client, client.code), eq(esigns.status, 'WAITING'), gt(esigns.expires_at, now), ne(esigns.kind, 'CLOSURE'))
	const [found] = await db.select({ count: count() }).from(esigns).where(waiting)
	const many = found?.count ?? 0
	if (many === 0) return done('MODIFICATION', 'No change is waiting')
	return open('MODIFICATION', `${many} ${many === 1 ? 'change waits' : 'changes wait'} for e-sign`, { count: many })
}

async function payoutsUnderWay({ db }: Books, { client }: Standing): Promise<Task> {
	const own = and(eq(payouts.client, client.code), eq(payouts.status, 'PENDING'))
	const [found] = await db
		.select({ count: count(), amount: sum(payouts.amount).mapWith(Number) })
		.from(payouts)
		.where(own)
	if (!found || found.count === 0) return done('PAYOUT', 'No withdrawal is on its way')
	return open('PAYOUT', `${formatRupees(found.amount)} is on its way to your bank`, { amount: found.amount, count: found.count })
}

/** Applications that may still bring shares or release money. */
async function ipoBids({ db }: Books, { client }: Standing): Promise<Task> {
	const [found] = await db
		.select({ count: count() })
		.from(ipoApplications)
		.innerJoin(ipoIssues, eq(ipoIssues.symbol, ipoApplications.symbol))
		.where(
			and(
				eq(ipoApplications.client, client.code),
				inArray(ipoApplications.status, ['PENDING', 'ACCEPTED']),
				inArray(ipoIssues.stage, ['OPEN', 'CLOSED', 'ALLOTTED']),
			),
		)
	const many = found?.count ?? 0
	if (many === 0) return done('IPO_BID', 'No IPO bid is open')
	return open('IPO_BID', `${many} IPO ${many === 1 ? 'application is' : 'applications are'} open`, { count: many })
}

async function mandates({ db }: Books, { client }: Standing): Promise<Task> {
	const own = and(eq(mandateTable.client, client.code), inArray(mandateTable.status, ['ACTIVE', 'AT_BANK']))
	const [found] = await db.select({ count: count() }).from(mandateTable).where(own)
	const many = found?.count ?? 0
	if (many === 0) return done('MANDATE', 'No mandate is active')
	return open('MANDATE', `${many} ${many === 1 ? 'mandate is' : 'mandates are'} active`, { count: many })
}

const checks: readonly Check[] = [
	debit,
	credit,
	payoutsUnderWay,
	openPositions,
	unsettled,
	pledged,
	pledgeRequestsWaiting,
	modifications,
	ipoBids,
	mandates,
	holdings,
]

/** All conditions of a closure, done or not, in the order of the client's steps. */
export async function listTasks(books: Books, standing: Standing, now: Date): Promise<Task[]> {
	const tasks: Task[] = []
	for (const check of checks) tasks.push(await check(books, standing, now))
	return tasks
}

/** The open tasks that block the closure. Holdings block only a plain closure, because a transfer moves them. */
export function listBlockers(tasks: readonly Task[], withTransfer: boolean): Task[] {
	return tasks.filter((task) => !task.isDone && !(withTransfer && task.kind === 'HOLDINGS'))
}
