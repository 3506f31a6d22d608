import { DownloadLink } from './download-link'
import { FILES } from './page-title'
import { type ProfitAndLossProps } from './profit-and-loss'

/** The id of the section with the choice of segment. */
export const SECURITIES = 'securities'

/** The files of the report, for the top of its page. */
export function ProfitAndLossFiles({ segments, shown }: Pick<ProfitAndLossProps, 'segments' | 'shown'>) {
	if (!shown || shown.files.length === 0) return null
	return (
		<div className="sm:-mt-3 print:hidden">
			<div className={`${FILES} sm:justify-end max-sm:-ml-1`}>
				{shown.files.map((file) => (
					<DownloadLink key={file.label} {...file} />
				))}
			</div>
			{shown.rows.table?.rows.length !== 0 && (
				<p className="text-xs text-muted sm:text-right">
					PDF and Excel contain one segment: {shown.filesSegment}.{' '}
					{segments.length > 1 && (
						<>
							Choose another under <a href={`#${SECURITIES}`}>Segment</a>.
						</>
					)}
				</p>
			)}
		</div>
	)
}
