import { type ComponentProps } from 'react'
import { CELL, DownloadLink } from '~/components/download-link'
import { TableFrame } from '~/components/table-frame'

const FORMATS = ['PDF', 'Excel', 'CSV', 'ZIP'] as const
type Format = (typeof FORMATS)[number]

/** A file that another page makes, from what is chosen there. */
type MadeFile = { page: string; about: string }

export type FileRow = {
	name: string
	/** The page of what the files contain. */
	href?: string
	/** The name of the row above, when this row is a part of it. */
	part?: string
	files: Partial<Record<Format, Omit<ComponentProps<typeof DownloadLink>, 'label' | 'look'> | MadeFile>>
}

type Props = { caption: string; head: string; rows: readonly FileRow[] }

/** One row per thing, with a link for each of its formats; links of one format are aligned, unless each row has only one. */
export function FileTable({ caption, head, rows }: Props) {
	// Columns of formats would put each file of such a table somewhere else.
	const areSingle = rows.every(({ files }) => Object.keys(files).length === 1)
	return (
		<div className="@container">
			<TableFrame
				caption={caption}
				look="report fits table-fixed"
				heads={[
					<th key="name" scope="col" align="left">
						{head}
					</th>,
					<th key="files" scope="col" align="left" className={areSingle ? 'w-28' : 'w-51 max-sm:w-45'}>
						Download
					</th>,
				]}
				rows={rows.map(({ name, href, part, files }) => (
					<tr key={`${part} ${name}`} className="h-10 *:align-middle!">
						<th scope="row" align="left" className={`whitespace-normal! ${part ? 'pl-5! sm:pl-9!' : ''}`}>
							{part && <span className="sr-only">{part}: </span>}
							{href ? <a href={href}>{name}</a> : name}
						</th>
						<td align="left" className="whitespace-nowrap max-sm:py-0! pointer-coarse:py-0!">
							{FORMATS.filter((format) => !areSingle || files[format]).map((format) => (
								<span key={format} className={`inline-block w-12 ${format === 'Excel' ? 'max-sm:w-11' : 'max-sm:w-10'}`}>
									{files[format] && <FileLink format={format} file={files[format]} />}
								</span>
							))}
						</td>
					</tr>
				))}
			/>
		</div>
	)
}

function FileLink({ format, file }: { format: Format; file: NonNullable<FileRow['files'][Format]> }) {
	if (!('page' in file)) return <DownloadLink {...file} label={format} look="format" />
	return (
		<a href={file.page} className={CELL}>
			<span>
				{format}
				<span className="sr-only">: {file.about}</span>
			</span>
		</a>
	)
}
