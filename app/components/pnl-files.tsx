import { Choices } from './choices'
import { DownloadLink } from './download-link'
import { WIDE_OPEN } from './folded'
import { FILES } from './page-title'
import { type PartLink, PartLinks } from './part-links'
import { type Shown } from './pnl-props'

/**
 * The choice of segment, which the figures, the rows and the files of the page follow, links to the parts of the page, and the files that
 * the broker makes. A phone folds links and files.
 */
export function ProfitAndLossBar({ shown, parts = [] }: { shown: Shown; parts?: readonly PartLink[] }) {
	const { files, ofSegments, choices } = shown
	const hasChoice = choices.length > 0 && !isNothing(shown)
	const hasFiles = files.length + ofSegments.length > 0
	if (!hasChoice && !hasFiles && parts.length === 0) return null
	return (
		<div className="mb-3 flex flex-wrap items-center justify-between gap-x-6">
			{hasChoice && <Choices label="Choice of segment" choices={choices} />}
			<PartLinks parts={parts} className="max-sm:has-open:basis-full" />
			{hasFiles && (
				<details className={`${WIDE_OPEN} max-sm:open:basis-full print:hidden ${ofSegments.length > 0 ? 'sm:basis-full' : 'sm:ml-auto'}`}>
					<summary className="text-primary w-fit py-2.5 text-sm">PDF and Excel</summary>
					<div className={`${FILES} gap-x-3 max-sm:grid max-sm:grid-cols-2`}>
						<span className="text-muted text-sm max-sm:hidden" aria-hidden="true">
							Files
						</span>
						{ofSegments.map(({ name, files: own }) => (
							<span key={name} className="flex items-center text-sm max-sm:col-span-full sm:mr-3">
								<span className="text-muted mr-1 max-sm:w-36">{name}</span>{' '}
								{own.map((file) => (
									<DownloadLink key={file.label} {...file} />
								))}
							</span>
						))}
						{files.map((file) => (
							<DownloadLink key={file.label} {...file} />
						))}
					</div>
				</details>
			)}
		</div>
	)
}

/** True when the client has no row, no figure by segment and no bundle in the whole year. */
export function isNothing({ summary, rows, bundle }: Shown): boolean {
	return !bundle?.href && summary.table?.rows.length === 0 && rows.failures.length === 0 && rows.table?.paging?.total === 0
}
