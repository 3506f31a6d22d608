import { memo, type ReactNode } from 'react'
import { type Paging } from '~/lib/paging'
import { type Cell, COLUMN_WIDTHS, readText, type Table } from '~/lib/table'
import { DASH } from '~/lib/unknown'
import { ColumnsLink } from './columns-link'
import { Empty } from './empty'
import { KeyFigures } from './key-figures'
import { LatestRows } from './latest-rows'
import { Note } from './note'
import { readBelow, ReportCell } from './report-cell'
import { drawHeads } from './report-heads'
import { Pages } from './report-pages'
import { TableFrame } from './table-frame'
import { isZero, TONES } from './tones'
import { Unbroken } from './unbroken'

export type ReportTableProps = Table & {
	paging?: Paging
	empty: { text: string; action?: { href: string; label: string } }
	/** Shown with the sums: above the table when they stand there, else below it. */
	note?: string
	/** Shown below the table. */
	remark?: string
	/** The link to all columns stands in the toolbar above. */
	hasToolbar?: boolean
	/** On a phone the cells of a row stand below its name, each with its label, in place of columns. */
	isStacked?: boolean
}

const MANY_ROWS = 20
const MANY_COLUMNS = 6
/** These fit a phone without a line that separates the held column. */
const FEW_COLUMNS = 3
const LONG = 18
/** So many columns of figures have room for more space between them on a laptop. */
const MOST_FIGURES = 7

/** Text browsers ignore style sheets. These attributes keep a date on one line and a figure on the right there too. */
const PLAIN = { left: { nowrap: '' }, right: { nowrap: '', align: 'right' } } as const

type Columns = ReportTableProps['columns']
type Row = ReportTableProps['rows'][number]

const countWidths = ({ from }: Columns[number]) => (from ? COLUMN_WIDTHS.indexOf(from) : -1)

/** True when a group of columns starts behind this one. Columns that only a wider window shows may be between them. */
function isBeforeStart(columns: Columns, at: number): boolean {
	const [column, ...behind] = columns.slice(at)
	return column !== undefined && behind.find((next) => countWidths(next) <= countWidths(column))?.isStart === true
}

/** Returns the classes of each column, and which column names the row. */
function arrangeColumns(columns: Columns, rows: readonly Row[]) {
	const hasNumber = columns[0]?.label === '#'
	const heldAt = columns.findIndex(({ from }, index) => index >= (hasNumber ? 1 : 0) && !from)
	// Words below a date have a line of their own, however short they are.
	const isBelow = (index: number) => columns.slice(0, index).findLast(({ from }) => !from)?.isAbove
	const isLong = columns.map(
		({ align, from }, index) =>
			align === 'left' && ((!from && rows.length > 0 && isBelow(index)) || rows.some(({ cells }) => readText(cells[index]).length > LONG)),
	)
	const isFitted = columns.some(({ from }) => from)
	const isAlone = (index: number) => isLong[index] && index === heldAt && isLong.filter(Boolean).length === 1
	/** On a phone a name after other words, or words after a date, would look like one text with them, so they get more space. */
	const followsWords = columns.map((_, index) => {
		const before = columns.slice(hasNumber ? 1 : 0, index).findLast(({ from }) => !from)
		return (
			isFitted &&
			(isLong[index] || (columns[index]?.align === 'left' && before?.key === 'date')) &&
			before?.align === 'left' &&
			!before.isAbove
		)
	})
	const looks = columns.map(
		({ align, from, side, isAbove, isMain, isStart, hasSide }, index) =>
			[
				align === 'right' ? 'figure' : '',
				hasNumber && index === 0 ? 'n' : '',
				index === heldAt ? 'held' : '',
				isLong[index] ? 'long' : '',
				// Keeps a name of usual length on one line when there is room and no other column wraps.
				isAlone(index) ? '@min-[60rem]:min-w-40' : '',
				// On a phone the name takes the space that is left, since heads of two words wrap.
				isAlone(index) && isFitted ? '@max-2xl:w-full @max-2xl:max-w-none' : '',
				followsWords[index] ? (isLong[index] ? '@max-2xl:pl-2.25' : '@max-2xl:pl-1.5') : '',
				from ? `from-${from}` : '',
				side ?? '',
				hasSide ? 'sided' : '',
				isStart ? 'starts' : '',
				// The arrow of its head would touch the line before the next group.
				align === 'right' && isBeforeStart(columns, index) ? '@2xl:pr-4' : '',
				isMain ? '[td&]:font-semibold' : '',
				// Without rows nothing stands below the head.
				isAbove && rows.length > 0 ? 'above' : '',
			]
				.filter((look) => look)
				.join(' ') || undefined,
	)
	const hasFile = (index: number) => rows.some(({ cells: { [index]: cell } }) => typeof cell === 'object' && cell.download)
	const plain = columns.map(({ align }, index) =>
		(hasNumber && index === 0) || isLong[index] || hasFile(index) ? undefined : PLAIN[align],
	)
	return { heldAt, isFitted, isLong, looks, plain }
}

