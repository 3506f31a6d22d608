import { useId } from 'react'
import { KeyFigures } from '~/components/key-figures'

export type LineChart = {
	value: string
	area: string
	invested: string
	ends: { value: number; invested: number }
	grid: readonly { at: number; label: string }[]
	months: readonly { at: number; label: string }[]
	latest: { day: string; value: string; invested: string }
	rows: readonly { label: string; value: string; invested: string }[]
}
export type Bars = { total: string; bars: readonly { name: string; value: string; share: string; width: string }[] }

/** Drawn by the server: the browser gets paths, no chart library. Lines stretch with the page; letters do not. */
export function PortfolioChart({ value, area, invested, ends, grid, months, latest, rows }: LineChart) {
	const id = useId()
	return (
		<>
			<KeyFigures
				figures={[
					{ label: `Value on ${latest.day}`, text: latest.value },
					{ label: 'Invested', text: latest.invested },
				]}
			/>
			<div className="flex">
				<svg className="chart scale" height="240" aria-hidden="true">
					<svg y="8" height="204" overflow="visible">
						{grid.map(({ at, label }) => (
							<text key={at} x="0" y={`${at}%`} dy="4">
								{label}
							</text>
						))}
					</svg>
				</svg>
				<svg className="chart" height="240" role="img" aria-labelledby={`${id}t ${id}d`}>
					<title id={`${id}t`}>Portfolio value against invested amount by month</title>
					<desc id={`${id}d`}>
						On {latest.day} the value is {latest.value} and the invested amount {latest.invested}. The table after this chart has every
						month.
					</desc>
					<svg y="8" height="204" width="100%" overflow="visible">
						{grid.map(({ at }) => (
							<line key={at} className="grid" x1="0" x2="100%" y1={`${at}%`} y2={`${at}%`} />
						))}
						<svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%" overflow="visible">
							<path className="area" d={area} />
							<path className="line invested" d={invested} />
							<path className="line value" d={value} />
						</svg>
					</svg>
					{months.map(({ at, label }) => (
						<text key={at} x={`${at}%`} y="234" textAnchor={at === 0 ? 'start' : 'middle'}>
							{label}
						</text>
					))}
				</svg>
				<svg className="chart ends" height="240" aria-hidden="true">
					<svg y="8" height="204" overflow="visible">
						<text className="strong" x="0" y={`${ends.value}%`} dy="4">
							Value
						</text>
						<text x="0" y={`${ends.invested}%`} dy="4">
							Invested
						</text>
					</svg>
				</svg>
			</div>
			<ChartTable
				caption="Portfolio value and invested amount by month"
				heads={['Month end', 'Value', 'Invested']}
				rows={rows.map((row) => [row.label, row.value, row.invested])}
			/>
		</>
	)
}

const ROW = 40

/** Bars from the largest to the smallest, each with its name, its value and its share. */
export function AllocationChart({ total, bars }: Bars) {
	const id = useId()
	return (
		<>
			<svg className="chart" height={bars.length * ROW} role="img" aria-labelledby={`${id}t ${id}d`}>
				<title id={`${id}t`}>Allocation by sector</title>
				<desc id={`${id}d`}>
					Of {total}: {bars.map(({ name, share }) => `${name} ${share}`).join(', ')}.
				</desc>
				{bars.map(({ name, share, width }, index) => (
					<g key={name}>
						<text className="strong" x="0" y={index * ROW + 14}>
							{name}
						</text>
						<text className="figure" x="100%" y={index * ROW + 14} textAnchor="end">
							{share}
						</text>
						<rect className="track" x="0" y={index * ROW + 22} width="100%" height="6" rx="3" />
						<rect className="bar" x="0" y={index * ROW + 22} width={width} height="6" rx="3" />
					</g>
				))}
			</svg>
			<ChartTable
				caption="Allocation by sector"
				heads={['Sector', 'Value', 'Share']}
				rows={bars.map(({ name, value, share }) => [name, value, share])}
			/>
		</>
	)
}

function ChartTable({ caption, heads, rows }: { caption: string; heads: readonly string[]; rows: readonly (readonly string[])[] }) {
	return (
		<details className="as-table">
			<summary>
				Show as a table<span className="sr-only">: {caption}</span>
			</summary>
			<div className="overflow-x-auto" role="region" aria-label={`Table: ${caption}`} tabIndex={0}>
				<table className="report">
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
						{rows.map(([name, ...figures]) => (
							<tr key={name}>
								<th scope="row">{name}</th>
								{figures.map((figure, index) => (
									<td key={index} className="figure">
										{figure}
									</td>
								))}
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</details>
	)
}
