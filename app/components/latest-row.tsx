import { type Cell, ReportCell } from './report-cell'

export type Latest = {
	label: string
	day: string
	what: Cell
	amount: string
	file?: Cell
	/** The link that reverses the order of the rows. */
	turned?: { href: string; label: string }
}

const LINKED = '[&_a]:-my-2.5 [&_a]:inline-block [&_a]:py-2.5'

/** The newest row of a table whose first rows are the oldest. A phone has it in two lines. */
export function LatestRow({ label, day, what, amount, file, turned }: Latest) {
	return (
		<p
			className={`mb-3 grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-0.5 text-sm sm:flex sm:gap-x-3 print:hidden ${LINKED}`}
		>
			<span className="text-muted whitespace-nowrap">
				{label} <span className="figure">{day}</span>
			</span>{' '}
			<span className="truncate max-sm:order-2">{typeof what === 'string' ? what : <ReportCell cell={what} />}</span>{' '}
			<span className="text-right whitespace-nowrap max-sm:order-2">
				<b className="figure">{amount}</b>{' '}
				{file && typeof file !== 'string' && (
					<span className="ml-2">
						<ReportCell cell={file} />
					</span>
				)}
			</span>{' '}
			{turned && (
				<a href={turned.href} data-keep-scroll className="text-right max-sm:order-1 sm:ml-auto">
					{turned.label}
				</a>
			)}
		</p>
	)
}