type Arranged = ReturnType<typeof arrangeColumns>

const KINDS = { opening: '*:text-muted', wrong: 'wrong', zero: 'zeros border-line justify-between not-last:border-b' }

/** Returns the class that hides the last line when all of its sums are hidden; a dash is none. */
function findFootLook(columns: Columns, heldAt: number, foot: readonly Cell[] = []) {
	const isSum = (cell: Cell = '') => ![DASH, ''].includes(readText(cell))
	const widths = columns.filter((_, index) => index !== heldAt && isSum(foot[index])).map(({ from }) => from)
	const narrowest = COLUMN_WIDTHS.find((width) => widths.includes(width))
	return narrowest && widths.every(Boolean) ? `from-${narrowest}` : undefined
}

/** Not a component, and a plain cell is one element, because a page may have a thousand cells. */
function drawRow({ id, kind, cells }: Row, { heldAt, looks, plain, labels }: Arranged & { labels?: readonly string[] }) {
	return (
		<tr key={id} className={kind && KINDS[kind]}>
			{cells.map((cell, index) =>
				index === heldAt ? (
					<th
						key={index}
						scope="row"
						className={looks[index]}
						align="left"
						{...plain[index]}
						data-below={readBelow(cell)}
						data-tone={typeof cell === 'string' ? undefined : cell.phoneTone}
					>
						{typeof cell === 'string' ? cell : <ReportCell cell={cell} />}
					</th>
				) : typeof cell === 'string' ? (
					<td
						key={index}
						className={isZero(cell) ? `${looks[index] ?? ''} ${TONES.zero}` : looks[index]}
						{...plain[index]}
						data-label={labels?.[index]}
					>
						{cell}
					</td>
				) : (
					<td
						key={index}
						{...plain[index]}
						data-label={labels?.[index]}
						data-below={readBelow(cell)}
						data-tone={cell.phoneTone}
						className={
							[looks[index], cell.tone ? TONES[cell.tone] : isZero(cell.text) && TONES.zero].filter(Boolean).join(' ') || undefined
						}
					>
						<ReportCell cell={cell} />
					</td>
				),
			)}
		</tr>
	)
}

/** In a box that scrolls only the total keeps its place. */
const SUBTOTAL = 'not-first:*:border-t-0! *:static! *:font-normal! *:before:hidden!'

function tellTotalBelow({ cell, name }: { cell?: Cell; name?: string }): string {
	const sum = readText(cell)
	if (!sum || sum === DASH || (name && isZero(sum))) return ''
	return [name, sum].filter(Boolean).join('\u00a0')
}

function drawFoot(sums: readonly Cell[], columns: Columns, { heldAt, looks, plain }: Arranged) {
	return columns.map(({ key, totalBelow }, index) => {
		const { [index]: cell = '' } = sums
		const tone = typeof cell === 'string' ? undefined : cell.tone
		const under = (totalBelow ?? []).map((total) => ({ ...total, cell: sums[columns.findIndex((column) => column.key === total.key)] }))
		const below = under.map(tellTotalBelow).filter(Boolean).join(' · ') || undefined
		const [only] = under.length === 1 ? under : []
		const toneBelow = typeof only?.cell === 'object' ? only.cell.tone : undefined
		return index === heldAt ? (
			<th key={key} scope="row" className={looks[index]} align="left" data-below={below} data-tone={toneBelow}>
				{readText(cell)}
			</th>
		) : (
			<td
				key={key}
				className={[looks[index], tone && TONES[tone]].filter(Boolean).join(' ') || undefined}
				{...plain[index]}
				data-below={below}
				data-tone={toneBelow}
			>
				{readText(cell)}
			</td>
		)
	})
}

