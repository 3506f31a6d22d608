import { Fragment, type ReactNode, useId } from 'react'
import { type Bars, type ColumnChart as Columns, type LineChart as Lines } from '~/lib/charts'
import { KeyFigures } from './key-figures'

const FILLS = { bar: 'fill-primary', 'fill-gain': 'fill-gain', 'fill-loss': 'fill-loss' }

/** Classes of each `<svg>` of a chart: the look of its text; parts may be drawn outside it. */
const CHART = 'chart fill-muted block min-w-0 overflow-visible text-xs'

/** Drawn by the server: the browser gets paths, no chart library. Lines stretch with the page; text does not. */
export function LineChart(chart: Lines) {
	return (
		<>
			<KeyFigures figures={chart.latest} />
			<Plot chart={chart} height={204} ends={chart.ends}>
				{chart.lines.map(({ path, look }) => (
					<path
						key={look}
						className={`fill-none stroke-2 ${look === 'value' ? 'stroke-primary' : 'stroke-muted'}`}
						strokeDasharray={look === 'value' ? undefined : '5 4'}
						strokeLinejoin="round"
						vectorEffect="non-scaling-stroke"
						d={path}
					/>
				))}
			</Plot>
			<ChartTable caption={chart.title} heads={chart.heads} rows={chart.rows} />
		</>
	)
}

/** One column per month, drawn from zero. */
export function ColumnChart(chart: Columns) {
	return (
		<div className="@container">
			{/* In a narrow chart it would cover the columns before the last. */}
			<p className="text-muted mb-1 text-xs @2xl:hidden" aria-hidden="true">
				{chart.last.month}: <span className="figure">{chart.last.text}</span>
			</p>
			<Plot chart={chart} height={104} ends={[]} last={chart.last} />
			<ChartTable caption={chart.title} heads={chart.heads} rows={chart.rows} foot={chart.foot} />
		</div>
	)
}

type PlotProps = {
	chart: Omit<Columns, 'last'>
	/** Without the names of the months. */
	height: number
	ends: readonly { name: string; at: number }[]
	/** The amount of the last point, written above its column. */
	last?: Columns['last']
	children?: ReactNode
}

/** Like the text of a point, which covers it while it is shown. */
const LAST =
	'figure fill-base-content stroke-base-100 pointer-events-none stroke-[4px] font-semibold [paint-order:stroke] in-[.chart:hover]:invisible hidden @2xl:inline'

/** In characters. A longer label, like `−₹ 40,000`, would run into the grid without a wider margin. */
const LONG_LABEL = 8

function Plot({ chart: { title, description, grid, months, years, points }, height, ends, last, children }: PlotProps) {
	const id = useId()
	const isWide = grid.some(({ label }) => label.length > LONG_LABEL)
	return (
		<div className={`@container flex ${ends.length > 0 ? '' : 'pr-3'}`}>
			<svg className={`${CHART} ${isWide ? 'w-18' : 'w-14'} flex-none`} height={height + 44} aria-hidden="true">
				<svg y="8" height={height} overflow="visible">
					{grid.map(({ at, label }) => (
						<Fragment key={at}>
							<text x="0" y={`${at}%`} dy="4">
								{label}
							</text>{' '}
						</Fragment>
					))}
				</svg>
			</svg>
			<svg className={`${CHART} w-full`} height={height + 44} role="group" aria-labelledby={`${id}t`} aria-describedby={`${id}d`}>
				<title id={`${id}t`}>{title}</title>
				<desc id={`${id}d`}>{description} The table after this chart has every figure. </desc>
				<svg y="8" height={height} width="100%" overflow="visible">
					{grid.map(({ at }) => (
						<line key={at} className="stroke-line" x1="0" x2="100%" y1={`${at}%`} y2={`${at}%`} />
					))}
					<svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%" overflow="visible">
						{children}
					</svg>
					{points.map((point) => (
						<Point key={point.at} {...point} />
					))}
					{last && (
						// It ends where the plot does, since from the middle of a narrow column it would run past it.
						<text className={LAST} x="100%" y={`${last.at}%`} dy="-6" textAnchor="end" aria-hidden="true">
							{last.text}
						</text>
					)}
				</svg>
				{months.map(({ at, label, isMinor }) => (
					<Fragment key={at}>
						<text x={`${at}%`} y={height + 24} textAnchor="middle" className={isMinor ? 'hidden @2xl:inline' : undefined}>
							{label}
						</text>{' '}
					</Fragment>
				))}
				{years.map(({ at, label }) => (
					<Fragment key={label}>
						<text x={`${at}%`} y={height + 40} textAnchor="middle">
							{label}
						</text>{' '}
					</Fragment>
				))}
			</svg>
			{ends.length > 0 && (
				<svg className={`${CHART} w-16 flex-none pl-2`} height={height + 44} aria-hidden="true">
					<svg y="8" height={height} overflow="visible">
						{ends.map(({ name, at }, index) => (
							<Fragment key={name}>
								<text className={index === 0 ? 'fill-primary font-semibold' : undefined} x="0" y={`${at}%`} dy="4">
									{name}
								</text>{' '}
							</Fragment>
						))}
					</svg>
				</svg>
			)}
		</div>
	)
}

