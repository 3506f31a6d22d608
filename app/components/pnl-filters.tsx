import { Form } from '@remix-run/react'
import { DownloadLink } from './download-link'
import { Filters } from './field-frame'
import { SelectField } from './form'
import { type ProfitAndLossProps, type Shown } from './pnl-props'
import { APPLY, offerSearch, ReportToolbar } from './report-toolbar'

export type FiltersProps = Pick<ProfitAndLossProps, 'year' | 'path' | 'link' | 'filters' | 'segments'> & {
	shown: Shown
}

/** The choice of segment, and the search. */
export function ProfitAndLossFilters({ year, path, link, filters, segments, shown: { rows, csv } }: FiltersProps) {
	return (
		<ReportToolbar
			action={path}
			hasFields
			table={rows.table}
			search={offerSearch(filters.q, rows.table)}
			files={csv && <DownloadLink {...csv} />}
		>
			{link && <input type="hidden" name="link" value={link} />}
			<input type="hidden" name="year" value={year} />
			<SelectField
				key={`segment ${filters.segment}`}
				field={{ id: 'segment', name: 'segment', defaultValue: filters.segment }}
				label="Segment"
				options={[{ value: '', label: 'All' }, ...segments]}
			/>
		</ReportToolbar>
	)
}

/** A report link has no top bar, so the year of the whole page is chosen here. */
export function ReportYear({ year, years, path, link, filters }: Pick<ProfitAndLossProps, 'year' | 'years' | 'path' | 'link' | 'filters'>) {
	return (
		<Form
			method="get"
			action={path}
			className="mb-3 flex flex-wrap items-start gap-3 print:hidden lg:-mt-11"
			preventScrollReset
			discover="none"
		>
			{link && <input type="hidden" name="link" value={link} />}
			{filters.segment && <input type="hidden" name="segment" value={filters.segment} />}
			<Filters>
				<SelectField
					key={year}
					field={{ id: 'year', name: 'year', defaultValue: year }}
					label="Financial year"
					options={years.map((value) => ({ value, label: value }))}
				/>
			</Filters>
			<button type="submit" className={APPLY}>
				Show
			</button>
		</Form>
	)
}
