import { type ReactNode } from 'react'
import { Banner } from './banner'
import { Empty } from './empty'

type Props = {
	caption: string
	/** Classes of the table. */
	look: string
	heads: readonly ReactNode[]
	/** A `<tr>` each. */
	rows: readonly ReactNode[]
	/** Cells of the last line; shown only when there are rows. */
	foot?: ReactNode
	empty?: { text: string; action?: { href: string; label: string } }
	/** Shown above the table: what could not be read. */
	unread?: string
	/** When this changes, the table scrolls back to its left edge. */
	page?: number
}

/**
 * In a card, and on a phone, its lines reach the edges, and it ends the card that it is the last of. Words for screen readers are placed
 * absolutely; without `relative` they would widen the page.
 */
const SCROLL =
	'scroll border-line bg-base-100 relative -mx-(--bleed) overflow-auto border-y max-sm:overflow-y-hidden [&:not(section_*)]:sm:rounded [&:not(section_*)]:sm:border-x [section>:last-child>&:last-child]:-mb-5 [section>:last-child>&:last-child]:border-b-0 [section>:last-child>&:last-child]:rounded-b-box [scroll-padding:48px_0_48px_140px] print:mx-0 print:max-h-none print:overflow-visible print:border-0! print:[mask:none]'

/** A table with more rows scrolls in a box of its own, so that its head and its sums stay in sight. */
const MANY_ROWS = 50
const CAPPED = 'sm:max-h-[max(24rem,78dvh)]'

/**
 * The frame of every table: a long or wide one scrolls by itself; it has a name, and says when it is empty. On a phone it only scrolls
 * sideways, because a finger that meets a box which scrolls up and down is held in it.
 */
export function TableFrame({ caption, look, heads, rows, foot, empty, unread, page }: Props) {
	return (
		<>
			{unread && <Banner kind="warning">{unread}</Banner>}
			<div
				key={page}
				className={`${SCROLL} ${rows.length > MANY_ROWS ? CAPPED : ''}`}
				role="region"
				aria-label={`Table: ${caption}`}
				tabIndex={0}
			>
				<table className={look}>
					<caption className="sr-only">{caption}</caption>
					<thead>
						<tr>{heads}</tr>
					</thead>
					<tbody>
						{rows}
						{empty && rows.length === 0 && (
							<tr>
								<td className="px-(--edge)! py-5! text-left! whitespace-normal!" colSpan={heads.length}>
									<Empty {...(unread ? { text: 'There is nothing to show that could be read.' } : empty)} />
								</td>
							</tr>
						)}
					</tbody>
					{foot && rows.length > 0 && (
						<tfoot>
							<tr>{foot}</tr>
						</tfoot>
					)}
				</table>
			</div>
		</>
	)
}