/** Shows its figures while it is pointed at, tapped or focused. */
function Point({ left, width, at, words, column }: Columns['points'][number]) {
	const anchor = at < 33 ? 'start' : at > 67 ? 'end' : 'middle'
	return (
		<g className="point" tabIndex={0} role="img" aria-label={words.join(', ')}>
			<rect className="fill-transparent" x={`${left}%`} y="0" width={`${width}%`} height="100%" />
			{column && (
				<rect
					className={FILLS[column.look]}
					x={`${left + width * 0.15}%`}
					y={`${column.top}%`}
					width={`${width * 0.7}%`}
					height={`${column.height}%`}
				/>
			)}
			<line className="stroke-muted" strokeDasharray="5 4" x1={`${at}%`} x2={`${at}%`} y1="0" y2="100%" />
			<text className="figure" textAnchor={anchor}>
				{words.map((word, index) => (
					<Fragment key={word}>
						<tspan x={`${at}%`} y={16 + index * 20}>
							{word}
						</tspan>{' '}
					</Fragment>
				))}
			</text>
		</g>
	)
}

/**
 * Bars from the largest to the smallest; the share is written beside each. Names are HTML, so that a long name wraps. `isPart`: a part of
 * the whole is missing.
 */
export function AllocationChart({ by, total, bars, isPart }: Bars & { by: 'sector' | 'holding'; isPart?: boolean }) {
	return (
		<>
			<p className="text-xs text-muted mb-2">
				Share of <span className="figure">{total}</span>
				{isPart && ', without what could not be read'}
			</p>
			<dl>
				{bars.map(({ name, value, share, width }) => (
					<div key={name} className="mb-2 grid grid-cols-[1fr_auto] gap-x-3 text-xs">
						<dt className="self-end wrap-anywhere">{name}</dt>
						<dd className="text-muted self-end">
							<span className="figure">{value}</span> <span className="figure inline-block w-11 text-right">{share}</span>
						</dd>
						<dd className="col-span-2 pt-1" aria-hidden="true">
							<svg className="block w-full" height="6">
								<rect className="fill-base-300" width="100%" height="6" rx="3" />
								<rect className="fill-primary opacity-85" width={width} height="6" rx="3" />
							</svg>
						</dd>
					</div>
				))}
			</dl>
			<ChartTable
				caption={`Allocation by ${by}`}
				heads={[by === 'sector' ? 'Sector' : 'Holding', 'Value', 'Share']}
				rows={bars.map(({ name, value, share }) => [name, value, share])}
			/>
		</>
	)
}

type ChartTableProps = { caption: string; heads: readonly string[]; rows: readonly (readonly string[])[]; foot?: readonly string[] }

function ChartTable({ caption, heads, rows, foot }: ChartTableProps) {
	return (
		<details className="as-table @container mt-3 text-xs [section>&:last-child]:-mb-2">
			<summary className="text-primary w-fit py-2 print:hidden">
				Show as a table<span className="sr-only">: {caption}</span>
			</summary>
			<div className="-mx-(--bleed) overflow-x-auto" role="region" aria-label={`Table: ${caption}`} tabIndex={0}>
				<table className="report fits">
					<caption className="sr-only">{caption}</caption>
					<thead>
						<tr>
							{heads.map((head, index) => (
								<th key={head} scope="col" className={index > 0 ? 'figure' : undefined}>
									{head}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{rows.map(([name = '', ...figures]) => (
							<tr key={name}>
								<th scope="row" className={name.length > LONG_LABEL + 2 ? 'long' : undefined}>
									{name}
								</th>
								{figures.map((figure, index) => (
									<td key={index} className="figure">
										{figure}
									</td>
								))}
							</tr>
						))}
					</tbody>
					{foot && (
						<tfoot>
							<tr>
								{foot.map((cell, index) =>
									index === 0 ? (
										<th key={index} scope="row">
											{cell}
										</th>
									) : (
										<td key={index} className="figure">
											{cell}
										</td>
									),
								)}
							</tr>
						</tfoot>
					)}
				</table>
			</div>
		</details>
	)
}
