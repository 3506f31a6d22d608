import { DownloadLink } from './download-link'
import { SelectField } from './form'
import { type ProfitAndLossProps, type Shown } from './pnl-props'
import { offerSearch, ReportToolbar } from './report-toolbar'

export type FiltersProps = Pick<ProfitAndLossProps, 'year' | 'years' | 'path' | 'link' | 'isAlone' | 'filters' | 'segments'> & {
	shown: Shown
}

/** The choice of year and segment, and the search. A report link has no top bar, so its year is chosen here. */
export function ProfitAndLossFilters({ year, years, path, link, isAlone, filters, segments, shown: { rows, csv } }: FiltersProps) {
	return (
		<ReportToolbar
			action={path}
			hasFields
			table={rows.table}
			search={offerSearch(filters.q, rows.table)}
			files={csv && <DownloadLink {...csv} />}
		>
			{link && <input type="hidden" name="link" value={link} />}
			{isAlone ? (
				<SelectField
					key={year}
					field={{ id: 'year', name: 'year', defaultValue: year }}
					label="Financial year"
					options={years.map((value) => ({ value, label: value }))}
				/>
			) : (
				<input type="hidden" name="year" value={year} />
			)}
			<SelectField
				key={`segment ${filters.segment}`}
				field={{ id: 'segment', name: 'segment', defaultValue: filters.segment }}
				label="Segment"
				options={[{ value: '', label: 'All' }, ...segments]}
			/>
		</ReportToolbar>
	)
}
