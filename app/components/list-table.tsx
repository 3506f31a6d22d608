import { type ComponentProps, Fragment, type ReactNode } from 'react'
import { type Paging } from '~/lib/paging'
import { type Cell, type TableColumn } from '~/lib/table'
import { type Columned } from './columns-link'
import { Facts } from './facts'
import { FittedColumns } from './fitted-columns'
import { Pages } from './report-pages'
import { Head } from './report-heads'
import { type ReportTableProps } from './report-table'
import { INDENT, Status } from './status'
import { TableFrame } from './table-frame'
import { Unbroken } from './unbroken'

type Column = Pick<TableColumn, 'label' | 'unit' | 'href' | 'sort' | 'from'> & Partial<Pick<TableColumn, 'align' | 'key'>>

type Props = Pick<ComponentProps<typeof TableFrame>, 'caption' | 'empty' | 'unread'> & {
	/** The first column that a phone shows names the row. */
	columns: readonly (string | Column)[]
	/**
	 * Classes of the table: `many` when it has many columns, `fits` when its columns fit a phone. Cells of a column with a key have the
	 * class `of-` and that key.
	 */
	look?: string
	rows: readonly { id: string; cells: readonly ReactNode[] }[]
	/** `switchColumns`: the toolbar above links to the other columns. `hasToolbar`: the toolbar has the checkbox for them. */
	switchColumns?: Columned['switchColumns']
	hasToolbar?: boolean
	/** The cells of a phone also have what its hidden columns say, so it offers no other columns. */
	isWholeOnPhone?: boolean
	/** On a phone each row is a card: its cells stand below each other. */
	isCards?: boolean
	/** The key of the column that names the row and keeps its place, if it is not the first one. */
	held?: string
}

/** Only screen readers need the heads of cards, and a key that reaches the links in them. */
const CARDS = {
	table:
		'@max-2xl:block @max-2xl:text-[0.9375rem]/6 @max-2xl:[&>tbody]:block @max-2xl:[&>thead:not(:focus-within)]:sr-only @max-2xl:[&>thead]:m-0!',
	row: '@max-2xl:grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-2 border-line @max-2xl:border-b @max-2xl:px-(--edge) @max-2xl:py-3 last:border-b-0',
	cell: '@max-2xl:static! @max-2xl:col-span-full @max-2xl:max-w-none! @max-2xl:border-0 @max-2xl:p-0! @max-2xl:shadow-none!',
}

/** A list with states, forms or buttons in its cells. Reports use `ReportTable`. */
export function ListTable({ columns, look = '', rows, switchColumns, hasToolbar, isWholeOnPhone, isCards, held, ...frame }: Props) {
	const heads = columns.map((column) => (typeof column === 'string' ? { label: column } : column)) as readonly Column[]
	const heldAt = Math.max(
		0,
		heads.findIndex(({ key, from }) => (held ? key === held : !from)),
	)
	const looks = heads.map(({ key, align, from }, at) =>
		[
			at === heldAt ? 'held long max-sm:min-w-24' : align === 'right' ? 'figure' : 'whitespace-normal wrap-break-word',
			key && `of-${key}`,
			from && `from-${from}`,
			look.includes('fits') && findRoom(heads, at),
			look.includes('many') && isAfterText(heads, at) && '@min-[56rem]:pl-5',
			isCards && CARDS.cell,
		]
			.filter(Boolean)
			.join(' '),
	)
	const role = (name: string) => (isCards ? name : undefined)
	const table = (
		<TableFrame
			{...frame}
			hasRoles={isCards}
			look={`report ${look} ${isCards ? CARDS.table : ''}`}
			heads={heads.map(({ label, unit, href, sort, align }, at) => (
				<th key={label} scope="col" role={role('columnheader')} className={looks[at]} aria-sort={sort} align={align}>
					{href ? (
						<a href={href} data-keep-scroll>
							<Head label={label} unit={unit} />
						</a>
					) : (
						<Head label={label} unit={unit} />
					)}
				</th>
			))}
			rows={rows.map(({ id, cells }) => (
				<tr key={id} role={role('row')} className={isCards ? CARDS.row : undefined}>
					{cells.map((cell, at) =>
						at === heldAt ? (
							<th key={at} scope="row" role={role('rowheader')} className={looks[at]} align="left">
								{cell}
							</th>
						) : (
							<td key={at} role={role('cell')} className={looks[at]} align={heads[at]?.align}>
								{cell}
							</td>
						),
					)}
				</tr>
			))}
		/>
	)
	const isFitted = heads.some(({ from }) => from)
	if (switchColumns) return <div className="@container mb-4">{table}</div>
	return isFitted ? (
		<FittedColumns last={rows.length > 0 && !hasToolbar && !isWholeOnPhone ? 'tablet' : undefined}>{table}</FittedColumns>
	) : (
		table
	)
}

