import { formatRupees, type Paise } from '#contract/values/money'
import { computeMargin, parseUnits } from '~/lib/margin'
import { orDash } from '~/lib/unknown'

/** The figures of a row that the sums need. */
export type PledgeRowFigures = { isin: string; price: number; haircut: number; limits: { pledge: number; unpledge: number } }

/** The quantities as they are typed, by ISIN. */
export type PledgeTyped = { action: string; units: Record<string, string | undefined> }

type Props = {
	rows: readonly PledgeRowFigures[]
	/** Margin of the securities pledged now, in paise; null when unknown. */
	margin: Paise | null
	fee?: Paise
} & PledgeTyped

/** Returns what is typed for an ISIN. A broker may write anything there, also the name of a property that every object has. */
export const readTyped = (typed: PledgeTyped['units'], isin: string): string => (Object.hasOwn(typed, isin) ? (typed[isin] ?? '') : '')

/**
 * Returns how many rows have a quantity, and what they add to the margin or take from it, in paise. A quantity above its limit is refused,
 * so the sums leave it out.
 */
export function sumTyped(rows: readonly PledgeRowFigures[], { action, units: typed }: PledgeTyped) {
	const asked = rows.flatMap(({ isin, price, haircut, limits }) => {
		const units = parseUnits(readTyped(typed, isin)) ?? 0
		return units > 0 && units <= (action === 'unpledge' ? limits.unpledge : limits.pledge) ? [computeMargin(units, price, haircut)] : []
	})
	return {
		// A quantity that cannot be read counts too.
		count: Object.values(typed).filter((units) => units?.trim() && parseUnits(units) !== 0).length,
		/** Rows that cost a fee. */
		requests: asked.length,
		change: asked.reduce((sum, each) => sum + each, 0),
		label: action === 'unpledge' ? 'Margin released' : 'Margin added',
	}
}

/** The sums of the typed quantities. The server computes the same; with a script the sums follow every key press. */
export function PledgeTotal({ rows, margin, fee, action, units }: Props) {
	const { requests, change, label } = sumTyped(rows, { action, units })
	const isRelease = action === 'unpledge'
	const lines = [
		{ label, figure: formatRupees(change) },
		{
			label: 'Total margin after',
			figure: orDash(margin, (now) => formatRupees(Math.max(0, isRelease ? now - change : now + change))),
		},
		...(fee === undefined ? [] : [{ label: 'Fee', figure: formatRupees(fee * requests) }]),
	]
	return (
		<dl className="running-total flex flex-wrap items-baseline gap-x-5 max-md:contents">
			{lines.map(({ label, figure }, index) => (
				<div key={label} className={`flex items-baseline gap-2 ${index > 0 ? 'max-sm:text-xs' : 'max-sm:text-sm'}`}>
					<dt className="text-muted">{label}</dt>
					<dd className="figure font-semibold">{figure}</dd>
				</div>
			))}
		</dl>
	)
}
