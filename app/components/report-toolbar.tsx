import { Form, useSearchParams } from '@remix-run/react'
import { type ReactNode } from 'react'
import { FEW_ROWS } from '~/lib/paging'
import { Choices } from './choices'
import { ColumnsLink, type Columned } from './columns-link'
import { FieldFrame, Filters, useFieldLook } from './field-frame'
import { FILES } from './page-title'
import { useDefaultValue } from './use-default-value'

type Props = {
	action: string
	/** The search text; without it there is no search field. */
	search?: string
	files?: ReactNode
	/** Links to parts of the page, before the fields and, on a phone, beside the button that shows them. */
	views?: ReactNode
	/** Links to periods that are often chosen. */
	presets?: readonly { label: string; href: string; isCurrent: boolean }[]
	/** The link that reverses the order of the rows. */
	turned?: { href: string; label: string }
	/** The table below, for the link to its other columns. Without a row that a filter could have left out it needs no fields. */
	table?: Columned & { paging?: { total: number } }
	/** Fields beside the search. */
	hasFields?: boolean
	/** They choose the days, so they stay when those days have no row. */
	areOfDays?: boolean
	/** The heading above is so short that a phone has room for the downloads beside it. */
	isBesideHeading?: boolean
	/** Shows the fields on a phone too, because one of them has an error. */
	isOpen?: boolean
	children?: ReactNode
	/** Checkboxes, after the fields. */
	checks?: ReactNode
}

/**
 * Returns the search text, or undefined (no search field) when nothing is searched and the table has fewer than 10 rows or could not be
 * loaded.
 */
export function offerSearch(search: string, table: { paging?: { total: number } } | undefined): string | undefined {
	// A table without pages shows the latest of many rows.
	const total = table ? (table.paging?.total ?? FEW_ROWS) : 0
	return search === '' && total < FEW_ROWS ? undefined : search
}

/**
 * Filters on the left, downloads on the right; with links to periods the downloads stand below the filters. A phone has one line: what does
 * not fit beside the order and the downloads is behind the button with the filters.
 */
export function ReportToolbar({
	action,
	search,
	files,
	views,
	presets,
	turned,
	table,
	hasFields = false,
	areOfDays = false,
	isBesideHeading,
	isOpen = false,
	children,
	checks,
}: Props) {
	const [query] = useSearchParams()
	// A filter that leaves out rows is never folded away. A period may be, because the title shows it.
	const isFiltered = ['q', 'segment'].some((name) => query.get(name))
	const isEmpty = !isFiltered && !areOfDays && !presets && table?.paging?.total === 0
	const hasForm = (hasFields && !isEmpty) || search !== undefined
	const isFull = hasForm && Boolean(presets ?? turned)
	return (
		<Toolbar
			files={files}
			table={isFull ? undefined : table}
			hasForm={hasForm || Boolean(views)}
			isFull={isFull}
			isBesideHeading={isBesideHeading}
		>
			{views}
			{hasForm && (
				<Form
					method="get"
					action={action}
					preventScrollReset
					discover="none"
					className={`flex flex-wrap items-start gap-3 ${views ? 'sm:mr-auto' : ''} ${isFull ? 'max-md:contents' : ''} ${presets ? 'md:basis-full' : ''}`}
				>
					{query.get('columns') === 'all' && <input type="hidden" name="columns" value="all" />}
					<Fold isOpen={isOpen || isFiltered}>
						{children}
						{search !== undefined && <SearchField search={search} total={table?.paging?.total} />}
						{checks}
						<button type="submit" className={APPLY}>
							Apply
						</button>
					</Fold>
				</Form>
			)}
			{presets && <Choices label="Periods" choices={presets} className={`max-md:basis-full ${turned ? '' : 'md:mr-auto'} ${IN_FOLD}`} />}
			{turned && (
				<a href={turned.href} data-keep-scroll className="py-2.5 text-xs max-sm:text-sm md:mr-auto md:ml-4">
					{turned.label}
				</a>
			)}{' '}
			{isFull && <ColumnsLink {...table} className={IN_FOLD} />}
		</Toolbar>
	)
}

/** Classes of what a phone shows only while the fields are shown. */
const IN_FOLD = 'max-md:[:not(:has([aria-controls=filters]:checked))>&]:hidden'

type ToolbarProps = {
	files?: ReactNode
	table?: Columned
	hasForm?: boolean
	isFull?: boolean
	isBesideHeading?: boolean
	children?: ReactNode
}

/**
 * The bar above a table: fields on the left, downloads and the link to all columns on the right. Without fields it stands level with the
 * heading, and has the height of its links even when an empty table has none: else the table would stand on the heading.
 */
export function Toolbar({ files, table, hasForm = true, isFull = false, isBesideHeading, children }: ToolbarProps) {
	return (
		<div
			className={`@container mb-3 flex flex-wrap items-end justify-between gap-2 max-md:gap-x-1.5 print:hidden ${hasForm ? '' : isBesideHeading ? '[h2+&]:-mt-3 min-[24rem]:[h2+&]:-mt-11' : '[h2+&]:-mt-3 sm:[h2+&]:min-h-10 sm:[h2+&]:-mt-11'}`}
		>
			<Filters>{children}</Filters>
			{(files || table) && (
				<div className={`${FILES} ml-auto ${isFull ? 'max-md:gap-x-0.5 xl:ml-0' : ''}`}>
					<ColumnsLink {...table} /> {files}
				</div>
			)}
		</div>
	)
}

/**
 * Fields that a phone shows behind a button. The button is a checkbox, so that it works without a script. It has no name, so it sends
 * nothing.
 */
export function Fold({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
	return (
		<>
			<label className="btn choice md:hidden max-md:pl-3">
				<input type="checkbox" className="sr-only" defaultChecked={isOpen} aria-controls="filters" /> Filters
			</label>
			<div id="filters" className={`flex flex-wrap items-start gap-3 md:contents max-md:basis-full ${IN_FOLD}`}>
				{children}
			</div>
		</>
	)
}

/** Says how many rows a search found, because the focus stays in the field. */
export function SearchField({ search, total }: { search: string; total?: number }) {
	const look = useFieldLook()
	const field = useDefaultValue<HTMLInputElement>(search)
	return (
		<FieldFrame id="q" label="Search">
			<input id="q" type="search" name="q" defaultValue={search} ref={field} maxLength={100} className={`${look.input} w-44 2xl:w-52`} />
			{total !== undefined && (
				<span className="sr-only" role="status">
					{search && (total === 1 ? '1 row found' : `${total || 'No'} rows found`)}
				</span>
			)}
		</FieldFrame>
	)
}

/** Classes of a button beside fields. It has no label above it, so a margin puts it level with them. */
export const APPLY = 'btn mt-5.5'
