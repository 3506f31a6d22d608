import { type LedgerCocd } from '#contract/common'
import { type Day } from '#contract/values/dates'

/** Exchange segments. */
export type Segment = 'NSE_CASH' | 'NSE_FNO' | 'CD_NSE' | 'MCX'

/** The kinds of instrument, as in instruments.kind. */
export type InstrumentKind = 'EQUITY' | 'ETF' | 'OTHER_ETF' | 'FUND' | 'FUTURE' | 'OPTION'

export type TradeSide = 'B' | 'S'

const billLetters: Record<Segment, string> = { NSE_CASH: 'NC', NSE_FNO: 'NF', CD_NSE: 'CD', MCX: 'MX' }
const segmentNames: Record<Segment, string> = { NSE_CASH: 'NSE CASH', NSE_FNO: 'NSE FNO', CD_NSE: 'CD NSE', MCX: 'MCX' }

/** The ledger of a segment: commodity has its own, all others share NSE_CASH. */
export function findLedger(segment: Segment): LedgerCocd {
	return segment === 'MCX' ? 'MCX' : 'NSE_CASH'
}

/** `NSE FNO`, as narrations write a segment. */
export function formatSegment(segment: Segment): string {
	return segmentNames[segment]
}

/**
 * `NC24051401`: letters of the segment, day, running number of the day. Throws RangeError above 99, because the format has only two
 * digits.
 */
export function formatBillNumber(segment: Segment, day: Day, running: number): string {
	if (running < 1 || running > 99) throw new RangeError(`No bill number left for ${segment} on ${day}`)
	return `${billLetters[segment]}${day.slice(2).replaceAll('-', '')}${String(running).padStart(2, '0')}`
}