/** Two texts side by side must not read as one. */
const isAfterText = (heads: readonly Column[], at: number) => at > 0 && heads[at]?.align !== 'right' && heads[at - 1]?.align !== 'right'

/** Returns the class for the space before a column on a phone: more after a figure, which ends where the next column begins. */
function findRoom(heads: readonly Column[], at: number): string {
	const before = heads.slice(0, at).findLast(({ from }) => !from)
	if (!before || heads[at]?.from) return ''
	return before.align === 'right' ? '@max-2xl:pl-3' : '@max-2xl:pl-2'
}

/** A report that is drawn as a list. */
export type Listed = Pick<ReportTableProps, 'caption' | 'columns' | 'unread' | 'switchColumns'> & {
	paging: Paging
	rows: readonly { id: string; cells: readonly Cell[] }[]
}

type ReportListProps = {
	table: Listed
	/** Further classes of the table. */
	look?: string
	empty: ComponentProps<typeof TableFrame>['empty']
	/** On a phone each row is a card. */
	isCards?: boolean
	/** The key of the column that names the row and keeps its place, also where others stand before it. */
	held?: string
}

/** The rows of a report without their running number, and links to its pages when there are several. */
export function ReportList({ table, look = '', empty, isCards, held }: ReportListProps) {
	const { columns, rows, paging, ...frame } = table
	// All columns were asked for: none is hidden, so no cell says what another has, and the table does not fit a phone.
	const hasAll = frame.switchColumns !== undefined && !columns.some(({ from }) => from)
	return (
		<>
			<ListTable
				{...frame}
				columns={columns.slice(1)}
				rows={rows.map(({ id, cells }) => ({
					id,
					cells: cells.slice(1).map((cell, at) => <Drawn key={at} cell={hasAll ? withoutPhone(cell) : cell} />),
				}))}
				look={`many ${hasAll ? '' : 'fits'} @min-[56rem]:text-[0.875rem] ${look}`}
				held={held}
				empty={empty}
				// Cards have no labels, so they show only what a phone can name.
				isCards={isCards && columns.some(({ from }) => from)}
			/>
			{paging.pages > 1 && <Pages {...paging} caption={table.caption} />}
		</>
	)
}

/** Returns the cell without what a phone shows in place of hidden columns. */
const withoutPhone = (cell: Cell): Cell =>
	typeof cell === 'string' ? cell : { ...cell, phoneLead: undefined, phoneNote: undefined, phoneStatus: undefined }

function Drawn({ cell }: { cell: Cell }) {
	if (typeof cell === 'string') return <Facts text={cell} />
	const { text, href, note, noteStatus, phoneLead, isLeadBold, phoneNote, phoneStatus, status, isButton, which } = cell
	const onPhone = phoneNote && (
		<span
			className={`block whitespace-pre-line @2xl:hidden ${phoneStatus ? 'mt-0.5' : 'text-muted'} ${status && !phoneStatus ? INDENT : ''}`}
		>
			{phoneStatus ? (
				<Status kind={phoneStatus} words={phoneNote} />
			) : (
				phoneNote.split('\n').map((line) => (
					<Fragment key={line}>
						<span className="block">
							<Facts text={line} />
						</span>{' '}
					</Fragment>
				))
			)}
		</span>
	)
	if (status)
		return (
			<span className={phoneLead && '@max-2xl:flex @max-2xl:flex-col'}>
				<Status kind={status} words={text} note={note} /> {phoneLead && <b className="-order-1 text-base @2xl:hidden">{phoneLead}</b>}
				{onPhone && ' '}
				{onPhone}
			</span>
		)
	return (
		<>
			{href ? (
				<a href={href} className={isButton ? 'btn min-w-21 px-3 align-baseline whitespace-nowrap' : undefined}>
					{text}
					{which && <span className="sr-only">: {which}</span>}
				</a>
			) : (
				text
			)}
			{phoneLead && ' '}
			{phoneLead && (
				<span className={`block whitespace-pre-line @2xl:hidden ${isLeadBold ? 'font-semibold' : ''}`}>
					<Unbroken text={phoneLead} />
				</span>
			)}
			{onPhone && ' '}
			{onPhone}
			{note && ' '}
			{note && (
				<span className={`block text-xs ${noteStatus ? 'mt-0.5' : 'text-muted'}`}>
					{noteStatus ? <Status kind={noteStatus} words={note} /> : <Unbroken text={note} />}
				</span>
			)}
		</>
	)
}
