import { type z } from 'zod/v4'
import { type CashFlows, type HoldingAction, type Lot, type Lots } from '#contract/holding'
import { withUnread } from '#contract/tolerant'
import { LOT_ORIGINS } from '#contract/values/code-names'
import { type Day, formatDay } from '#contract/values/dates'
import { formatGain, formatRupees, type Paise } from '#contract/values/money'
import { formatShare, formatTaxRate } from '~/lib/percent'
import { formatUnits } from '~/lib/units'
import { DASH, nameCode, orDash, sumOrNull } from '~/lib/unknown'
import { findBillPage } from '~/reports/addresses.server'
import { day, formatPrice, money, quantity, showGain, text, withTone } from '~/reports/columns.server'
import { type Report } from '~/reports/declaration'
import { buildSmallTable } from '~/reports/report.server'

type LotRow = z.output<typeof Lot>

const HEADS = {
	SHORT_EQUITY: 'Short term',
	LONG_EQUITY: 'Long term',
	SHORT_OTHER: 'Short term',
	LONG_OTHER: 'Long term',
	SPECULATIVE: 'Speculative',
} as const

/** True for units bought today, of which a sale today is an intraday trade. */
const isSpeculative = ({ HEAD }: LotRow) => HEAD === 'SPECULATIVE'

/** Returns what a phone has no columns for: `344 days, short term`. */
function tellAge(lot: LotRow): string | undefined {
	if (isSpeculative(lot)) return 'Speculative if sold today'
	const { DAYS, HEAD } = lot
	const age = DAYS === null ? undefined : `${formatUnits(DAYS)} ${DAYS === 1 ? 'day' : 'days'}`
	return [age, HEAD && nameCode(HEADS, HEAD).toLowerCase()].filter(Boolean).join(', ') || undefined
}

/** The lots of one holding, oldest first, and the tax result of a sale at the close of today. */
export const lotsReport: Report<LotRow> = {
	title: 'Lots',
	tiers: {
		keys: ['acquired', 'quantity', 'cost', 'unrealised'],
		tablet: ['origin', 'value', 'days'],
		laptop: ['long-term', 'head', 'rate'],
	},
	strip: ['value', 'cost', 'unrealised'],
	main: 'value',
	rate: { gain: 'unrealised', base: 'cost' },
	words: (lot) => `${nameCode(LOT_ORIGINS, lot.ORIGIN)} ${orDash(lot.ACQUIRED_ON, formatDay)} ${lot.BILL_NO ?? ''}`,
	columns: [
		{ ...day<LotRow>('acquired', 'Acquired', (lot) => lot.ACQUIRED_ON), below: tellAge },
		text(
			'origin',
			'Acquired by',
			(lot) => nameCode(LOT_ORIGINS, lot.ORIGIN),
			(lot) => findBillPage(lot.BILL_NO),
		),
		quantity('quantity', 'Quantity', (lot) => lot.QTY, { isSummed: true }),
		money('cost', 'Cost', (lot) => lot.COST, { isSummed: true }),
		money('value', 'Value', (lot) => lot.VALUE, { isSummed: true }),
		{
			...money<LotRow>('unrealised', 'Unrealised', (lot) => lot.UNREALISED, { isGain: true, isSummed: true }),
			below: ({ UNREALISED, COST }) => (UNREALISED && COST ? withTone(formatShare(UNREALISED, COST), UNREALISED) : undefined),
		},
		quantity('days', 'Days held', (lot) => lot.DAYS),
		day('long-term', 'Long term from', (lot) => lot.LONG_TERM_FROM),
		text('head', 'If sold today', (lot) => nameCode(HEADS, lot.HEAD)),
		text('rate', 'Tax rate', ({ TAX_RATE }) => formatTaxRate(TAX_RATE)),
		money('tax-cost', 'Cost used', (lot) => lot.TAX_COST, { isSummed: true }),
		money('tax-gain', 'Taxable gain', (lot) => lot.TAX_GAIN, { isGain: true, isSummed: true }),
	],
}

type Flow = { day: Day; amount: Paise; isValue: boolean }

/** Returns the cash flows of a rate of return. The last is the value now, as if everything were sold. */
export function buildFlowTable({ flows, AS_ON, VALUE }: CashFlows[number], url: URL) {
	const rows = flows.map(({ DATE, AMOUNT }): Flow => ({ day: DATE, amount: AMOUNT, isValue: false }))
	return buildSmallTable<Flow>(
		'Cash flows',
		[
			day('date', 'Date', (flow) => flow.day),
			text('what', 'What', ({ isValue, amount }) => (isValue ? 'Value now' : amount < 0 ? 'Paid, with charges' : 'Received')),
			money('amount', 'Amount', (flow) => flow.amount, { hasSign: true }),
		],
		withUnread([...rows, { day: AS_ON, amount: VALUE, isValue: true }], flows),
		{ hasTotals: false, order: { url, name: 'flows' } },
	)
}

