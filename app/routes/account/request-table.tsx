import { type ComponentProps } from 'react'
import { DownloadLink } from '~/components/download-link'
import { SubmitButton } from '~/components/form'
import { ListTable } from '~/components/list-table'
import { PostForm } from '~/components/post-form'
import { Pages, type ReportTable } from '~/components/report-table'

export type RequestRow = {
	reference: string
	title: string
	/** Masked, as the broker writes it. */
	was: string
	becomes: string
	asked: string
	authorised: string
	status: string
	when: string | null
	sign?: string
	withdrawAt?: string
	canWithdraw: boolean
	file?: string
}

type Props = {
	/** Heads of all columns but the last, and the pages. */
	table: Pick<ComponentProps<typeof ReportTable>, 'columns' | 'paging'>
	rows: readonly RequestRow[]
	empty: { text: string; action?: { href: string; label: string } }
	/** What could not be read. */
	unread?: string
	/** Idempotency key of a withdrawal. */
	idempotencyKey: string
}

/** The columns of a phone, beside what to do next. */
const SHOWN_FIRST = ['request', 'status']

export function RequestTable({ table: { columns, paging }, rows, empty, unread, idempotencyKey }: Props) {
	const [first = 'Request', ...others] = columns.map((column) => ({
		...column,
		from: SHOWN_FIRST.includes(column.key) ? undefined : ('tablet' as const),
	}))
	return (
		<>
			<ListTable caption="Requests" columns={[first, 'What next', ...others]} unread={unread} empty={empty}>
				{rows.map((row) => (
					<tr key={row.reference}>
						<th scope="row" className="held">
							{row.title}
							<span className="text-xs text-muted block">{row.reference}</span>
						</th>
						<td>
							<Next {...row} idempotencyKey={idempotencyKey} />
						</td>
						<td className="from-tablet">{row.asked}</td>
						<td className="from-tablet long">{row.was}</td>
						<td className="from-tablet long">{row.becomes}</td>
						<td className="from-tablet">{row.authorised}</td>
						<td>
							{row.status}
							{row.when && <span className="text-xs text-muted block">{row.when}</span>}
						</td>
					</tr>
				))}
			</ListTable>
			{paging && paging.pages > 1 && <Pages {...paging} caption="Requests" />}
		</>
	)
}

function Next({ title, reference, sign, withdrawAt, canWithdraw, file, idempotencyKey }: RequestRow & Pick<Props, 'idempotencyKey'>) {
	const which = (
		<span className="sr-only">
			: {title} {reference}
		</span>
	)
	if (file) return <DownloadLink href={file} label="Form (PDF)" type={reference} flag="PDF" look="cell" />
	if (!sign) return '—'
	return (
		<span className="inline-flex flex-wrap items-center gap-x-4">
			<a href={sign}>Sign{which}</a>
			{withdrawAt && <a href={withdrawAt}>Withdraw{which}</a>}
			{canWithdraw && (
				<PostForm idempotencyKey={idempotencyKey}>
					<input type="hidden" name="reference" value={reference} />
					<SubmitButton kind="link">Withdraw{which}</SubmitButton>
				</PostForm>
			)}
		</span>
	)
}
