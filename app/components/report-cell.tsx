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
			isClamped?: boolean
			/** Shown below the text when the columns that contain it are hidden. */
			phoneNote?: string
			/** The text is a state. */
			status?: StatusKind
	  }

export const readText = (cell: Cell = '') => (typeof cell === 'string' ? cell : cell.text)

export const readBelow = (cell: Cell) => (typeof cell === 'string' ? undefined : cell.phoneNote)

/** Draws a cell of a report that has more than plain text. */
export function ReportCell({ cell }: { cell: Exclude<Cell, string> }) {
	const { text, href, note, download, isClamped, status } = cell
	if (status) return <Status kind={status} words={text} note={note} />
	const look = isClamped ? 'max-md:line-clamp-2 print:line-clamp-none in-open:line-clamp-none' : undefined
	if (href && download) return <DownloadLink href={href} label={text} {...download} look="cell" />
	const shown = href ? <a href={href}>{text}</a> : text
	if (!note) return look ? <span className={look}>{shown}</span> : shown
	return (
		<details className="open:text-muted open:max-w-[44ch] open:whitespace-normal">
			<summary
				className={`in-open:text-base-content decoration-field max-sm:py-0.5 w-fit list-none underline decoration-dotted underline-offset-3 ${look ?? ''}`}
			>
				{shown}
			</summary>{' '}
			{note}
		</details>
	)
}
