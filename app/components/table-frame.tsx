import { type ReactNode, useEffect, useRef } from 'react'
import { Banner } from './banner'
import { Empty } from './empty'

type Props = {
	caption: string
	/** Classes of the table. */
	look: string
	heads: readonly ReactNode[]
	/** One `<tr>` each. */
	rows: readonly ReactNode[]
	/** Lines above the last one, one `<tr>` each. */
	subtotals?: readonly ReactNode[]
	/** Cells of the last line; shown only when there are rows. */
	foot?: ReactNode
	/** Classes of the last line. */
	footLook?: string
	empty?: { text: string; action?: { href: string; label: string } }
	/** Shown above the table: what could not be read. */
	unread?: string
	/** Its parts have other displays than those of a table, for which an older browser forgets their roles. */
	hasRoles?: boolean
	/** When this changes, the table scrolls back to its left edge. */
	page?: number
}

/** A table with more rows scrolls in its own box, so that its head and its sums stay visible. */
const MANY_ROWS = 75
const CAPPED = 'sm:max-h-[max(24rem,77dvh)]'

/** Two rows need no order, so the links that sort them have no arrows. */
const UNSORTED_ROWS = 2
const WITHOUT_ARROWS = '[&_thead_th:not([aria-sort])_:is(a,.sort)]:after:hidden'

/**
 * The frame of every table. A long or wide table scrolls by itself. The frame has a name, and shows a text when the table is empty. On a
 * phone it scrolls only sideways: a box that scrolls up and down would stop a finger that scrolls the page.
 */
export function TableFrame({ caption, look, heads, rows, subtotals, foot, footLook, empty, unread, hasRoles, page }: Props) {
	const frame = useRef<HTMLDivElement>(null)
	useEffect(() => watchWhole(frame.current), [page])
	const role = (name: 'table' | 'rowgroup' | 'row') => (hasRoles ? name : undefined)
	return (
		<>
			{unread && <Banner kind="warning">{unread}</Banner>}
			<div
				key={page}
				ref={frame}
				className={`scroll ${rows.length > MANY_ROWS ? CAPPED : ''}`}
				role="region"
				aria-label={`Table: ${caption}`}
				tabIndex={0}
			>
				<table role={role('table')} className={rows.length <= UNSORTED_ROWS ? `${look} ${WITHOUT_ARROWS}` : look}>
					<caption className="sr-only">{caption}</caption>
					<thead role={role('rowgroup')}>
						<tr role={role('row')}>{heads}</tr>
					</thead>
					<tbody role={role('rowgroup')}>
						{rows}
						{empty && rows.length === 0 && (
							<tr>
								<td className="px-(--edge)! py-5! text-left! font-sans text-base whitespace-normal!" colSpan={heads.length}>
									<Empty {...(unread ? { text: 'There is nothing to show that could be read.' } : empty)} />
								</td>
							</tr>
						)}
					</tbody>
					{foot && rows.length > 0 && (
						<tfoot>
							{subtotals}
							<tr className={footLook}>{foot}</tr>
						</tfoot>
					)}
				</table>
			</div>
		</>
	)
}

/**
 * Marks a frame that shows its whole table as `data-whole`. A head sticks to the nearest box that can scroll, so only a frame without
 * hidden cells may stop being one.
 */
function watchWhole(frame: HTMLElement | null) {
	if (!frame) return undefined
	const watch = new ResizeObserver(() => {
		frame.toggleAttribute('data-whole', frame.scrollWidth <= frame.clientWidth && frame.scrollHeight <= frame.clientHeight)
	})
	for (const each of [frame, ...frame.children]) watch.observe(each)
	return () => watch.disconnect()
}
