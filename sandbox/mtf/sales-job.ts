import { and, eq } from 'drizzle-orm'
import { addDays, type Day, toIndianDay } from '#contract/values/dates'
import { formatRupees, type Paise } from '#contract/values/money'
import { nameUnits } from '#contract/values/unit-names'
import { type FundedPosition, readFundedPositions } from '#sandbox/book/read-mtf'
import { readUnpaid } from '#sandbox/book/read-unpaid'
import { type ShareSale, sellShares } from '#sandbox/book/sell-shares'
import { findClient, isInBrokersState } from '#sandbox/clients/clients'
import { type Queries } from '#sandbox/db/open'
import { instruments, outbox, pledgeRequests, watchedDays } from '#sandbox/db/schema'
import { listContacts } from '#sandbox/modifications/notices'
import { readStored } from '#sandbox/modifications/stored'
import { lastTradingDay, listTradingDays } from '#sandbox/rules/calendar'
import { findOpenedDay, findOpening, findPledgeTimes, SQUARE_OFF_DAYS } from '#sandbox/rules/mtf'
import { defineDailyJob } from '#sandbox/scheduler/daily-job'
import { readMargin } from './account'

/** A sale with its message to the client. */
type Forced = ShareSale & { why: string }

/**
 * Makes the broker's announced sales at the opening: funded shares whose pledge was not confirmed, funded shares with missing margin,
 * and shares that are not paid for.
 */
export const salesJob = defineDailyJob({
	done: watchedDays,
	findLast: findOpenedDay,
	async work(tx, client, since, opened) {
		for (const day of listTradingDays(addDays(since, 1), opened)) await sellOn(tx, client, day)
	},
})

async function sellOn(tx: Queries, client: string, day: Day): Promise<void> {
	const unpaid = await findUnpaidSales(tx, client, day)
	const positions = await readFundedPositions({ db: tx }, client, day)
	const unconfirmed = positions.flatMap((position): Forced[] => {
		if (position.confirmed >= position.quantity || toIndianDay(findPledgeTimes(position.boughtOn).soldFrom) > day) return []
		return [{ ...createSale(position, position.quantity - position.confirmed, 0), why: 'their pledge was not confirmed' }]
	})
	const short = unconfirmed.length > 0 ? [] : await findShortSales(tx, client, day, positions)
	const sales = [...unpaid, ...unconfirmed, ...short]
	if (sales.length === 0) return
	const found = await findClient({ db: tx }, client)
	if (found === undefined) return
	await sellShares(tx, client, isInBrokersState(found), day, sales)
	if (unconfirmed.length > 0) {
		const waiting = and(eq(pledgeRequests.client, client), eq(pledgeRequests.purpose, 'MTF'), eq(pledgeRequests.status, 'WAITING'))
		await tx
			.update(pledgeRequests)
			.set({ status: 'LAPSED', ended_at: findOpening(day) })
			.where(waiting)
	}
	await notifySale(tx, client, day, sales)
}

/** A sale of a funded position. Selling a part repays the same part of the loan. */
function createSale({ instrument, quantity: all, funded }: FundedPosition, quantity: number, released: number): ShareSale {
	return { instrument, quantity, funded: { repaid: quantity === all ? funded : Math.round((funded * quantity) / all), released } }
}

async function findUnpaidSales(tx: Queries, client: string, day: Day): Promise<Forced[]> {
	const due = (await readUnpaid({ db: tx }, client, day)).filter(({ soldOn }) => soldOn <= day)
	const byInstrument = new Map<string, number>()
	for (const { instrument, quantity } of due) byInstrument.set(instrument, (byInstrument.get(instrument) ?? 0) + quantity)
	return [...byInstrument].map(([instrument, quantity]) => ({ instrument, quantity, why: 'they were not paid for' }))
}

/**
 * Sales of whole positions, by symbol, until their margin covers the shortfall. Only when the shortfall has lasted for the last five
 * trading days.
 */
async function findShortSales(tx: Queries, client: string, day: Day, positions: readonly FundedPosition[]): Promise<Forced[]> {
	if (positions.length === 0) return []
	const shortOn = async (on: Day): Promise<Paise> => (await readMargin({ db: tx }, client, on)).shortfall
	let left = await shortOn(day)
	if (left === 0) return []
	for (let count = 0, on = day; count < SQUARE_OFF_DAYS; count++) {
		on = lastTradingDay(addDays(on, -1))
		if ((await shortOn(on)) === 0) return []
	}
	const sales: Forced[] = []
	for (const position of positions) {
		if (left <= 0) break
		sales.push({ ...createSale(position, position.quantity, position.confirmed), why: 'margin was missing' })
		left -= position.needed
	}
	return sales
}

async function notifySale(tx: Queries, client: string, day: Day, sales: readonly Forced[]): Promise<void> {
	const to = listContacts(await readStored(tx, client))
	const sent_at = findOpening(day)
	for (const { instrument, quantity, funded, why } of sales) {
		const [its] = await tx.select({ name: instruments.name }).from(instruments).where(eq(instruments.id, instrument))
		const repaid = funded ? ` ${formatRupees(funded.repaid)} of your loan is repaid with it.` : ''
		const body = `We sold ${quantity} ${nameUnits(instrument, quantity)} of ${its?.name ?? instrument} in account ${client}, since ${why}.${repaid} The contract note follows.`
		const subject = 'Shares sold by the broker'
		await tx.insert(outbox).values(to.map(({ channel, address }) => ({ client, channel, recipient: address, subject, body, sent_at })))
	}
}
