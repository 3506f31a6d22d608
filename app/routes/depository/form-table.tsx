import { type ReactNode } from 'react'
import { AllColumns, FittedColumns } from '~/components/fitted-columns'
import { describeField, FieldError, type FieldState } from '~/components/form'
import { Head } from '~/components/report-heads'
import { APPLY, Fold, SearchField, Toolbar } from '~/components/report-toolbar'
import { TableFrame } from '~/components/table-frame'
import { type ColumnWidth } from '~/lib/table'
import { formatUnits } from '~/lib/units'

type FormHead = {
	label: string
	/** Unit, shown in the head where the cells hold only figures. */
	unit?: string
	align?: 'right'
	isHidden?: boolean
	/** Its cells are fields, so the label ends where their text ends. */
	isField?: boolean
	/** Stands in place of the label. */
	link?: ReactNode
	sort?: 'ascending' | 'descending'
	/** The value that the form sends when the head is pressed. A link would lose what was typed. */
	by?: string
	/** `All columns` shows it everywhere. */
	from?: ColumnWidth
}

type Props = {
	caption: string
	columns: readonly FormHead[]
	/** The cell at `nameAt` names the row. */
	nameAt: number
	rows: readonly { id: string; cells: readonly ReactNode[] }[]
	foot?: readonly ReactNode[]
	empty: { text: string; action?: { href: string; label: string } }
	/** Shown above the table: what could not be read. */
	unread?: string
	/** Shown above the table: what is wrong with the rows together. Its id is that of the field to correct first. */
	wrong?: FieldState
}

/** A table with fields in its rows. It is part of a form, so all rows are on one page. It numbers its rows. */
export function FormTable({ caption, columns, nameAt, rows, foot, empty, unread, wrong }: Props) {
	const looks = columns.map(
		({ align, from }, index) =>
			[align === 'right' ? 'figure' : index === nameAt ? 'held long' : '', from ? `from-${from}` : ''].filter(Boolean).join(' ') ||
			undefined,
	)
	const drawn = (number: string, cells: readonly ReactNode[]) => (
		<>
			<td className="figure n from-tablet">{number}</td>
			{cells.map((cell, index) =>
				index === nameAt ? (
					<th key={index} scope="row" className={looks[index]} align="left">
						{cell}
					</th>
				) : (
					<td key={index} className={looks[index]} align={columns[index]?.align}>
						{cell}
					</td>
				),
			)}
		</>
	)
	const heads = columns.map(({ label, unit, align, isHidden, isField, link, sort, by }, index) => (
		<th key={label} scope="col" className={looks[index]} aria-sort={sort} align={align ?? 'left'}>
			{link ??
				(by ? (
					<button type="submit" name="sort" value={by} className="sort" data-view>
						<Head label={label} unit={unit} />
					</button>
				) : isHidden ? (
					<span className="sr-only">{label}</span>
				) : (
					<span className={isField ? 'pr-3.25 max-sm:pr-2' : undefined}>
						<Head label={label} unit={unit} />
					</span>
				))}
		</th>
	))
	const count = (
		<th key="#" scope="col" className="figure n from-tablet" align="right">
			#
		</th>
	)
	return (
		<FittedColumns>
			{wrong?.errors && (
				<div className="mb-2">
					<FieldError {...wrong} />
				</div>
			)}
			<TableFrame
				caption={caption}
				look="report filled-in"
				heads={[count, ...heads]}
				rows={rows.map(({ id, cells }, index) => (
					<tr key={id}>{drawn(String(index + 1), cells)}</tr>
				))}
				foot={foot && drawn('', foot)}
				empty={empty}
				unread={unread}
			/>
		</FittedColumns>
	)
}

type BarProps = {
	search: string
	sorted?: string
	/** How many rows are shown. */
	count: number
	/** The widest class of a column. */
	last?: ColumnWidth
	files: ReactNode
	children?: ReactNode
}

/**
 * The search and sort of such a table, as part of its form: the search is sent with what was typed. `sorted` is the current order. It
 * must stand first in its form, so that the Enter key in any field only searches. `children` are fields that the search does not change,
 * so they have a row of their own. The search folds on a phone, because the first screen must have rows.
 */
export function FormTableBar({ search, sorted, count, last = 'laptop', files, children }: BarProps) {
	return (
		<Toolbar
			files={
				<>
					{count > 0 && <AllColumns last={last} />}
					{files}
				</>
			}
		>
			{children && <div className="flex basis-full flex-wrap gap-x-8 gap-y-1">{children}</div>}
			<div className="flex flex-wrap items-start gap-3 md:mr-auto">
				{sorted && <input type="hidden" name="sorted" value={sorted} />}
				<Fold isOpen={search !== ''}>
					<SearchField search={search} total={count} />
					<button type="submit" name="intent" value="show" className={APPLY} data-view>
						Apply
					</button>
				</Fold>
			</div>
		</Toolbar>
	)
}

/** Adds a width to the last heads that have none: a tablet shows the first `count` of them, a laptop all. */
export function addTiers<Head extends FormHead>(heads: readonly Head[], count: number) {
	const onTablet = heads.filter(({ from }) => !from).slice(0, count)
	return heads.map((head) => ({ ...head, from: head.from ?? (onTablet.includes(head) ? ('tablet' as const) : ('laptop' as const)) }))
}

/** The first quantity or tick raises the bar with the button to the edge of the screen: scrolls a field that it would cover above it. */
export function keepInSight(field: EventTarget): void {
	if (field instanceof HTMLInputElement && field.closest('.filled-in')) field.scrollIntoView({ block: 'nearest' })
}

/** Shown in the bar with the button while a quantity is wrong. */
export const CORRECT = 'Correct the marked quantities'

export const tellMost = (most: number) => `At most ${formatUnits(most)}`

/** Returns the field with this error, if there is one. */
export const mark = (field: FieldState, error: string | undefined): FieldState =>
	error === undefined ? field : { ...field, errors: [error] }

type QuantityProps = {
	field: FieldState
	of: string
	max: number
	/** A typed quantity selects its row, because the form has no checkbox. */
	isCounted?: boolean
	/** What is wrong with the rows together. It describes the field with its id. */
	wrong?: FieldState
}

/** The quantity field of one row, with its error below; a dash when the row has no units. */
export function QuantityCell({ field, of, max, isCounted = false, wrong }: QuantityProps) {
	const { id, name, errors, defaultValue } = field
	const isWrong = Boolean(errors?.length)
	const described = describeField(wrong?.id === id && !isWrong ? wrong : field)
	// It ends where the text of the fields ends.
	if (max === 0) return <span className="pr-3.25 max-sm:pr-2">—</span>
	return (
		<>
			{/* The label is an attribute, because a text browser would show a hidden label in every row. */}
			<input
				{...described}
				name={name}
				aria-label={`Quantity: ${of}`}
				className="input h-9 w-17 scroll-mb-36 max-sm:px-2 text-right sm:w-22"
				inputMode="numeric"
				autoComplete="off"
				maxLength={12}
				// The style sheet uses it to find an empty field.
				placeholder={isCounted ? ' ' : undefined}
				defaultValue={typeof defaultValue === 'string' ? defaultValue : undefined}
			/>
			<FieldError id={id} errors={errors} className="ml-auto max-w-56 justify-end text-left text-xs whitespace-normal" />
		</>
	)
}
