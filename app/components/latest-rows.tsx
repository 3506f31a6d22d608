import { type Latest, readText } from '~/lib/table'
import { readBelow, ReportCell } from './report-cell'

/** In characters, like a state. */
const SHORT = 18

const LINKED = '[&_a]:-my-2.5 [&_a]:inline-block [&_a]:py-2.5'

/**
 * The newest rows of a table whose first rows are the oldest: beside its main figures when there is room, else below them. On a phone
 * the kind of a row and the link to its file stand below it; else the kind stands before the amount.
 */
export function LatestRows({ label, lines }: Latest) {
	const columns = lines.some(({ what }) => readBelow(what))
		? 'sm:grid-cols-[repeat(5,auto)]'
		: lines.some(({ file }) => file)
			? 'sm:grid-cols-[auto_fit-content(18rem)_auto_auto]'
			: 'sm:grid-cols-[auto_fit-content(18rem)_auto]'
	// On a phone a short text fits between the day and the amount. A long one gets a line of its own.
	const isLong = lines.some(({ what }) => readText(what).length > SHORT)
	return (
		<div
			className={`border-line relative mt-1 mb-3 text-sm max-xl:basis-full xl:not-first:border-l xl:not-first:pl-8 print:hidden ${LINKED}`}
		>
			<p className="text-muted text-xs">{label}</p>
			<ul className={`mt-1 grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 gap-y-1.5 sm:justify-start ${columns}`}>
				{lines.map(({ day, what, amount, file }, index) => (
					<li key={index} className="col-span-full grid grid-cols-subgrid items-baseline">
						<span className="figure text-muted">{day}</span>{' '}
						<span
							className={`sm:truncate ${isLong ? 'max-sm:order-last max-sm:col-span-full' : 'max-[20rem]:order-last max-[20rem]:col-span-full'}`}
						>
							{typeof what === 'string' ? what : <ReportCell cell={what} />}
						</span>{' '}
						<b className="figure max-sm:col-start-3 sm:order-1 text-right">{amount}</b>{' '}
						{readBelow(what) && <span className="text-muted max-sm:col-span-2 max-sm:text-xs">{readBelow(what)} </span>}
						{file && typeof file !== 'string' && (
							<span className="max-sm:col-start-3 max-sm:text-right sm:order-2">
								<ReportCell cell={file} />
							</span>
						)}
					</li>
				))}
			</ul>
		</div>
	)
}
