import { Choices } from './choices'
import { DownloadLink } from './download-link'
import { FILES } from './page-title'
import { type ProfitAndLossProps } from './profit-and-loss'

/** The id of the section that makes the file of all segments. */
export const BUNDLE = 'summary-bundle'

type Shown = NonNullable<ProfitAndLossProps['shown']>

/** The choice of segment, which the figures, the rows and the files of the page follow, and the files. */
export function ProfitAndLossBar({ shown }: { shown: Shown }) {
	const { files, choices } = shown
	const hasChoice = choices.length > 0 && !isNothing(shown)
	if (!hasChoice && files.length === 0) return null
	return (
		<div className="mb-1 flex flex-wrap items-center justify-between gap-x-6 max-sm:-mt-2">
			{hasChoice && <Choices label="Choice of segment" choices={choices} />}
			<div className={`${FILES} max-sm:-ml-1 sm:ml-auto`}>
				{files.map((file) => (
					<DownloadLink key={file.label} {...file} />
				))}
			</div>
		</div>
	)
}

/** Says, with all segments shown, which files have one segment and which has all. */
export function FilesNote({ shown: { files, choices, bundle } }: { shown: Shown }) {
	if (files.length === 0 || !choices[0]?.isCurrent) return null
	return (
		<p className="text-xs text-muted -mt-2 mb-4 print:hidden">
			PDF and Excel have one segment: choose it above.
			{bundle && (
				<>
					{' '}
					All segments:{' '}
					<a href={`#${BUNDLE}`} className="-my-2 inline-block py-2">
						Summary bundle
					</a>
				</>
			)}
		</p>
	)
}

/** True when the client has no row, no figure by segment and no bundle in the whole year. */
export function isNothing({ summary, rows, bundle }: Shown): boolean {
	return !bundle?.href && summary.table?.rows.length === 0 && rows.failures.length === 0 && rows.table?.paging?.total === 0
}
