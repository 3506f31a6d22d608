import { Card, FigureList, type FigureRow } from '~/components/card'

/** One row of a report with all its columns. `main` is the answer that a client looks for first. */
export function RowCard({ main, rows }: { main: FigureRow; rows: readonly FigureRow[] }) {
	return (
		<div className="max-w-140">
			<Card title={main.label} figure={main.figure} tone={main.tone}>
				<FigureList rows={rows} isRows isRecord />
			</Card>
		</div>
	)
}
