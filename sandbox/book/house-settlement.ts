import { sql } from 'drizzle-orm'
import { addDays, type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { type Queries } from '#sandbox/db/open'
import { addOwed, COLLECTED, findGstDay, type Owed, postClearing, postGstPayment } from './house'
import { recordVouchers } from './record'
import { readRows } from './rows'

/**
 * Moves what a client's bills owe others, and the GST charged to the client, through the house's bank, for all days after `since` up to
 * `now`.
 */
export async function settleHouse(tx: Queries, client: string, since: Day, now: Day): Promise<void> {
	const bills = await readRows<{ day: Day; obligation: Paise }>(
		{ db: tx },
		sql`SELECT settles_on::text AS day, sum(obligation)::float8 AS obligation FROM notes
		WHERE client = ${client} AND settles_on > ${since} AND settles_on <= ${now} GROUP BY 1 ORDER BY 1`,
	)
	const charges = await readRows<{ day: Day; kind: string; amount: Paise }>(
		{ db: tx },
		sql`SELECT n.settles_on::text AS day, c.kind, sum(c.amount)::float8 AS amount FROM notes n JOIN note_charges c USING (bill_no)
		WHERE n.client = ${client} AND n.settles_on > ${since} AND n.settles_on <= ${now} GROUP BY 1, 2`,
	)
	for (const { day, obligation } of bills) {
		const owed: Owed = new Map([['CLEARING', -obligation]])
		for (const account of COLLECTED)
			for (const charge of charges) if (charge.day === day && charge.kind === account) addOwed(owed, account, charge.amount)
		await recordVouchers(tx, day, (journal) => postClearing(journal, day, owed))
	}
	await payGst(tx, client, since, now)
}

async function payGst(tx: Queries, client: string, since: Day, now: Day): Promise<void> {
	// The tax of the month before `since` may still be due too.
	let month = addDays(`${since.slice(0, 7)}-01`, -1).slice(0, 7)
	for (let day = findGstDay(month); day <= now; day = findGstDay(month)) {
		const ended = month
		month = addDays(`${month}-28`, 4).slice(0, 7)
		if (day <= since) continue
		const [tax] = await readRows<{ amount: Paise }>(
			{ db: tx },
			sql`SELECT coalesce(sum(g.amount), 0)::float8 AS amount FROM postings c JOIN postings g ON g.voucher_id = c.voucher_id AND g.account = 'GST'
			WHERE c.account = 'CLIENT' AND c.client = ${client} AND c.day >= ${`${ended}-01`} AND c.day < ${`${month}-01`}`,
		)
		if (tax && tax.amount !== 0) await recordVouchers(tx, day, (journal) => postGstPayment(journal, day, ended, tax.amount))
	}
}
