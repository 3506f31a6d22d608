import { z } from 'zod/v4'
import { ClientCode, Day, Flag, Money, MoneyNonNegative, whole } from './common'
import { text, word } from './texts'
import { cells, maybe, optional, part, rows, spare } from './tolerant'
import { Isin, IsinOrNull, Price, Quantity, ScripName, Segment, TaxRate } from './units'

export const IncomeTaxRequest = z.object({
	/** `2024-2025`. */
	financial_year: z.string().regex(/^20\d{2}-20\d{2}$/),
	client_code: ClientCode.optional(),
})

/** ST, LT: capital gains; SPEC: intraday; BUS: futures and options. */
const TaxTerm = z.enum(['ST', 'LT', 'SPEC', 'BUS'])

export const IncomeTaxRow = z.object({
	SEGMENT: word(Segment),
	SCRIP_NAME: ScripName,
	SELL_DATE: Day,
	TERM: word(TaxTerm),
	...cells({
		ISIN: IsinOrNull,
		QTY: Quantity,
		/** For a short contract it is after SELL_DATE. Tax counts this day. */
		BUY_DATE: Day,
		BUY_RATE: Price,
		BUY_AMT: MoneyNonNegative,
		SELL_RATE: Price,
		SELL_AMT: MoneyNonNegative,
		/** Charges of purchase and sale: without STT for ST and LT, with STT for SPEC and BUS. */
		EXPENSES: MoneyNonNegative,
		/** Only for units bought by 31-01-2018. */
		FMV_31JAN2018: maybe(Price),
		/** BUY_AMT, the grandfathered cost, or the indexed cost (other units sold long-term before 23-07-2024). */
		COST: MoneyNonNegative,
		/** SELL_AMT - COST - EXPENSES. */
		GAIN: Money,
		DAYS: whole(0, 36_500),
	}),
})

const IncomeTaxQuarter = z.object({
	label: text(40),
	...cells({
		/** For sales before 23-07-2024. After set-off of losses; never negative. */
		short_term_15: Money,
		short_term_20: Money,
		long_term_10: Money,
		long_term_12_5: Money,
		speculative: Money,
	}),
})

export const IncomeTax = z.object({
	summary: part(
		z.object(
			cells({
				/** Σ GAIN of TERM ST. */
				short_term: Money,
				/** Σ GAIN of TERM LT, before the exemption. */
				long_term: Money,
				speculative: Money,
				/** NSE_FNO and CD_NSE. */
				futures_options: Money,
				/** MCX. */
				commodity: Money,
				dividend: MoneyNonNegative,
				/** STT of the purchases and the sales in ST and LT rows. */
				charges_not_allowed: MoneyNonNegative,
				/** The year's tax-free amount of long-term gains. */
				exempt_limit: spare(MoneyNonNegative, () => null),
				/** Σ COST - BUY_AMT where the 31-01-2018 rule applied. */
				grandfathered: MoneyNonNegative,
			}),
		),
	),
	/** The five advance-tax windows of the tax return. */
	quarters: rows(IncomeTaxQuarter, 5),
	/** By day of sale. Sales of unknown cost are not included: see getTaxFacts. */
	rows: rows(IncomeTaxRow),
})
export type IncomeTax = z.infer<typeof IncomeTax>

/** EQUITY: STT paid; OTHER: gold, silver and other funds. BEFORE: sold before 23-07-2024; AFTER: sold later. */
const TaxHeadKey = z.enum([
	'SHORT_EQUITY_BEFORE',
	'SHORT_EQUITY_AFTER',
	'SHORT_OTHER_BEFORE',
	'SHORT_OTHER_AFTER',
	'LONG_EQUITY_BEFORE',
	'LONG_EQUITY_AFTER',
	'LONG_OTHER_BEFORE',
	'LONG_OTHER_AFTER',
	'SPECULATIVE',
	'BUSINESS_FNO',
	'BUSINESS_COMMODITY',
])

const Windows = z.array(MoneyNonNegative).length(5)

const TaxHead = z.object({
	KEY: word(TaxHeadKey),
	/** `Short-term gains, STT paid`. */
	NAME: text(80),
	/** Of the Act in force for the year: `Section 111A`, from FY 2026-27 `Section 196`; empty when the head has no special rate. */
	SECTION: text(60),
	TAX_RATE: TaxRate,
	/** Sums of the rows: gains, losses (positive), and GAINS - LOSSES. */
	GAINS: MoneyNonNegative,
	LOSSES: MoneyNonNegative,
	NET: Money,
	/** The gain after set-off of this year's and earlier years' losses; never negative. See set_off. */
	AFTER_SET_OFF: MoneyNonNegative,
	/** AFTER_SET_OFF by advance-tax window; the windows add up to it. Null for business income, which the return's table leaves out. */
	windows: maybe(Windows),
})

const YearName = word(z.string().regex(/^20\d{2}-20\d{2}$/))

/** The part of a loss that was set off against one head of the year's income. */
const SetOff = z.object({
	/** `Business loss`. */
	LOSS: text(60),
	...cells({
		/** The financial year of the loss, `2023-2024`. */
		LOSS_YEAR: YearName,
		/** The head that it was set off against, with its rate if it has one: `Long-term gains, STT paid (12.5 %)`; or `Dividends`. */
		AGAINST: text(100),
		AMOUNT: MoneyNonNegative,
		/** Of the Act in force for the year of set-off: `Section 71`, from FY 2026-27 `Section 109`. */
		SECTION: text(60),
	}),
})

