import { type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { formatDashedDay, formatDay } from '#contract/values/dates'
import { formatYear, findLastDay } from '#contract/values/financial-year'
import { SEGMENTS } from '#contract/values/segments'
import { today } from '~/broker/clock.server'
import { areSegmentsKnown, listClientSegments } from '~/broker/profile.server'
import { getPnlSegmentReport } from '~/broker/reports.server'
import { Banner } from '~/components/banner'
import { DownloadLink } from '~/components/download-link'
import { Halves } from '~/components/halves'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { QuickLinks } from '~/components/quick-links'
import { Section } from '~/components/section'
import { loadSidePart } from '~/http/partial-data.server'
import { isDownload, ownPath } from '~/lib/own-path'
import { offersApprovedLists, offersCharges, offersDividends, offersSchedule } from '~/reports/offered-files.server'
import { findLaterOpening } from '~/reports/next-step.server'
import { readQuickLinks } from '~/reports/quick-links.server'
import { readYear } from '~/session/preferences.server'
import { requireBroker } from '~/session/session.server'
import { FileTable, type FileRow } from './file-table'

export const handle = { title: 'Downloads', areScriptsLate: true }

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const year = readYear(request)
	const [quick, held, areHeldKnown, profit, opened, hasSchedule, hasDividends, hasCharges, hasLists] = await Promise.all([
		readQuickLinks(broker),
		listClientSegments(broker),
		areSegmentsKnown(broker),
		loadSidePart(broker, getPnlSegmentReport(broker, year)),
		findLaterOpening(broker, year),
		offersSchedule(broker, year),
		offersDividends(broker, year),
		offersCharges(broker, year),
		offersApprovedLists(broker),
	])
	const last = findLastDay(year, today())
	const stated = profit.data?.data.map(({ SEGMENT }) => SEGMENT) ?? []
	const asked = ownPath(new URL(request.url).searchParams.get('file'), '')
	return {
		/** The file that led to the login page. */
		asked: isDownload(asked) ? asked : undefined,
		year: formatYear(year),
		until: formatDay(last),
		opened: opened && formatDay(opened),
		isCurrent: last === today(),
		// The broker has this file for today only.
		holding: {
			PDF: { href: '/downloads/holding/pdf', type: 'HOLDING', flag: formatDashedDay(today()) },
			Excel: { href: '/downloads/holding/xlsx', type: 'HOLDING', flag: formatDashedDay(today()) },
		},
		// As on the page Profit & Loss: those with figures, or all when the broker states none.
		segments: held.filter((code) => stated.length === 0 || stated.includes(code)).map((code) => ({ code, name: SEGMENTS[code] })),
		areAllOffered: !areHeldKnown && stated.length === 0,
		// The page of a year without profit and loss offers none.
		hasBundle: profit.data?.data.length !== 0,
		quick,
		hasSchedule,
		hasDividends,
		hasCharges,
		hasLists,
	}
}

const APPROVED = ['Margin', 'MTF', 'Collateral']

type Page = ReturnType<typeof useLoaderData<typeof loader>>