type Sums = Pick<ReportTableProps, 'strip' | 'note' | 'latest'> & { children?: ReactNode }

/**
 * The sums of a table with its latest rows, and the note that explains them. A page with a toolbar shows them above it, because they are
 * its answer.
 */
export function TableSums({ strip, note, latest, children }: Sums) {
	return (
		<>
			{/* Without figures the link to all columns stands level with the heading of the section. With its margins it has no height, since a line
			    has at least none. */}
			<div
				className={`flex flex-wrap items-end justify-between gap-x-8 ${latest ? 'xl:flex-nowrap xl:items-start' : ''} ${strip ? '' : '[h2+*>&]:*:-mt-11 max-[22rem]:[h2+*>&]:*:-mt-3 [h2+*>&]:*:mb-1'}`}
			>
				{strip && <KeyFigures figures={strip} isBeside={Boolean(latest)} />}
				{latest && <LatestRows {...latest} />}
				{children}
			</div>
			{strip && note && (
				<p className="text-muted -mt-1 mb-3 max-w-160 text-xs">
					<Unbroken text={note} />
				</p>
			)}
		</>
	)
}

/** The table of all reports. */
export const ReportTable = memo(function ReportTable({
	caption,
	columns,
	rows,
	subtotals,
	foot,
	paging,
	empty,
	note,
	remark,
	unread,
	switchColumns,
	hasToolbar,
	strip,
	isStacked,
}: ReportTableProps) {
	const arranged = arrangeColumns(columns, rows)
	const { heldAt, isFitted, isLong, looks } = arranged
	const isMany = rows.length > MANY_ROWS
	const hasBelow = isFitted && rows.some(({ cells }) => cells.some(readBelow))
	const areZerosHidden = isStacked && rows.length > 0
	const haveNamesOnly = rows.every(({ cells }) => cells.every((cell, index) => index === heldAt || !readBelow(cell)))
	const figures = columns.filter(({ key, align, from }) => align === 'right' && key !== 'n' && from !== 'wide' && from !== 'never')
	const look = [
		'report',
		figures.length <= MOST_FIGURES && 'roomy',
		columns.length > MANY_COLUMNS && 'many',
		(isStacked || isFitted || columns.length <= FEW_COLUMNS) && 'fits',
		isMany && 'sized',
		hasBelow && 'below',
		hasBelow && haveNamesOnly && 'below-names',
		isStacked && 'stacked',
	]
	// An empty small table has nothing to search or choose, so a sentence is enough.
	if (rows.length === 0 && !paging && !unread) return <Empty {...empty} />
	return (
		<div className="@container">
			<TableSums strip={strip} note={note}>
				{!hasToolbar && <ColumnsLink rows={rows} switchColumns={switchColumns} />}
			</TableSums>
			<TableFrame
				caption={caption}
				look={look.filter(Boolean).join(' ')}
				heads={drawHeads({ columns, rows, subtotals, foot }, { looks, isLong, isSized: isMany })}
				rows={rows.map((row) => drawRow(row, isStacked ? { ...arranged, labels: columns.map(({ label }) => label) } : arranged))}
				subtotals={subtotals?.map((sums, index) => (
					<tr key={index} className={SUBTOTAL}>
						{drawFoot(sums, columns, arranged)}
					</tr>
				))}
				foot={foot && drawFoot(foot, columns, arranged)}
				footLook={findFootLook(columns, heldAt, foot)}
				empty={empty}
				unread={unread}
				page={paging?.page}
			/>
			{areZerosHidden && <p className="text-muted mt-2 text-xs @2xl:hidden">What is not shown is zero.</p>}
			{paging && paging.total > 0 && <Pages {...paging} caption={caption} hasTotal={foot !== undefined} />}
			{note && !strip && <Note>{note}</Note>}
			{remark && <Note>{remark}</Note>}
		</div>
	)
})
