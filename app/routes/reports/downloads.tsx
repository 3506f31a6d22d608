import { type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { formatDashedDay, formatDay } from '#contract/values/dates'
import { formatYear, findLastDay } from '#contract/values/financial-year'
import { SEGMENTS } from '#contract/values/segments'
import { today } from '~/broker/clock.server'
import { listClientSegments } from '~/broker/profile.server'
import { DownloadLink } from '~/components/download-link'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { QuickLinks } from '~/components/quick-links'
import { type Cell, ReportTable } from '~/components/report-table'
import { Section } from '~/components/section'
import { offersApprovedLists, offersSchedule } from '~/reports/offered-files.server'
import { readQuickLinks } from '~/reports/quick-links.server'
import { readYear } from '~/session/preferences.server'
import { requireBroker, readRequestId } from '~/session/session.server'

export const handle = { title: 'Downloads', areScriptsLate: true }

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const year = readYear(request)
	const [quick, held, hasSchedule, hasLists] = await Promise.all([
		readQuickLinks(broker, readRequestId(request)),
		listClientSegments(broker),
		offersSchedule(broker, year),
		offersApprovedLists(broker),
	])
	const last = findLastDay(year, today())
	return {
		year: formatYear(year),
		until: formatDay(last),
		today: formatDashedDay(today()),
		segments: held.map((code) => ({ code, name: SEGMENTS[code] })),
		quick,
		hasSchedule,
		hasLists,
	}
}

const APPROVED = ['Margin', 'MTF', 'Collateral']

type Page = ReturnType<typeof useLoaderData<typeof loader>>

/** A row for each statement of the year: its name and its files. */
function listStatements({ year, until, segments, hasSchedule }: Page): Cell[][] {
	const query = `?year=${year}`
	const ofYear = (text: string, path: string, type: string): Cell => ({
		text,
		href: `/downloads/${path}${path.includes('?') ? `&year=${year}` : query}`,
		download: { type, flag: text === 'CSV' ? 'CSV' : year },
	})
	const page = (text: string, path: string): Cell => ({ text, href: `/reports/${path}${query}` })
	return [
		[
			page('Ledger', 'ledger'),
			ofYear('PDF', 'ledger/pdf', 'LEDGER'),
			ofYear('Excel', 'ledger/xlsx', 'LEDGER'),
			ofYear('CSV', 'ledger/csv', 'LEDGER'),
		],
		[page(`Holding on ${until}`, 'holding'), '', '', ofYear('CSV', 'holding/csv', 'HOLDING')],
		[page(`Position on ${until}`, 'position'), '', '', ofYear('CSV', 'position/csv', 'POSITION')],
		[page('Profit & Loss', 'profitnloss'), '', '', ofYear('CSV', 'pnl/csv', 'P&L')],
		...segments.map(({ code, name }) => [
			`Profit & Loss: ${name}`,
			ofYear('PDF', `pnl/pdf?segment=${code}`, `P&L ${name.toUpperCase()}`),
			ofYear('Excel', `pnl/xls?segment=${code}`, `P&L ${name.toUpperCase()}`),
			'',
		]),
		[
			page('Global Summary', 'global-summary'),
			ofYear('PDF', 'global-summary/pdf', 'GLOBAL SUMMARY'),
			'',
			ofYear('CSV', 'global-summary/csv', 'GLOBAL SUMMARY'),
		],
		[
			page('Global Details', 'global-details'),
			'',
			ofYear('Excel', 'global-details/xlsx', 'GLOBAL DETAILS'),
			ofYear('CSV', 'global-details/csv', 'GLOBAL DETAILS'),
		],
		[page('Income Tax', 'income-tax'), '', ofYear('Excel', 'income-tax/xlsx', 'INCOME TAX'), ofYear('CSV', 'income-tax/csv', 'INCOME TAX')],
		...(hasSchedule ? [['Schedule 112A', '', '', ofYear('CSV', 'income-tax/schedule-112a', 'SCHEDULE 112A')]] : []),
		[page('Contract/Bill', 'contractnbill'), '', '', ofYear('CSV', 'contractnbill/csv', 'CONTRACT/BILL')],
	]
}

function listAccountFiles({ today, hasLists }: Page): Cell[][] {
	return [
		[
			'Client master',
			{
				text: 'PDF',
				href: '/downloads/client-master/pdf',
				download: { type: 'CLIENT MASTER', flag: 'PDF', done: 'Client master is downloaded successfully' },
			},
			'',
		],
		['Client details', { text: 'PDF', href: '/downloads/client-details/pdf', download: { type: 'CLIENT DETAILS', flag: 'PDF' } }, ''],
		[
			'Holding today',
			{ text: 'PDF', href: '/downloads/holding/pdf', download: { type: 'HOLDING', flag: today } },
			{ text: 'Excel', href: '/downloads/holding/xlsx', download: { type: 'HOLDING', flag: today } },
		],
		...(hasLists ? APPROVED : []).map((list): Cell[] => [
			`Approved list: ${list}`,
			'',
			{
				text: 'Excel',
				href: `/downloads/approved-list/${list}`,
				download: { type: `APPROVED ${list.toUpperCase()}`, flag: 'LIST', done: `${list.toUpperCase()} list is downloaded successfully` },
			},
		]),
	]
}

export default function Downloads() {
	const page = useLoaderData<typeof loader>()
	const { year, quick } = page
	const query = `?year=${year}`
	return (
		<>
			<PageTitle title="Downloads" note={year}>
				<DownloadLink href={`/downloads/year-pack${query}`} label="Year pack" type="YEAR PACK" flag={year} look="button" />
			</PageTitle>
			<p className="prose">
				The year pack is one ZIP of every statement of {year} and every contract note of it, with a list of what is inside and a fingerprint
				(SHA-256) of each file. It is made during the download, which may take a minute or two; you can continue working.
			</p>
			<Section title={`Statements of ${year}`}>
				<ReportTable
					caption={`Statements of ${year}`}
					columns={createColumns('Statement', 'PDF', 'Excel', 'CSV')}
					rows={createRows(listStatements(page))}
					empty={{ text: '' }}
				/>
			</Section>
			<Section title="Your account">
				<ReportTable
					caption="Your account"
					columns={createColumns('File', 'PDF', 'Excel')}
					rows={createRows(listAccountFiles(page))}
					empty={{ text: '' }}
				/>
			</Section>
			<QuickLinks title="Quick links" {...quick} />
		</>
	)
}

function createColumns(...labels: string[]) {
	return labels.map((label) => ({ key: label, label, align: 'left' as const }))
}

function createRows(cells: readonly Cell[][]) {
	return cells.map((row, index) => ({ id: String(index), cells: row }))
}

export function ErrorBoundary() {
	return <PageProblem title="Downloads" />
}
