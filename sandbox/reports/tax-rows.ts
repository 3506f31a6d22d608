import { type z } from 'zod/v4'
import { type IncomeTax, type IncomeTaxRow, type Schedule112a, type TaxFacts } from '#contract/tax'
import { type FinancialYear, formatYear, findFinancialYear } from '#contract/values/financial-year'
import { type Paise, toRupees } from '#contract/values/money'
import { type DividendLine } from '#sandbox/book/read-gains'
import { findIsin, toPrice, computeRate, countUnits } from '#sandbox/book/read-scrips'
import { findExemption } from '#sandbox/rules/capital-gains'
import { nameDeductionSection } from '#sandbox/rules/dividend-tax'
import { computeValue } from '#sandbox/rules/rounding'
import { findLastYear, type LossKind } from '#sandbox/rules/set-off'
import { findHeadRule, listTaxWindows, nameTaxYear, windowAt } from '#sandbox/rules/tax-heads'
import { namePool, sumTaxYears, type TaxYear } from '#sandbox/rules/tax-year'
import { groupRows, sumBy } from './grouped'
import { isDividendBuyback, nameLine, type TaxLine, type TaxLines } from './tax-lines'

/** Transaction tax on all trades of a year, in paise: on securities and on commodities. */
export interface TransactionTax {
	stt: Paise
	ctt: Paise
}

/** A year's realised lines with their tax results. */
export type TaxBook = TaxLines & { year: FinancialYear; sums: TaxYear; dividends: DividendLine[]; paid: TransactionTax }

/** Computes a year from its lines and dividends and those of all earlier years, because their unused losses count. */
export function openTaxBook(year: FinancialYear, { lines, unmatched }: TaxLines, dividends: DividendLine[], paid: TransactionTax): TaxBook {
	const linesByYear = groupRows(lines, ({ day }) => String(findFinancialYear(day)))
	const dividendsByYear = groupRows(dividends, ({ day }) => String(findFinancialYear(day)))
	const first = Math.min(year, ...[...linesByYear.keys(), ...dividendsByYear.keys()].map(Number))
	const years = Array.from({ length: year - first + 1 }, (_, at) => ({
		year: first + at,
		gains: linesByYear.get(String(first + at)) ?? [],
		dividends: dividendsByYear.get(String(first + at)) ?? [],
	}))
	return {
		year,
		lines: linesByYear.get(String(year)) ?? [],
		unmatched: unmatched.filter(({ day }) => findFinancialYear(day) === year),
		sums: sumTaxYears(years),
		dividends: dividendsByYear.get(String(year)) ?? [],
		paid,
	}
}

function taxRow(line: TaxLine): z.input<typeof IncomeTaxRow> {
	const { part } = line
	const units = countUnits(part, part.quantity)
	return {
		SEGMENT: part.segment,
		SCRIP_NAME: nameLine(line),
		ISIN: findIsin({ kind: part.kind, instrument: part.instrument }),
		QTY: units,
		BUY_DATE: line.bought,
		BUY_RATE: computeRate(line.buyAmount, units),
		BUY_AMT: toRupees(line.buyAmount),
		SELL_DATE: line.sold,
		SELL_RATE: computeRate(line.sellAmount, units),
		SELL_AMT: toRupees(line.sellAmount),
		EXPENSES: toRupees(line.expenses),
		FMV_31JAN2018: line.fmv === null ? null : toPrice(line.fmv),
		COST: toRupees(line.cost),
		GAIN: toRupees(line.gain),
		TERM: line.term,
		DAYS: line.days,
	}
}

const readGain = (line: TaxLine) => line.gain

