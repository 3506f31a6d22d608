import { type ComponentProps } from 'react'
import { FittedColumns } from './fitted-columns'
import { TableFrame } from './table-frame'

type Props = Pick<ComponentProps<typeof TableFrame>, 'caption' | 'empty' | 'unread'> & {
	columns: readonly (string | { label: string; href?: string; sort?: 'ascending' | 'descending'; from?: 'tablet' })[]
	/** Classes of the table: `many` for its columns, `fits` for those of a phone. */
	look?: string
	/** Its rows; each begins with a sticky head. The cells of a column with `from` have the class `from-tablet`. */
	children: ComponentProps<typeof TableFrame>['rows']
}

/** A list with forms or links in its cells. Reports use `ReportTable`. */
export function ListTable({ columns, look = '', children, ...frame }: Props) {
	const heads = columns.map((column, at) => {
		const { label, href, sort, from } =
			typeof column === 'string' ? { label: column, href: undefined, sort: undefined, from: undefined } : column
		return (
			<th key={label} scope="col" className={at === 0 ? 'held' : from && `from-${from}`} aria-sort={sort}>
				{href ? (
					<a href={href} data-keep-scroll>
						{label}
					</a>
				) : (
					label
				)}
			</th>
		)
	})
	const isFitted = columns.some((column) => typeof column === 'object' && column.from)
	const table = <TableFrame {...frame} look={`report ${look}`} heads={heads} rows={children} />
	return isFitted ? <FittedColumns last={children.length > 0 ? 'tablet' : undefined}>{table}</FittedColumns> : table
}
