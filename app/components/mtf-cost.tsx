type Props = { sentence: string; rows: readonly { days: string; interest: string; fees: string; all: string; rise: string }[] }

/** What borrowed shares cost for some time, with numbers. */
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
							{['Interest', 'Pledge and release', 'In all', 'The price must rise'].map((head) => (
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
								{[cells.interest, cells.fees, cells.all, cells.rise].map((cell, index) => (
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
