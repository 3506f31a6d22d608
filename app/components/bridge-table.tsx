import { Unbroken } from './unbroken'

/** A part is in the figure of a row above. When that row has no figure, it is only the head of its parts. */
export type BridgeRow = { label: string; figure?: string; note?: string; href?: string; isTotal?: boolean; isPart?: boolean }

const SUM = '*:border-t *:border-t-field *:font-semibold'
const PART = '*:text-muted [&>th]:pl-7 sm:[&>th]:pl-9'

/** The side of a balance, for which the figures of the other rows leave room, so that all digits are aligned. */
const SIDE = / (Cr|Dr)$/

/** A note uses the space below the figure too. */
const WIDE_NOTE = '-mr-24'

/** Leads from one figure to another, one line per step. All figures have a sign; those of parts are muted, so that nobody adds them twice. */
export function BridgeTable({ caption, rows }: { caption: string; rows: readonly BridgeRow[] }) {
	const haveSides = rows.some(({ figure = '' }) => SIDE.test(figure))
	return (
		<div
			className="-mx-(--bleed) max-w-170 overflow-x-auto [section>&:last-child]:-mb-3"
			role="region"
			aria-label={`Table: ${caption}`}
			tabIndex={0}
		>
			<table className="report">
				<caption className="sr-only">{caption}</caption>
				<thead className="sr-only">
					<tr>
						<th scope="col">Step</th>
						<th scope="col" className="figure" align="right">
							Amount
						</th>
					</tr>
				</thead>
				<tbody>
					{rows.map(({ label, figure, note, href, isTotal, isPart }, index) => (
						<tr key={index} className={isTotal ? SUM : isPart ? PART : undefined}>
							<th scope="row" align="left" colSpan={figure === undefined ? 2 : undefined} className="whitespace-normal!">
								{isPart && <span className="sr-only">of which </span>}
								{href ? <a href={href}>{label}</a> : label}
								{note && (
									<p className={`text-xs text-muted ${figure === undefined ? '' : WIDE_NOTE}`}>
										<Unbroken text={note} />
									</p>
								)}
							</th>
							{figure !== undefined && (
								<td className={`figure max-sm:min-w-26 ${haveSides && !SIDE.test(figure) ? 'bare' : ''}`} align="right" {...{ nowrap: '' }}>
									{figure}
								</td>
							)}
						</tr>
					))}
				</tbody>
			</table>
		</div>
	)
}
