import { type Cell } from '~/lib/table'
import { DownloadLink } from './download-link'
import { Status } from './status'

/** A dot between two facts stays with the second, so that none hangs at the end of a line. */
export const readBelow = (cell: Cell) => (typeof cell === 'string' ? undefined : cell.phoneNote?.replaceAll(' · ', ' ·\u00a0'))

/** Draws a cell of a report that has more than plain text. */
export function ReportCell({ cell }: { cell: Exclude<Cell, string> }) {
	const { text, href, note, download, isClamped, status, isNoteWide, second } = cell
	if (status) return <Status kind={status} words={text} note={note} isNoteWide={isNoteWide} />
	if (second)
		return (
			<span className="whitespace-nowrap">
				{text} <br />
				{second}
			</span>
		)
	const look = isClamped ? 'max-md:line-clamp-2 print:line-clamp-none in-open:line-clamp-none' : undefined
	if (href && download) return <DownloadLink href={href} label={text} {...download} look="cell" />
	const shown = href ? <a href={href}>{text}</a> : text
	if (!note) return look ? <span className={look}>{shown}</span> : shown
	return (
		<details className="opens">
			<summary className={look}>{shown}</summary> {note}
		</details>
	)
}
