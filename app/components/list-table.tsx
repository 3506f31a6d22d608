import { type ReactNode } from 'react'

type Props = {
	caption: string
	columns: readonly string[]
	/** What stands in it when there are no rows. */
	empty: ReactNode
	className?: string
	/** Its rows, each beginning with a held head. */
	children: readonly ReactNode[]
}

/** A short list drawn by hand, with forms or links in its cells: no sorting, no pages. Reports are `ReportTable`s. */
export function ListTable({ caption, columns, empty, className = 'report', children }: Props) {
	return (
		<div className="scroll" role="region" aria-label={`Table: ${caption}`} tabIndex={0}>
			<table className={className}>
				<caption className="sr-only">{caption}</caption>
				<thead>
					<tr>
						{columns.map((column, at) => (
							<th key={column} scope="col" className={at === 0 ? 'held' : undefined}>
								{column}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{children}
					{children.length === 0 && (
						<tr>
							<td className="none" colSpan={columns.length}>
								{empty}
							</td>
						</tr>
					)}
				</tbody>
			</table>
		</div>
	)
}