/** The income tax report. */
export function incomeTax({ year, lines, sums, dividends }: TaxBook): z.input<typeof IncomeTax> {
	const of = (wanted: (line: TaxLine) => boolean) => toRupees(sumBy(lines.filter(wanted), readGain))
	const listWindows = (...keys: string[]) => sums.heads.filter(({ key }) => keys.includes(key))
	const quarters = listTaxWindows(year).map(({ label }, at) => {
		// Gains at other rates, such as the slab rate of a gold ETF or 20 % with indexation, have no key in this report.
		const inWindow = (...keys: string[]) => toRupees(sumBy(listWindows(...keys), ({ windows }) => windows[at] ?? 0))
		return {
			label,
			short_term_15: inWindow('SHORT_EQUITY_BEFORE'),
			short_term_20: inWindow('SHORT_EQUITY_AFTER'),
			long_term_10: inWindow('LONG_EQUITY_BEFORE'),
			long_term_12_5: inWindow('LONG_EQUITY_AFTER', 'LONG_OTHER_AFTER'),
			speculative: inWindow('SPECULATIVE'),
		}
	})
	return {
		summary: {
			short_term: of(({ term }) => term === 'ST'),
			long_term: of(({ term }) => term === 'LT'),
			speculative: of(({ term }) => term === 'SPEC'),
			futures_options: of(({ head }) => head === 'BUSINESS_FNO'),
			commodity: of(({ head }) => head === 'BUSINESS_COMMODITY'),
			dividend: toRupees(sumBy(dividends, ({ amount }) => amount)),
			charges_not_allowed: toRupees(sumBy(lines, ({ taxNotAllowed }) => taxNotAllowed)),
			exempt_limit: toRupees(findExemption(year)),
			grandfathered: toRupees(sumBy(lines, ({ cost, buyAmount, fmv }) => (fmv === null ? 0 : cost - buyAmount))),
		},
		quarters,
		rows: lines.map(taxRow),
	}
}

const lossNames: Record<LossKind, string> = {
	SHORT: 'Short-term capital loss',
	LONG: 'Long-term capital loss',
	SPECULATIVE: 'Speculative loss',
	BUSINESS: 'Business loss',
}

/** Set-off of a year's income, step by step, and losses for later years. */
export function setOffRows({ year, sums }: TaxBook) {
	return {
		steps: sums.steps.map(({ kind, lossYear, against, amount, section }) => ({
			loss: lossNames[kind],
			lossYear: formatYear(lossYear),
			against: namePool(against, year),
			amount,
			section,
		})),
		losses: sums.losses.map((loss) => ({
			name: lossNames[loss.kind],
			lossYear: formatYear(loss.year),
			amount: loss.amount,
			lastYear: formatYear(findLastYear(loss)),
		})),
	}
}

export const TURNOVER_METHOD =
	'Absolute turnover: profits and losses of every squared-off trade added up without their signs, before charges; option premium is not added again.'

type TurnoverKind = z.input<typeof TaxFacts>['turnover'][number]['KIND']

/** The turnover of each kind of business that has trades. */
export function listTurnover(lines: readonly TaxLine[]): { kind: TurnoverKind; amount: Paise; trades: number }[] {
	const kinds: TurnoverKind[] = ['INTRADAY', 'NSE_FNO', 'CD_NSE', 'MCX']
	return kinds.flatMap((kind) => {
		const own = lines.filter(({ term, part }) => (kind === 'INTRADAY' ? term === 'SPEC' : term === 'BUS' && part.segment === kind))
		if (own.length === 0) return []
		return [{ kind, amount: sumBy(own, ({ sellAmount, buyAmount }) => Math.abs(sellAmount - buyAmount)), trades: own.length }]
	})
}

