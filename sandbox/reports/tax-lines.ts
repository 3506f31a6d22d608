import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { type RealisedPart } from '#sandbox/book/read-gains'
import { countDaysHeld, findTaxableCost, findTermOfSale, indexCost, type Term } from '#sandbox/rules/capital-gains'
import { findBuybackRegime } from '#sandbox/rules/corporate-actions'
import { findGainHead, type GainHead } from '#sandbox/rules/tax-heads'
import { type TaxGain } from '#sandbox/rules/tax-year'

/** A realised part as tax law sees it. Money in paise. */
export interface TaxLine {
	part: RealisedPart
	head: TaxGain['head']
	term: 'ST' | 'LT' | 'SPEC' | 'BUS'
	/** The day that counts for tax: of the sale, or of a short's closing. */
	day: Day
	bought: Day
	sold: Day
	buyAmount: Paise
	sellAmount: Paise
	/** `buyAmount`, or more by indexation, or the value of 31-01-2018, which also stands for the charges of the purchase. */
	cost: Paise
	/** Price of the rule of 31-01-2018 in 1/10,000 rupee; null when the rule does not apply. */
	fmv: number | null
	expenses: Paise
	gain: Paise
	days: number
	/** Transaction tax of purchase and sale, which a capital gain may not deduct; 0 for business. */
	taxNotAllowed: Paise
}

/**
 * The year's realised lines, and the sales that cannot be a line because their cost is unknown. Buybacks of the years in which the
 * holder was exempt are in neither list.
 */
export interface TaxLines {
	lines: TaxLine[]
	unmatched: RealisedPart[]
}

function businessLine(part: RealisedPart): TaxLine {
	const { day, acquiredOn, side, proceeds, openingExpenses, closingExpenses, stt, openingStt, isIntraday, segment } = part
	const cost = part.cost ?? 0
	const [buyAmount, sellAmount] = side === 'S' ? [proceeds, cost] : [cost, proceeds]
	const [bought, sold] = side === 'S' ? [day, acquiredOn] : [acquiredOn, day]
	// Transaction tax is an expense of a business.
	const expenses = openingExpenses + closingExpenses + stt + openingStt
	const head = isIntraday ? 'SPECULATIVE' : segment === 'MCX' ? 'BUSINESS_COMMODITY' : 'BUSINESS_FNO'
	const sums = { buyAmount, sellAmount, cost: buyAmount, fmv: null, expenses, gain: sellAmount - buyAmount - expenses }
	const days = countDaysHeld(acquiredOn, day)
	return { part, head, term: isIntraday ? 'SPEC' : 'BUS', day, bought, sold, ...sums, days, taxNotAllowed: 0 }
}

const terms: Record<Term, 'ST' | 'LT'> = { SHORT: 'ST', LONG: 'LT' }

function capitalLine(part: RealisedPart, buyAmount: Paise): TaxLine {
	const { day, acquiredOn, quantity, proceeds, openingExpenses, closingExpenses, stt, openingStt, kind, fmv2018 } = part
	const term = findTermOfSale(kind, acquiredOn, day)
	const head: GainHead = findGainHead(kind, term)
	// Grandfathering applies only under section 112A.
	const fmv = head === 'LONG_EQUITY' && acquiredOn <= '2018-01-31' ? fmv2018 : null
	// Charges of the purchase are part of its cost: they are indexed with it, and the value of 31-01-2018 stands for both.
	const paid = buyAmount + openingExpenses
	const allowed = findTaxableCost({ acquired_on: acquiredOn, quantity, cost: paid, proceeds }, fmv)
	const isReplaced = allowed > paid
	const risen = head === 'LONG_OTHER' ? indexCost(paid, acquiredOn, day) - paid : 0
	const cost = isReplaced ? allowed : buyAmount + risen
	const expenses = closingExpenses + (isReplaced ? 0 : openingExpenses)
	const sums = { buyAmount, sellAmount: proceeds, cost, fmv, expenses, gain: proceeds - cost - expenses }
	const days = countDaysHeld(acquiredOn, day)
	return { part, head, term: terms[term], day, bought: acquiredOn, sold: day, ...sums, days, taxNotAllowed: stt + openingStt }
}

/** True for shares tendered in a buyback whose whole receipt is a dividend: nothing was sold on an exchange, and no STT was paid. */
export const isDividendBuyback = ({ how, day }: Pick<RealisedPart, 'how' | 'day'>): boolean =>
	how === 'BUYBACK' && findBuybackRegime(day) === 'DIVIDEND'

/** The security's name. A buyback is marked: it was no sale on an exchange, and until 31 March 2026 it was one for nothing. */
export const nameLine = ({ part }: Pick<TaxLine, 'part'>): string => (part.how === 'BUYBACK' ? `${part.name} (buyback)` : part.name)

/** Tax lines of realised parts, the oldest sale first: a short was sold before the day that closed it. */
export function makeTaxLines(parts: readonly RealisedPart[]): TaxLines {
	const lines: TaxLine[] = []
	const unmatched: RealisedPart[] = []
	for (const part of parts) {
		if (part.how === 'BUYBACK' && findBuybackRegime(part.day) === 'EXEMPT') continue
		if (part.cost === null) unmatched.push(part)
		else if (part.isIntraday || part.segment !== 'NSE_CASH') lines.push(businessLine(part))
		else lines.push(capitalLine(part, part.cost))
	}
	return { lines: lines.sort((a, b) => (a.sold === b.sold ? 0 : a.sold < b.sold ? -1 : 1)), unmatched }
}
