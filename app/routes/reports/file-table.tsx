import { type ComponentProps } from 'react'
import { DownloadLink } from '~/components/download-link'
import { TableFrame } from '~/components/table-frame'

const FORMATS = ['PDF', 'Excel', 'CSV', 'ZIP'] as const
type Format = (typeof FORMATS)[number]

export type FileRow = {
	name: string
	/** The page of what the files contain. */
	href?: string
	/** The name of the row above, when this row is a part of it. */
	part?: string
	files: Partial<Record<Format, Omit<ComponentProps<typeof DownloadLink>, 'label' | 'look'>>>
}

type Props = { caption: string; head: string; rows: readonly FileRow[] }

/** One row per thing, with a link for each of its formats; links of one format are aligned. */
export function FileTable({ caption, head, rows }: Props) {
	return (
		<div className="@container">
			<TableFrame
				caption={caption}
				look="report fits table-fixed"
				heads={[
					<th key="name" scope="col" align="left">
						{head}
					</th>,
					<th key="files" scope="col" align="left" className="w-51 max-sm:w-43">
						Download
					</th>,
				]}
				rows={rows.map(({ name, href, part, files }) => (
					<tr key={`${part} ${name}`} className="h-10 *:align-middle!">
						{/* A name without a file of its own leads to a page that makes the file. */}
						<th scope="row" align="left" colSpan={Object.keys(files).length === 0 ? 2 : undefined} className={part && 'pl-7! sm:pl-9!'}>
							{part && <span className="sr-only">{part}: </span>}
							{href ? <a href={href}>{name}</a> : name}
						</th>
						{Object.keys(files).length > 0 && (
							<td align="left" className="whitespace-nowrap max-sm:py-0! pointer-coarse:py-0!">
								{FORMATS.map((format) => (
									<span key={format} className={`inline-block w-12 ${format === 'Excel' ? 'max-sm:w-[28%]' : 'max-sm:w-[24%]'}`}>
										{files[format] && <DownloadLink {...files[format]} label={format} look="format" />}
									</span>
								))}
							</td>
						)}
					</tr>
				))}
			/>
		</div>
	)
}