/** Returns one row for each statement of the year: its name and its files. */
function listStatements(page: Page): FileRow[] {
	const { year, until, isCurrent, holding, segments } = page
	const file = (path: string, type: string, flag = year) => ({
		href: `/downloads/${path}${path.includes('?') ? '&' : '?'}year=${year}`,
		type,
		flag,
	})
	const csv = (path: string, type: string) => file(path, type, 'CSV')
	const open = (path: string) => `/reports/${path}?year=${year}`
	return [
		{
			name: 'Ledger',
			href: open('ledger'),
			files: { PDF: file('ledger/pdf', 'LEDGER'), Excel: file('ledger/xlsx', 'LEDGER'), CSV: csv('ledger/csv', 'LEDGER') },
		},
		{ name: `Holding on ${until}`, href: open('holding'), files: { ...(isCurrent && holding), CSV: csv('holding/csv', 'HOLDING') } },
		{ name: `Position on ${until}`, href: open('position'), files: { CSV: csv('position/csv', 'POSITION') } },
		{ name: 'Profit & Loss', href: open('profitnloss'), files: { CSV: csv('pnl/csv', 'P&L') } },
		...segments.map(({ code, name }) => ({
			name,
			part: 'Profit & Loss',
			files: {
				PDF: file(`pnl/pdf?segment=${code}`, `P&L ${name.toUpperCase()}`),
				Excel: file(`pnl/xls?segment=${code}`, `P&L ${name.toUpperCase()}`),
			},
		})),
		...(page.hasBundle
			? [
					{
						name: 'Summary bundle (all segments)',
						part: 'Profit & Loss',
						files: { ZIP: { page: `${open('profitnloss')}#summary-bundle`, about: 'choose what is in it' } },
					},
				]
			: []),
		...(page.hasCharges ? [{ name: 'Charges', part: 'Profit & Loss', files: { CSV: csv('pnl/charges', 'P&L CHARGES') } }] : []),
		{
			name: 'Global Summary',
			href: open('global-summary'),
			files: { PDF: file('global-summary/pdf', 'GLOBAL SUMMARY'), CSV: csv('global-summary/csv', 'GLOBAL SUMMARY') },
		},
		{
			name: 'Global Details',
			href: open('global-details'),
			files: { Excel: file('global-details/xlsx', 'GLOBAL DETAILS'), CSV: csv('global-details/csv', 'GLOBAL DETAILS') },
		},
		{
			name: 'Income Tax',
			href: open('income-tax'),
			files: { Excel: file('income-tax/xlsx', 'INCOME TAX'), CSV: csv('income-tax/csv', 'INCOME TAX') },
		},
		...(page.hasDividends ? [{ name: 'Dividends', part: 'Income Tax', files: { CSV: csv('income-tax/dividends', 'DIVIDENDS') } }] : []),
		...(page.hasSchedule
			? [{ name: 'Schedule 112A', part: 'Income Tax', files: { CSV: csv('income-tax/schedule-112a', 'SCHEDULE 112A') } }]
			: []),
		{
			name: 'Contract/Bill',
			href: open('contractnbill'),
			files: { CSV: csv('contractnbill/csv', 'CONTRACT/BILL'), ZIP: file('year-pack', 'YEAR PACK') },
		},
	]
}

function listAccountFiles({ isCurrent, holding, hasLists }: Page): FileRow[] {
	return [
		{
			name: 'Client master',
			files: {
				PDF: { href: '/downloads/client-master/pdf', type: 'CLIENT MASTER', flag: 'PDF', done: 'Client master is downloaded successfully' },
			},
		},
		{ name: 'Client details', files: { PDF: { href: '/downloads/client-details/pdf', type: 'CLIENT DETAILS', flag: 'PDF' } } },
		...(isCurrent ? [] : [{ name: 'Holding today', files: holding }]),
		...(hasLists ? APPROVED : []).map((list) => ({
			name: `Approved list: ${list}`,
			files: {
				Excel: {
					href: `/downloads/approved-list/${list}`,
					type: `APPROVED ${list.toUpperCase()}`,
					flag: 'LIST',
					done: `${list.toUpperCase()} list is downloaded successfully`,
				},
			},
		})),
	]
}

export default function Downloads() {
	const page = useLoaderData<typeof loader>()
	const { asked, year, opened, areAllOffered, quick } = page
	const query = `?year=${year}`
	return (
		<>
			<PageTitle title="Downloads" note={year}>
				<p className="text-muted text-xs max-sm:order-last">One ZIP of every statement and contract note. It may take a minute or two.</p>
				<DownloadLink href={`/downloads/year-pack${query}`} label="Year pack" type="YEAR PACK" flag={year} look="main" />
			</PageTitle>
			{asked && (
				<Banner kind="info">
					You are logged in, so the file that you asked for can be downloaded now. <a href={asked}>Download it</a>
				</Banner>
			)}
			<Halves>
				<Section title={`Statements of ${year}`}>
					{opened && <p className="text-muted -mt-2 mb-3 text-xs">Your account was opened on {opened}, so these are empty.</p>}
					{areAllOffered && <p className="text-muted -mt-2 mb-3 text-xs">All segments are offered, because yours could not be loaded.</p>}
					<FileTable caption={`Statements of ${year}`} head="Statement" rows={listStatements(page)} />
				</Section>
				<div className="min-w-0">
					<Section title="Your account">
						<FileTable caption="Your account" head="File" rows={listAccountFiles(page)} />
					</Section>
					<QuickLinks {...quick} isSmall />
				</div>
			</Halves>
		</>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="Downloads" />
}
