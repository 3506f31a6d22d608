import { Link } from '@remix-run/react'
import { type ReactNode } from 'react'
import { Banner } from './banner'

type Props = {
	caption: string
	columns: readonly (string | { label: string; href?: string; sort?: 'ascending' | 'descending' })[]
	/** What stands in it when there are no rows. */
	empty: ReactNode
	className?: string
	/** Said above the table: what of it could not be read. */
	unread?: string
	/** Its rows, each beginning with a held head. */
	children: readonly ReactNode[]
}

/** A list drawn by hand, with forms or links in its cells. Reports are `ReportTable`s. */
export function ListTable({ caption, columns, empty, className = 'report', unread, children }: Props) {
	return (
		<>
			{unread && <Banner kind="warning">{unread}</Banner>}
			<div className="scroll" role="region" aria-label={`Table: ${caption}`} tabIndex={0}>
				<table className={className}>
					<caption className="sr-only">{caption}</caption>
					<thead>
						<tr>
							{columns.map((column, at) => {
								const { label, href, sort } = typeof column === 'string' ? { label: column, href: undefined, sort: undefined } : column
								return (
									<th key={label} scope="col" className={at === 0 ? 'held' : undefined} aria-sort={sort}>
										{href ? (
											<Link to={href} preventScrollReset>
												{label}
											</Link>
										) : (
											label
										)}
									</th>
								)
							})}
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
		</>
	)
}
