import { type Cell, ReportCell } from './report-cell'

export type Latest = { label: string; lines: readonly { day: string; what: Cell; amount: string; file?: Cell }[] }

const LINKED = '[&_a]:-my-2.5 [&_a]:inline-block [&_a]:py-2.5'

/** The newest rows of a table whose first rows are the oldest. A phone shows one, so that the table begins on its first screen. */
export function LatestRows({ label, lines }: Latest) {
	return (
		<div className={`mb-3 text-sm print:hidden ${LINKED}`}>
			<p className="text-muted text-xs">{label}</p>
			<ul className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 gap-y-1 max-sm:gap-y-2 sm:grid-cols-[auto_auto_auto_1fr]">
				{lines.map(({ day, what, amount, file }, index) => (
					<li key={index} className="col-span-full grid grid-cols-subgrid items-baseline max-sm:not-first:hidden">
						<span className="figure text-muted">{day}</span>{' '}
						<span className="truncate">{typeof what === 'string' ? what : <ReportCell cell={what} />}</span>{' '}
						<span className="text-right whitespace-nowrap">
							<b className="figure">{amount}</b> {/* A phone has no room for the file, which the page of the row has too. */}
							{file && typeof file !== 'string' && (
								<span className="ml-2 max-sm:hidden">
									<ReportCell cell={file} />
								</span>
							)}
						</span>
					</li>
				))}
			</ul>
		</div>
	)
}
