type Props = { sentence: string; rows: readonly { days: string; interest: string; fees: string; all: string; rise: string }[] }

/** The cost of borrowed shares over time, with an example; the sums first, because a phone shows the first columns. */
export function MtfCost({ sentence, rows }: Props) {
	return (
		<>
			<p className="prose">{sentence}</p>
			<div className="scroll" role="region" aria-label="Table: What it costs" tabIndex={0}>
				<table className="report">
					<caption className="sr-only">What it costs</caption>
					<thead>
						<tr>
							<th scope="col" align="left">
								Held for
							</th>
							{['Costs in all', 'The price must rise', 'Interest', 'Pledge and release'].map((head) => (
								<th key={head} scope="col" className="figure" align="right">
									{head}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{rows.map(({ days, ...cells }) => (
							<tr key={days}>
								<th scope="row" align="left">
									{days}
								</th>
								{[cells.all, cells.rise, cells.interest, cells.fees].map((cell, index) => (
									<td key={index} className="figure" align="right">
										{cell}
									</td>
								))}
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</>
	)
}
