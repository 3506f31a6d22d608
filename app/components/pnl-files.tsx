import { Fragment } from 'react'
import { DownloadLink } from './download-link'
import { FILES } from './page-title'
import { type ProfitAndLossProps } from './profit-and-loss'

/** The id of the section that makes the file of all segments. */
export const BUNDLE = 'summary-bundle'

/** The files of the report, for the top of its page. PDF and Excel have one segment. */
export function ProfitAndLossFiles({ shown }: Pick<ProfitAndLossProps, 'shown'>) {
	if (!shown || shown.files.length === 0) return null
	const { files } = shown
	return (
		<div className={`${FILES} sm:justify-end max-sm:-ml-1`}>
			{files.map((file) => (
				<DownloadLink key={file.label} {...file} />
			))}
		</div>
	)
}

/** Links to the other segments, whose files the top of the page does not have, and to the file of all. They stand below the figures. */
export function OtherSegments({ shown }: { shown: NonNullable<ProfitAndLossProps['shown']> }) {
	const { files, others, bundle } = shown
	if (files.length === 0 || others.length === 0) return null
	return (
		<p className="text-xs text-muted -mt-2 mb-4 print:hidden">
			Show another segment and its files:{' '}
			{others.map(({ label, href }, at) => (
				<Fragment key={label}>
					{at > 0 && ', '}
					<a href={href} data-keep-scroll className="-my-2 inline-block py-2">
						{label}
					</a>
				</Fragment>
			))}
			{bundle && !isNothing(shown) && (
				<>
					. All segments:{' '}
					<a href={`#${BUNDLE}`} className="-my-2 inline-block py-2">
						Summary bundle
					</a>
				</>
			)}
		</p>
	)
}

/** True when the client has no row, no figure by segment and no bundle in the whole year. */
export function isNothing({ summary, rows, bundle }: NonNullable<ProfitAndLossProps['shown']>): boolean {
	return !bundle?.href && summary.table?.rows.length === 0 && rows.failures.length === 0 && rows.table?.paging?.total === 0
}
