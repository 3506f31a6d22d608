import { TableFrame } from '~/components/table-frame'

type Props = { sentence: string; rows: readonly { days: string; interest: string; fees: string; all: string; rise: string }[] }

/** The cost of borrowed shares over time, with an example; the sums first, because a phone shows the first columns. */
export function MtfCost({ sentence, rows }: Props) {
	const heads = ['Total cost', 'The price must rise', 'Interest', 'Pledge and release'].map((head) => (
		<th key={head} scope="col" className="figure" align="right">
			{head}
		</th>
	))
	return (
		<>
			<p className="prose">{sentence}</p>
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
						</th>
						{[all, rise, interest, fees].map((cell, index) => (
							<td key={index} className="figure" align="right">
								{cell}
							</td>
						))}
					</tr>
				))}
			/>
		</>
	)
}
