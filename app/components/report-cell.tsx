import { type StatusKind } from '~/lib/status-kind'
import { DownloadLink } from './download-link'
import { Status } from './status'
import { type Tone } from './tones'

export type Cell =
	| string
	| {
			text: string
			href?: string
			/** An explanation of the broker's words, which opens under the text. */
			note?: string
			tone?: Tone
			download?: { type: string; flag: string; done?: string }
			/** Shown on a line of its own below the text, which then does not wrap. */
			second?: string
			isClamped?: boolean
			/** Shown below the text when the columns that contain it are hidden. */
			phoneNote?: string
			phoneTone?: Tone
			/** The text is a state. */
			status?: StatusKind
			/** On a phone the name of the row says the note of its state too. */
			isNoteWide?: boolean
	  }

export const readText = (cell: Cell = '') => (typeof cell === 'string' ? cell : cell.text)

export const readBelow = (cell: Cell) => (typeof cell === 'string' ? undefined : cell.phoneNote)

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