/** Heads, windows, dividends, turnover and sales of unknown cost. */
export function taxFacts(book: TaxBook): z.input<typeof TaxFacts> {
	const { year, lines, unmatched, sums, paid } = book
	const { steps, losses } = setOffRows(book)
	const windows = listTaxWindows(year)
	const { act, taxYear } = nameTaxYear(year)
	const { carried, exemption } = sums
	return {
		TAX_YEAR: taxYear,
		ACT: act,
		windows: windows.map(({ label, from, to }) => ({ LABEL: label, FROM: from, TO: to })),
		heads: sums.heads.map((head) => ({
			KEY: head.key,
			NAME: head.name,
			SECTION: head.section,
			TAX_RATE: head.rate,
			GAINS: toRupees(head.gains),
			LOSSES: toRupees(head.losses),
			NET: toRupees(head.gains - head.losses),
			AFTER_SET_OFF: toRupees(head.afterSetOff),
			windows: head.key.startsWith('BUSINESS') ? null : head.windows.map(toRupees),
		})),
		carried: {
			SHORT: toRupees(carried.SHORT),
			LONG: toRupees(carried.LONG),
			SPECULATIVE: toRupees(carried.SPECULATIVE),
			BUSINESS: toRupees(carried.BUSINESS),
		},
		set_off: steps.map(({ loss, lossYear, against, amount, section }) => ({
			LOSS: loss,
			LOSS_YEAR: lossYear,
			AGAINST: against,
			AMOUNT: toRupees(amount),
			SECTION: section,
		})),
		losses: losses.map(({ name, lossYear, amount, lastYear }) => ({
			NAME: name,
			LOSS_YEAR: lossYear,
			AMOUNT: toRupees(amount),
			LAST_YEAR: lastYear,
		})),
		exemption: {
			SECTION: findHeadRule('LONG_EQUITY', windows[4]?.to ?? '').section,
			LIMIT: toRupees(exemption.limit),
			USED: toRupees(exemption.used),
		},
		ESTIMATED_TAX: toRupees(sums.estimatedTax),
		dividends: describeDividends(book),
		turnover: listTurnover(lines).map(({ kind, amount, trades }) => ({ KIND: kind, AMOUNT: toRupees(amount), TRADES: trades })),
		TURNOVER_METHOD,
		unmatched: unmatched.map((part) => ({
			SELL_DATE: part.day,
			SCRIP_NAME: part.name,
			ISIN: findIsin(part),
			QTY: countUnits(part, part.quantity),
			SELL_AMT: toRupees(part.proceeds),
		})),
		STT_PAID: toRupees(paid.stt),
		CTT_PAID: toRupees(paid.ctt),
	}
}

function describeDividends({ year, dividends }: TaxBook): z.input<typeof TaxFacts>['dividends'] {
	const windows = listTaxWindows(year)
	return {
		TOTAL: toRupees(sumBy(dividends, ({ amount }) => amount)),
		TDS: toRupees(sumBy(dividends, ({ tds }) => tds)),
		TDS_SECTION: nameDeductionSection(year),
		windows: windows.map((_, at) =>
			toRupees(
				sumBy(
					dividends.filter(({ day }) => windowAt(day) === at),
					({ amount }) => amount,
				),
			),
		),
		rows: dividends.map((line) => ({
			EX_DATE: line.day,
			SCRIP_NAME: line.name,
			ISIN: line.instrument,
			QTY: line.quantity,
			AMOUNT: toRupees(line.amount),
			TDS: toRupees(line.tds),
			IS_BUYBACK: line.isBuyback,
		})),
	}
}

/**
 * Lines of the long-term schedule, in the return's columns. Charges of the purchase are a part of the cost; expenses are those of the sale
 * (s.48). A buyback that is a dividend is no sale with STT, so its loss belongs in no line of this schedule.
 */
export function schedule112aRows({ lines }: Pick<TaxBook, 'lines'>): z.input<typeof Schedule112a> {
	return lines
		.filter(({ head, part }) => head === 'LONG_EQUITY' && !isDividendBuyback(part))
		.map(({ part, ...line }) => {
			const totalFmv = line.fmv === null ? null : computeValue(part.quantity, line.fmv)
			const lower = totalFmv === null ? null : Math.min(totalFmv, line.sellAmount)
			return {
				ISIN: part.instrument,
				SCRIP_NAME: part.name,
				ACQUIRED: line.bought <= '2018-01-31' ? 'ON_OR_BEFORE_31JAN2018' : 'AFTER_31JAN2018',
				TRANSFERRED: line.sold < '2024-07-23' ? 'BEFORE_23JUL2024' : 'ON_OR_AFTER_23JUL2024',
				SELL_DATE: line.sold,
				QTY: part.quantity,
				SELL_RATE: computeRate(line.sellAmount, part.quantity),
				FULL_VALUE: toRupees(line.sellAmount),
				COST_WITHOUT_INDEXATION: toRupees(line.cost + line.expenses - part.closingExpenses),
				COST_OF_ACQUISITION: toRupees(line.buyAmount + part.openingExpenses),
				LOWER_OF_FMV_AND_VALUE: lower === null ? null : toRupees(lower),
				FMV_PER_UNIT: line.fmv === null ? null : toPrice(line.fmv),
				TOTAL_FMV: totalFmv === null ? null : toRupees(totalFmv),
				EXPENSES: toRupees(part.closingExpenses),
				TOTAL_DEDUCTIONS: toRupees(line.cost + line.expenses),
				BALANCE: toRupees(line.gain),
			}
		})
}
