import { addDays, type Day } from '#contract/values/dates'
import { type Books } from '#sandbox/db/open'
import { mandates, payins, unregisteredPayments } from '#sandbox/db/schema'
import { bankAccounts } from '#sandbox/reference-data/bank-accounts'
import { findSettlementDay } from '#sandbox/rules/calendar'
import { formatUpiNumber } from '#sandbox/rules/utr'

const at = (day: Day, time: string) => new Date(`${day}T${time}+05:30`)

/**
 * Data of the demonstration client's funds pages that is not in the ledger: a failed payment, two payments from unregistered accounts
 * (one is being returned), a mandate. None of it moves money.
 */
export async function storeFunds({ db }: Books, people: readonly string[], today: Day): Promise<void> {
	const bank = bankAccounts.DEMO01?.[0]
	if (!people.includes('DEMO01') || bank === undefined) return
	const { bank_name, bank_acno } = bank
	const failed = addDays(today, -5)
	const place = { client: 'DEMO01', bank_name, bank_acno }
	await db.insert(payins).values({
		...place,
		request_id: `PI${failed.slice(2).replaceAll('-', '')}-000001`,
		token: 'seeded-and-over',
		asked_at: at(failed, '10:12:41'),
		amount: 5_000_00,
		cocd: 'NSE_CASH',
		mode: 'UPI',
		upi_id: 'aarav.mehta@examplebank',
		status: 'FAILED',
		ended_at: at(failed, '10:13:20'),
		remarks: 'Declined by the bank',
	})
	const [older, newer] = [addDays(today, -40), addDays(today, -1)]
	const stranger = { client: 'DEMO01' }
	await db.insert(unregisteredPayments).values([
		{
			...stranger,
			utr: formatUpiNumber(older, 21, 44_061),
			day: older,
			amount: 10_000_00,
			from_account: '30450100006612',
			from_name: 'ANANYA MEHTA',
			returned_on: findSettlementDay(older),
			reason: 'Joint account, second holder',
		},
		{
			...stranger,
			utr: formatUpiNumber(newer, 18, 719_302),
			day: newer,
			amount: 2_500_00,
			from_account: '30450100009174',
			from_name: 'AARAV R MEHTA HUF',
			returned_on: null,
			reason: 'Name differs',
		},
	])
	const begun = addDays(today, -90)
	await db.insert(mandates).values({
		...place,
		reference: `EM${begun.slice(2).replaceAll('-', '')}-000001`,
		token: 'seeded-and-over',
		asked_at: at(begun, '15:40:02'),
		amount: 25_000_00,
		channel: 'netbanking',
		frequency: 'As presented',
		starts_on: begun,
		ends_on: `${Number(begun.slice(0, 4)) + 30}${begun.slice(4).replace('02-29', '02-28')}`,
		status: 'ACTIVE',
		ended_at: at(addDays(begun, 2), '11:00:00'),
		umrn: `HDFC7${begun.slice(2).replaceAll('-', '')}000104821`,
		remarks: '',
	})
}
