import { z } from 'zod/v4'
import { Balance, Day, LedgerCocd, Money, MoneyNonNegative, whole, YearStart } from './common'
import { text, word, words } from './texts'
import { cells, maybe, rows, spare } from './tolerant'

/** One ledger balance: credit positive. */
const DashboardLedgerRow = z.object({ COCD: word(LedgerCocd), ...cells({ DUE_AMT: Balance }) })
export const DashboardLedger = rows(DashboardLedgerRow)
export type DashboardLedger = z.infer<typeof DashboardLedger>

export const HoldingTotal = z.object(
	cells({
		/** Market value of the holding. */
		total_amount: MoneyNonNegative,
		/** Cost of the holding. */
		invested_amount: MoneyNonNegative,
		/** Change of value since the previous close. */
		day_change: Money,
	}),
)
export type HoldingTotal = z.infer<typeof HoldingTotal>

/**
 * Not in the specification: holdings whose cost is unknown. Their value is in total_amount and their cost is not in invested_amount, so
 * the gain must leave them out.
 */
export const UnknownCost = z.object({ holdings: whole(0, Number.MAX_SAFE_INTEGER), value: MoneyNonNegative })
export type UnknownCost = z.infer<typeof UnknownCost>

export const Notice = z.object({ title: text(120), ...cells({ date: Day, body: text(1000), link: maybe(words(z.string())) }) })

export const Dashboard = z.object({
	client_code: spare(words(z.string()), () => null),
	client_name: spare(words(z.string()), () => null),
	year: spare(z.object({ from: word(YearStart), to: word(YearStart) }), () => null),
	...cells({
		/** All segments, before charges; a loss is negative. */
		realised_pnl: Money,
		unrealised_pnl: Money,
		charges: MoneyNonNegative,
		/** Dividends declared to the client in the year. Companies pay them to the bank account, not to the ledger. */
		dividend: MoneyNonNegative,
	}),
	/** Month ends, oldest first. */
	history: rows(z.object({ date: Day, invested: MoneyNonNegative, value: MoneyNonNegative }), 12),
	/** By sector; sums to the total holding value. */
	allocation: rows(z.object({ name: text(60), value: MoneyNonNegative }), 30),
	/** Newest first. */
	notices: rows(Notice, 20),
})
export type Dashboard = z.infer<typeof Dashboard>

const QuickLink = z.object({ title: text(80), url: text(2048), group: text(40) })
export const QuickLinks = rows(QuickLink, 30)
export type QuickLinks = z.infer<typeof QuickLinks>
