import { addDays, type Day } from '#contract/values/dates'
import { maskAccount, maskChange, maskEmail, maskMobile } from '#sandbox/clients/masks'
import { type Books } from '#sandbox/db/open'
import { listChanges, recordDone, recordForEsign, withdrawChange } from '#sandbox/modifications/requests'
import { readStored } from '#sandbox/modifications/stored'
import { earlierDefaults, findAccountOn } from '#sandbox/reference-data/bank-accounts'

const at = (day: Day, time: string) => new Date(`${day}T${time}+05:30`)

/**
 * The demonstration client's change requests, made by the functions of a running sandbox: one done, one withdrawn, one that lapsed
 * unsigned, and one that waits for its signature. The last is made late on the evening before: that is never after the clock, and it can
 * be signed nearly all day.
 */
export async function storeChanges(books: Books, people: readonly string[], today: Day): Promise<void> {
	const client = 'DEMO01'
	const earlier = earlierDefaults[client]
	if (!people.includes(client) || !earlier) return
	const { personal_details: own } = await readStored(books.db, client)
	const nameBank = (day: Day) => {
		const { bank_name, bank_acno } = findAccountOn(client, day)
		return `${bank_name} ${maskAccount(bank_acno)}`
	}
	const later = addDays(earlier.until, 1)
	const banks = { client, kind: 'DEFAULT_BANK', was: nameBank(earlier.until), becomes: nameBank(later) }
	await recordDone(books.db, { ...banks, authorised_by: 'LOGIN' }, at(later, '10:05:12'))

	const askFor = async (kind: 'MOBILE' | 'EMAIL', input: string, asked: Date) => {
		const [old, mask] = kind === 'MOBILE' ? [own.mobile, maskMobile] : [own.email, maskEmail]
		const parts = { clock: { now: () => asked }, settings: { url: undefined } }
		await recordForEsign(parts, books.db, { client, kind, ...maskChange(mask, old, input) }, { input })
	}
	await askFor('MOBILE', '9820055512', at(addDays(today, -33), '18:20:40'))
	const [mistyped] = await listChanges({ books }, client)
	if (mistyped) await withdrawChange({ books, clock: { now: () => at(addDays(today, -33), '18:41:07') } }, client, mistyped.reference)
	await askFor('EMAIL', 'aarav.mehta@example.org', at(addDays(today, -12), '21:02:55'))
	await askFor('MOBILE', '9820054321', at(addDays(today, -1), '23:52:36'))
}
