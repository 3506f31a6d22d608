import { TableFrame } from '~/components/table-frame'
import { Unbroken } from '~/components/unbroken'

const WIDE = 'max-sm:hidden'

type Props = { sentence: string; rows: readonly { days: string; interest: string; fees: string; all: string; rise: string }[] }

/** On a phone these stand below the time, because there is no room for more columns. */
const PARTS = ['Interest', 'Pledge fees']

/** The cost of funded shares over time, with an example. */
export function MtfCost({ sentence, rows }: Props) {
	const heads = [...PARTS, 'Cost of funding', 'The price must rise'].map((head) => (
		<th key={head} scope="col" className={PARTS.includes(head) ? `figure ${WIDE}` : 'figure whitespace-normal'} align="right">
			{head}
		</th>
	))
	return (
		<>
			<p className="prose">
				<Unbroken text={sentence} />
			</p>
			<div>
				<TableFrame
					caption="What it costs"
					look="report fits"
					heads={[
						<th key="days" scope="col" align="left">
							Held for
						</th>,
						...heads,
					]}
					rows={rows.map(({ days, all, rise, interest, fees }) => (
						<tr key={days}>
							<th scope="row" align="left">
								{days}
								{[interest, fees].map((part, at) => (
									<span key={at} className="text-muted block text-xs sm:hidden">
										{PARTS[at]} {part}
									</span>
								))}
							</th>
							{[interest, fees].map((cell, at) => (
								<td key={at} className={`figure ${WIDE}`} align="right">
									{cell}
								</td>
							))}
							<td className="figure" align="right">
								{all}
							</td>
							<td className="figure" align="right">
								{rise}
							</td>
						</tr>
					))}
				/>
				<p className="text-muted mt-2 text-xs">Without the brokerage, taxes and other charges of buying and selling.</p>
			</div>
		</>
	)
}
