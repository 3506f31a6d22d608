import { type ReactNode } from 'react'
import { type ColumnWidth } from '~/lib/table'
import { UNTIL } from './columns-link'

/**
 * A table that hides its cells of class `from-tablet` and `from-laptop` when it is narrow, and a checkbox that shows them. A link to a
 * new page would lose what was typed in the rows. `last` is the widest of the classes used.
 */
export function FittedColumns({ last, children }: { last?: 'tablet' | 'laptop'; children: ReactNode }) {
	return (
		// When the checkbox is checked this is no container, so no column is hidden by its width.
		<div className="@container mb-4 in-[:has(#all-columns:checked)]:[container-type:normal]">
			{last && <AllColumns last={last} />}
			{children}
		</div>
	)
}

/** Classes of text that repeats hidden columns, which the checkbox shows. */
export const UNLESS_ALL = 'in-[:has(#all-columns:checked)]:hidden'

/**
 * The checkbox that shows all columns. It stands above its table, or in the toolbar of the same form, and looks like the link that other
 * tables have for this.
 */
export function AllColumns({ last }: { last: ColumnWidth }) {
	return (
		<label className={`relative ml-auto flex min-h-10 w-fit items-center text-sm has-focus-visible:outline-2 print:hidden ${UNTIL[last]}`}>
			<input type="checkbox" id="all-columns" className="peer absolute inset-0 size-full cursor-pointer opacity-0" />{' '}
			<span className="text-primary decoration-primary/40 underline underline-offset-3 peer-checked:before:content-['✓_'/'']">
				All columns
			</span>
		</label>
	)
}
