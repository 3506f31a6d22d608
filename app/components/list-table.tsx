import { type ComponentProps } from 'react'
import { TableFrame } from './table-frame'

type Props = Pick<ComponentProps<typeof TableFrame>, 'caption' | 'empty' | 'unread'> & {
	columns: readonly (string | { label: string; href?: string; sort?: 'ascending' | 'descending' })[]
	className?: string
	/** Its rows; each begins with a sticky head. */
	children: ComponentProps<typeof TableFrame>['rows']
}

/** A list with forms or links in its cells. Reports use `ReportTable`. */
export function ListTable({ columns, className = 'report', children, ...frame }: Props) {
	const heads = columns.map((column, at) => {
		const { label, href, sort } = typeof column === 'string' ? { label: column, href: undefined, sort: undefined } : column
		return (
			<th key={label} scope="col" className={at === 0 ? 'held' : undefined} aria-sort={sort}>
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
	return <TableFrame {...frame} look={className} heads={heads} rows={children} />
}
