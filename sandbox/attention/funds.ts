import { and, asc, eq, gt, isNotNull, isNull, or } from 'drizzle-orm'
import { formatDay, toIndianDay } from '#contract/values/dates'
import { formatMoment } from '#contract/values/moments'
import { formatRupees } from '#contract/values/money'
import { payins, payouts, unregisteredPayments } from '#sandbox/db/schema'
import { type Item, type ItemFinder } from './item'

/** Payouts on their way to the client's bank, and the time until which each can be cancelled. */
export const listPendingPayouts: ItemFinder = async ({ books }, { code }, now) => {
	const own = and(eq(payouts.client, code), eq(payouts.status, 'PENDING'))
	const rows = await books.db.select().from(payouts).where(own).orderBy(asc(payouts.credited_by)).limit(20)
	return rows.map(({ request_id, amount, bank_name, credited_by, cut_off }) => {
		const cancel = cut_off > now ? ` You can cancel it until ${formatMoment(cut_off)}.` : ''
		const words = `${formatRupees(amount)} is on its way to ${bank_name}: there by ${formatMoment(credited_by)}.${cancel}`
		return { kind: 'PAYOUT', reference: request_id, words, amount: -amount, deadline: null }
	})
}

/** Payments that the client's bank has received but not confirmed. */
export const listPendingPayins: ItemFinder = async ({ books }, { code }) => {
	const own = and(eq(payins.client, code), eq(payins.status, 'PENDING'), isNotNull(payins.waits_since))
	const rows = await books.db.select().from(payins).where(own).orderBy(asc(payins.asked_at)).limit(20)
	return rows.map(({ request_id, amount, bank_name }) => {
		const words = `${bank_name} has not confirmed your payment of ${formatRupees(amount)} yet. Do not pay again before it has.`
		return { kind: 'PAYIN', reference: request_id, words, amount, deadline: null }
	})
}

/** Money from an unregistered account, until it is returned. */
export const listUnregisteredPayments: ItemFinder = async ({ books }, { code }, now) => {
	const isHere = or(isNull(unregisteredPayments.returned_on), gt(unregisteredPayments.returned_on, toIndianDay(now)))
	const own = and(eq(unregisteredPayments.client, code), isHere)
	const rows = await books.db.select().from(unregisteredPayments).where(own).orderBy(asc(unregisteredPayments.day)).limit(20)
	return rows.map(({ utr, amount, day, returned_on }): Item => {
		const next = returned_on === null ? 'It is not in your ledger: see what to do.' : `It goes back on ${formatDay(returned_on)}.`
		const words = `${formatRupees(amount)} came on ${formatDay(day)} from a bank account that is not registered. ${next}`
		return { kind: 'UNREGISTERED_PAYMENT', reference: utr, words, amount, deadline: null }
	})
}
