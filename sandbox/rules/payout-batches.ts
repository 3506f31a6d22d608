import { type LedgerCocd } from '#contract/common'
import { addDays, type Day, toIndianDay } from '#contract/values/dates'
import { isSettlementDay } from './calendar'

/** A batch of payouts: closed at the first time of day, with the clients' banks by the second; India's time. */
type Times = readonly [cutOff: string, creditedBy: string]

/** Two a day, so that a morning request does not wait until the next day; a sandbox choice, because no rule sets the times. */
const BATCHES: Readonly<Record<LedgerCocd, readonly Times[]>> = {
	NSE_CASH: [
		['07:30', '11:30'],
		['18:00', '21:30'],
	],
	MCX: [
		['09:00', '13:00'],
		['21:00', '23:30'],
	],
}

export type Batch = { day: Day; cutOff: Date; creditedBy: Date }

const at = (day: Day, time: string) => new Date(`${day}T${time}:00+05:30`)

/** The first open batch of a ledger. Batches run only on settlement days: on others the banks are closed. */
export function findBatch(cocd: LedgerCocd, now: Date): Batch {
	for (let day = toIndianDay(now); ; day = addDays(day, 1)) {
		if (!isSettlementDay(day)) continue
		for (const [cutOff, creditedBy] of BATCHES[cocd]) {
			if (now < at(day, cutOff)) return { day, cutOff: at(day, cutOff), creditedBy: at(day, creditedBy) }
		}
	}
}
