import { type TaxFacts } from '#contract/tax'
import { unreadIn } from '#contract/tolerant'
import { type Paise } from '#contract/values/money'
import { type Table } from '~/lib/table'
import { money, text } from './columns.server'
import { buildSmallTable } from './report.server'

/** Health and education cess, in per cent of the income tax (Finance Act, 2018; from FY 2018-19). */
const CESS = '4'

/** `of` × `rate` = `tax`. The cess is a line too: its `of` is the tax of the lines above. */
type Line = { name: string; of: Paise; rate: string; tax: Paise }

const columns = [
	text<Line>('head', 'Head', ({ name, rate }) => `${name} (${rate}\u00a0%)`),
	money<Line>('of', 'Taxed', ({ of }) => of),
	money<Line>('tax', 'Tax', ({ tax }) => tax, { isSummed: true }),
]

/**
 * Returns how the broker's estimate of the tax is made up: each head with a rate of its own, after the exemption, and the cess. The
 * exemption reduces the gains with the higher rate first. Undefined when there is no tax, or when the lines do not add up to the
 * broker's estimate and exemption: then the broker computes in another way.
 */
export function explainEstimate({ heads, exemption, ESTIMATED_TAX }: TaxFacts): Table | undefined {
	if (ESTIMATED_TAX === 0 || unreadIn(heads)) return undefined
	let left = exemption.LIMIT
	const lines = heads
		.filter(({ TAX_RATE }) => Number(TAX_RATE) > 0)
		.toSorted((a, b) => Number(b.TAX_RATE) - Number(a.TAX_RATE))
		.map(({ KEY, NAME, TAX_RATE, AFTER_SET_OFF }) => {
			const exempt = KEY.startsWith('LONG_EQUITY') ? Math.min(left, AFTER_SET_OFF) : 0
			left -= exempt
			return multiply(NAME, AFTER_SET_OFF - exempt, TAX_RATE)
		})
		.filter(({ of }) => of > 0)
	const tax = sum(lines)
	const all = [...lines, multiply('Health and education cess', tax, CESS)]
	const isSame = sum(all) === ESTIMATED_TAX && exemption.LIMIT - left === exemption.USED
	return isSame ? buildSmallTable('Estimated tax', columns, all) : undefined
}

/** Half a paisa is rounded up. */
const multiply = (name: string, of: Paise, rate: string): Line => ({ name, of, rate, tax: Math.round((of * Number(rate)) / 100) })

const sum = (lines: readonly Line[]): Paise => lines.reduce((total, { tax }) => total + tax, 0)
