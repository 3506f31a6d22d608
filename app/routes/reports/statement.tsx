import { data, type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData, useLocation, useParams } from '@remix-run/react'
import { listClientSegments } from '~/broker/profile.server'
import { Banner } from '~/components/banner'
import { DownloadLink } from '~/components/download-link'
import { AllocationChart } from '~/components/charts'
import { DateField } from '~/components/date-field'
import { ErrorSummary, SelectField } from '~/components/form'
import { FailedReport, OtherReports } from '~/components/failed-report'
import { Halves } from '~/components/halves'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { ReportTable, TableSums } from '~/components/report-table'
import { offerSearch, ReportToolbar } from '~/components/report-toolbar'
import { Section } from '~/components/section'
import { findReportTitle } from '~/lib/report-titles'
import { requireIsoDays } from '~/reports/filters.server'
import { requireStatement } from '~/reports/index.server'
import { readYear } from '~/session/preferences.server'
import { requireBroker } from '~/session/session.server'

export const handle = {
	title: (page: { title: string } | undefined, { report = '' }) => page?.title ?? findReportTitle(report),
	canRefresh: true,
	areScriptsLate: true,
}

/** Loads any statement that is only a table. */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const statement = requireStatement(params.report)
	const url = new URL(request.url)
	requireIsoDays(url)
	const held = await listClientSegments(broker)
	const page = await statement.page(broker, url, readYear(request), held)
	if (page.failure) return data(page, { status: page.failure.status })
	return page.result ? data(page, { status: 400 }) : page
}

export default function Statement() {
	const page = useLoaderData<typeof loader>()
	const { title, about, period, year, filters, fields, presets, segments, result, table, turned, files, empty, missing, failure } = page
	const { pathname } = useLocation()
	if (missing) {
		return (
			<>
				<PageTitle title={title} />
				<Banner kind="info">
					{`${missing} is not active on your account.`} <a href="/myaccount/segments">Segments</a>
				</Banner>
			</>
		)
	}
	const errors = result?.error ?? {}
	const field = (name: 'from' | 'to' | 'segment') => ({ id: name, name, defaultValue: filters[name], errors: errors[name] ?? undefined })
	return (
		<>
			<PageTitle title={title} note={[about, period].filter(Boolean).join(' · ')} />
			<ErrorSummary form={{ errors: errors[''] ?? undefined }} fields={[field('from'), field('to')]} />
			{table && <TableSums strip={table.strip} note={table.note} latest={table.latest} />}
			<ReportToolbar
				action={pathname}
				hasFields={fields.length > 0}
				table={table}
				isOpen={Boolean(result)}
				search={offerSearch(filters.q, table)}
				presets={presets}
				turned={turned}
				files={files.map((file) => (
					<DownloadLink key={file.label} {...file} />
				))}
			>
				<input type="hidden" name="year" value={year} />
				{fields.includes('dates') && (
					<>
						<DateField field={field('from')} label="From" />
						<DateField field={field('to')} label="To" />
					</>
				)}
				{fields.includes('segment') && (
					<SelectField field={field('segment')} label="Segment" options={[{ value: '', label: 'All' }, ...segments]} />
				)}
			</ReportToolbar>
			{failure && (
				<FailedReport what={title} failure={failure}>
					<OtherReports choice={presets ? 'period' : 'year'} />
				</FailedReport>
			)}
			{table && <ReportTable {...table} strip={undefined} note={undefined} hasToolbar empty={empty} />}
			<Allocations />
		</>
	)
}

function Allocations() {
	const { allocations } = useLoaderData<typeof loader>()
	return (
		<div className="mt-4">
			<Halves isEqual>
				{allocations.map(
					({ by, bars }) =>
						bars && (
							<Section key={by} title={`Allocation by ${by}`}>
								<AllocationChart by={by} {...bars} />
							</Section>
						),
				)}
			</Halves>
		</div>
	)
}

export function ErrorBoundary() {
	const { report = '' } = useParams()
	return (
		<PageProblem title={findReportTitle(report)}>
			<OtherReports choice={report === 'contractnbill' ? 'period' : 'year'} />
		</PageProblem>
	)
}
