import { type ComponentProps, Fragment } from 'react'
import { DownloadLink } from '~/components/download-link'
import { UNLESS_ALL } from '~/components/fitted-columns'
import { ListTable } from '~/components/list-table'
import { Pages } from '~/components/report-pages'
import { type ReportTable } from '~/components/report-table'
import { INDENT, Status } from '~/components/status'
import { Unbroken } from '~/components/unbroken'
import { type StatusKind } from '~/lib/status-kind'
import { type ColumnWidth } from '~/lib/table'
import { DASH } from '~/lib/unknown'

export type RequestRow = {
	reference: string
	title: string
	/** As the broker writes it, masked. */
	was: string
	becomes: string
	asked: string
	authorised: string
	status: string
	mark?: StatusKind
	when: string | null
	sign?: string
	withdrawAt?: string
	/** The page where a request that was not signed in time can be made again. */
	again?: string
	file?: string
}

type Props = {
	/** The heads of the columns, and the pages. */
	table: Pick<ComponentProps<typeof ReportTable>, 'columns' | 'paging'>
	rows: readonly RequestRow[]
	empty: { text: string; action?: { href: string; label: string } }
	/** The note of what could not be read. */
	unread?: string
}

/** A phone shows a card: the request with its date, then its status with the next step. */
const FROM: Readonly<Record<string, ColumnWidth>> = { asked: 'tablet', new: 'tablet', before: 'laptop', authorised: 'laptop' }

export function RequestTable({ table: { columns, paging }, rows, empty, unread }: Props) {
	return (
		<>
			<ListTable
				caption="Requests"
				columns={columns.map((column) => ({ ...column, from: FROM[column.key] }))}
				look="many fits xl:[&_.long]:min-w-48 [&_th.of-authorised]:whitespace-nowrap"
				isCards
				hasToolbar
				unread={unread}
				empty={empty}
				rows={rows.map((row) => ({
					id: row.reference,
					cells: [
						<>
							<span className="@max-2xl:font-semibold">
								<Unbroken text={row.title} />
							</span>
							{row.becomes !== DASH && (
								<span className={`${ON_PHONE} block text-xs wrap-anywhere`}>
									New: {row.becomes.split(/(?=@)/)[0]}
									<wbr />
									{row.becomes.split(/(?=@)/).slice(1)}
								</span>
							)}
							<span className="text-xs text-muted block whitespace-nowrap">
								{row.reference}
								<span className={ON_PHONE}> · {row.asked}</span>
							</span>
						</>,
						<Fragment key="status">
							<Status kind={row.mark} words={row.status} note={row.when} isBeside /> <Next {...row} />
						</Fragment>,
						<span key="asked" className="xl:whitespace-nowrap">
							<Unbroken text={row.asked} />
						</span>,
						row.was,
						row.becomes,
						<Unbroken key="authorised" text={row.authorised} />,
					],
				}))}
			/>
			{paging && paging.pages > 1 && <Pages {...paging} caption="Requests" />}
		</>
	)
}

/** Shown only when the column with the same value is hidden. */
const ON_PHONE = `@2xl:hidden ${UNLESS_ALL}`

/** High enough for a finger. */
const STACKED = 'inline-flex min-h-10 items-center pointer-fine:min-h-8'

function Next({ title, reference, sign, withdrawAt, again, file }: RequestRow) {
	const which = (
		<span className="sr-only">
			: {title} {reference}
		</span>
	)
	const away = withdrawAt && (
		<a href={withdrawAt} className={STACKED}>
			Withdraw the request{which}
		</a>
	)
	if (file)
		return (
			<span className={`flex flex-wrap items-center gap-x-4 ${INDENT}`}>
				<DownloadLink href={file} label="Form (PDF)" type={reference} flag="PDF" look="cell" />
				{away}
			</span>
		)
	if (again)
		return (
			<span className={`block ${INDENT}`}>
				<a href={again} className="btn mt-1.5 px-4 whitespace-nowrap">
					Ask again{which}
				</a>
			</span>
		)
	if (!sign) return null
	return (
		<span className={`mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1 @2xl:whitespace-nowrap ${INDENT}`}>
			<a href={sign} className="btn btn-primary px-4">
				Sign{which}
			</a>
			{away}
		</span>
	)
}
