import {
	type corporateActions,
	type disposals,
	type dividends,
	type fundings,
	type instruments,
	type lots,
	type marks,
	type noteCharges,
	type notes,
	type pledgeMovements,
	type trades,
} from '#sandbox/db/schema'
import { type OpenLot } from '#sandbox/rules/fifo'
import { type Journal, openJournal } from './voucher'

export type InstrumentRow = typeof instruments.$inferInsert
export type NoteRow = typeof notes.$inferInsert
type NoteChargeRow = typeof noteCharges.$inferInsert
type TradeRow = typeof trades.$inferInsert
type LotRow = typeof lots.$inferInsert
type DisposalRow = typeof disposals.$inferInsert
type PledgeMovement = typeof pledgeMovements.$inferInsert
export type MarkRow = typeof marks.$inferInsert
type FundingRow = typeof fundings.$inferInsert
type DividendRow = typeof dividends.$inferInsert
export type ActionRow = typeof corporateActions.$inferInsert

/** All rows that trading writes, with the journal; db/seed stores them together. */
export interface Book extends Journal {
	notes: NoteRow[]
	noteCharges: NoteChargeRow[]
	marks: MarkRow[]
	trades: TradeRow[]
	lots: LotRow[]
	disposals: DisposalRow[]
	pledges: PledgeMovement[]
	fundings: FundingRow[]
	dividends: DividendRow[]
	nextTrade: number
	nextLot: number
	nextDisposal: number
}

/** A client's open lots by instrument, each queue in order of credit. */
export type Positions = Map<string, OpenLot[]>

/** An empty book, numbered from 1. */
export function openBook(): Book {
	return {
		...openJournal(),
		notes: [],
		noteCharges: [],
		marks: [],
		trades: [],
		lots: [],
		disposals: [],
		pledges: [],
		fundings: [],
		dividends: [],
		nextTrade: 1,
		nextLot: 1,
		nextDisposal: 1,
	}
}

/** A position's queue, created when there is none. */
export function openQueue(positions: Positions, instrument: string): OpenLot[] {
	let queue = positions.get(instrument)
	if (!queue) positions.set(instrument, (queue = []))
	return queue
}