const CarriedLoss = z.object({
	NAME: text(60),
	...cells({
		LOSS_YEAR: YearName,
		/** The part of the loss that is left. */
		AMOUNT: MoneyNonNegative,
		/** The last financial year in which it may be used. */
		LAST_YEAR: YearName,
	}),
})

/** Not in the specification: the figures behind the income tax report. Not tax advice. */
export const TaxFacts = z.object({
	/** `Assessment Year 2025-26`, from FY 2026-27 `Tax Year 2026-27`. */
	TAX_YEAR: text(40),
	/** `Income-tax Act, 1961` or `Income-tax Act, 2025`. */
	ACT: text(40),
	/** First and last day of each window, with the name in the return. */
	windows: z.array(z.object({ LABEL: text(40), ...cells({ FROM: Day, TO: Day }) })).length(5),
	/** Heads with rows in the year. */
	heads: rows(TaxHead),
	/** This year's losses that no income of the year could absorb; they may be carried forward. */
	carried: z.object({ SHORT: MoneyNonNegative, LONG: MoneyNonNegative, SPECULATIVE: MoneyNonNegative, BUSINESS: MoneyNonNegative }),
	/** Every set-off, in the order of the law. Absent when a broker does not provide it. */
	set_off: optional(rows(SetOff)),
	/** Losses of this and earlier years that later years may use, oldest first. Absent when a broker does not provide them. */
	losses: optional(rows(CarriedLoss)),
	exemption: z.object({
		SECTION: text(60),
		LIMIT: MoneyNonNegative,
		/** The part used, first on gains taxed at 12.5 %. */
		USED: MoneyNonNegative,
	}),
	/** Tax on capital gains that have a special rate, with 4 % cess. Income taxed at slab rates is left out. */
	ESTIMATED_TAX: MoneyNonNegative,
	dividends: z.object({
		TOTAL: MoneyNonNegative,
		/** Tax deducted by companies, Σ TDS, and the section of the year's Act. Absent when a broker does not know it. */
		TDS: optional(MoneyNonNegative),
		TDS_SECTION: optional(text(60)),
		/** By ex-date; adds up to TOTAL. */
		...cells({ windows: Windows }),
		rows: rows(
			z.object({
				EX_DATE: Day,
				SCRIP_NAME: ScripName,
				...cells({
					ISIN: Isin,
					QTY: Quantity,
					/** Before tax deduction. */
					AMOUNT: MoneyNonNegative,
					/** Part of AMOUNT; the bank account received the rest. Absent when a broker does not know it. */
					TDS: optional(MoneyNonNegative),
					/** Buyback receipts taxed as a dividend (1-Oct-2024 to 31-Mar-2026). */
					IS_BUYBACK: Flag,
				}),
			}),
		),
	}),
	/** Absolute turnover: the sum of gains and losses of all trades, losses counted as positive. */
	turnover: rows(
		z.object({ KIND: word(z.enum(['INTRADAY', 'NSE_FNO', 'CD_NSE', 'MCX'])), ...cells({ AMOUNT: MoneyNonNegative, TRADES: Quantity }) }),
	),
	/** How turnover was computed. */
	TURNOVER_METHOD: text(300),
	/** Sales of unknown cost: in no head and no total. */
	unmatched: rows(
		z.object({ SELL_DATE: Day, SCRIP_NAME: ScripName, ...cells({ ISIN: IsinOrNull, QTY: Quantity, SELL_AMT: MoneyNonNegative }) }),
	),
	/** Securities transaction tax on all trades of the year. */
	STT_PAID: MoneyNonNegative,
	/** Commodities transaction tax on all trades of the year. Absent when a broker does not provide it. */
	CTT_PAID: optional(MoneyNonNegative),
})
export type TaxFacts = z.infer<typeof TaxFacts>

/** Not in the specification: lines of Schedule 112A (198 from FY 2026-27), in the return's columns. */
export const Schedule112a = rows(
	z.object({
		ISIN: Isin,
		SCRIP_NAME: ScripName,
		ACQUIRED: word(z.enum(['ON_OR_BEFORE_31JAN2018', 'AFTER_31JAN2018'])),
		TRANSFERRED: word(z.enum(['BEFORE_23JUL2024', 'ON_OR_AFTER_23JUL2024'])),
		SELL_DATE: Day,
		QTY: Quantity,
		SELL_RATE: Price,
		FULL_VALUE: MoneyNonNegative,
		/** The higher of COST_OF_ACQUISITION and LOWER_OF_FMV_AND_VALUE. */
		COST_WITHOUT_INDEXATION: MoneyNonNegative,
		COST_OF_ACQUISITION: MoneyNonNegative,
		LOWER_OF_FMV_AND_VALUE: maybe(MoneyNonNegative),
		FMV_PER_UNIT: maybe(Price),
		TOTAL_FMV: maybe(MoneyNonNegative),
		EXPENSES: MoneyNonNegative,
		TOTAL_DEDUCTIONS: MoneyNonNegative,
		BALANCE: Money,
	}),
)
export type Schedule112a = z.infer<typeof Schedule112a>