/** Returns what a sale of shares bought today means; nothing when no lot was. */
export function tellSpeculative({ lots }: Lots): string | undefined {
	if (!lots.some(isSpeculative)) return undefined
	return [
		'Shares bought today are not delivered yet. A sale today takes them first, as an intraday trade: with intraday charges in place of',
		'the delivery charges paid, without a DP charge, and taxed as speculative business income. A speculative loss lowers only',
		'speculative gains.',
	].join(' ')
}

/** Returns the gain or loss of a sale of everything at the close, by tax head. Leaves out lots of unknown cost. */
export function listSaleToday({ lots }: Lots) {
	const heads = new Map<string, { lot: LotRow; gain: Paise }>()
	for (const lot of lots) {
		if (lot.TAX_GAIN === null) continue
		const head = `${lot.HEAD} ${lot.TAX_RATE}`
		heads.set(head, { lot, gain: (heads.get(head)?.gain ?? 0) + lot.TAX_GAIN })
	}
	const results = [...heads.values()].map(({ lot, gain }) => {
		const what = `${nameCode(HEADS, lot.HEAD).replace(' ', '-')} ${gain < 0 ? 'loss' : 'gain'}`
		// A loss has no tax rate, because it lowers other gains; one of speculation only such gains.
		const rate = gain < 0 || !lot.TAX_RATE ? '' : `, taxed at ${lot.TAX_RATE === 'slab' ? 'your slab' : formatTaxRate(lot.TAX_RATE)}`
		const section = lot.SECTION ? ` (${lot.SECTION})` : ''
		const tone = gain < 0 ? ('loss' as const) : ('gain' as const)
		return { label: `${what}${rate}${section}`, figure: formatGain(gain), isTotal: true, ...(gain !== 0 && { tone }) }
	})
	return [...listSteps(lots), ...results]
}

/** Returns the steps from the unrealised gain of the lots to their taxable gain; none when the two are equal or a figure is missing. */
function listSteps(lots: readonly LotRow[]) {
	const known = lots.filter(({ COST, TAX_GAIN }) => COST !== null || TAX_GAIN !== null)
	const sum = (get: (lot: LotRow) => Paise | null) => sumOrNull(known.map(get))
	const [unrealised, cost, taxCost, charges, intraday, taxGain] = [
		sum((lot) => lot.UNREALISED),
		sum((lot) => lot.COST),
		sum((lot) => lot.TAX_COST),
		sum((lot) => (isSpeculative(lot) ? 0 : lot.CHARGES)),
		sum((lot) => (isSpeculative(lot) ? lot.CHARGES : 0)),
		sum((lot) => lot.TAX_GAIN),
	]
	if (unrealised === null || cost === null || taxCost === null || charges === null || intraday === null || taxGain === null) return []
	const raised = taxCost - cost
	if (unrealised === taxGain || unrealised - raised - charges - intraday !== taxGain) return []
	return [
		{ ...tellStep('Unrealised, as above', unrealised), tone: showGain(unrealised).tone },
		...(charges === 0 ? [] : [tellStep('Purchase charges, which count as cost (STT does not)', -charges)]),
		...(intraday === 0 ? [] : [tellStep('Purchase charges of the shares bought today, as intraday', -intraday)]),
		...(raised === 0 ? [] : [tellStep('What the 31/01/2018 rule adds to the cost', -raised)]),
	]
}

const tellStep = (label: string, paise: Paise) => ({ label, figure: formatGain(paise) })

/** Returns a corporate action as a sentence. */
export function tellAction(action: z.output<typeof HoldingAction>): string {
	const into = action.INTO_NAME ? ` into ${action.INTO_NAME}` : ''
	const [ratio, units, amount] = [action.RATIO ?? DASH, orDash(action.QTY, formatUnits), orDash(action.AMOUNT, formatRupees)]
	const price = orDash(action.PRICE, (rupees) => `₹ ${formatPrice(rupees)}`)
	const paid =
		action.TDS && action.AMOUNT !== null
			? ` less ${formatRupees(action.TDS)} TDS, ${formatRupees(action.AMOUNT - action.TDS)} paid to the bank`
			: ', paid to the bank'
	switch (action.KIND) {
		case 'BONUS':
			return `Bonus ${ratio}: ${units} shares at no cost.`
		case 'SPLIT':
			return `Split ${ratio}: ${units} shares under a new ISIN, at the same total cost, with their dates.`
		case 'DEMERGER':
			return `Demerger ${ratio}${into}: ${orDash(action.COST_MOVED_PCT, String)} % of the cost moved there, with the dates.`
		case 'DIVIDEND':
			return `Dividend of ${price} a share on ${units}: ${amount}${paid}.`
		case 'BUYBACK':
			return `Buyback of ${units} at ${price}: ${amount}${paid}.`
		case 'RIGHTS':
			return `Rights ${ratio}${into}.`
		default:
			return `${action.KIND} ${ratio}${into}.`
	}
}
