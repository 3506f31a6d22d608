import { type LedgerCocd } from '#contract/common'
import { addDays, type Day, toIndianDay } from '#contract/values/dates'
import { isSettlementDay } from './calendar'

/**
 * A batch of payouts: it takes requests until `cutOff`, and the money reaches the clients' banks by `creditedBy`. Times of day in India.
 */
type Times = readonly [cutOff: string, creditedBy: string]

/** Two batches a day, so that a morning request does not wait until the next day. A sandbox choice: no rule sets the times. */
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

/** The first batch of a ledger that is still open. Batches run only on settlement days, because banks are closed on others. */
export function findBatch(cocd: LedgerCocd, now: Date): Batch {
	for (let day = toIndianDay(now); ; day = addDays(day, 1)) {
		if (!isSettlementDay(day)) continue
		for (const [cutOff, creditedBy] of BATCHES[cocd]) {
			if (now < at(day, cutOff)) return { day, cutOff: at(day, cutOff), creditedBy: at(day, creditedBy) }
		}
	}
}
