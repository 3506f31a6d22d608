import { type ReactNode } from 'react'

/**
 * A table whose cells of class `from-tablet` and `from-laptop` are hidden in a narrow box, and a box that shows them without a new page,
 * which would lose what was typed in the rows. `last` is the widest of the classes used.
 */
export function FittedColumns({ last, children }: { last?: 'tablet' | 'laptop'; children: ReactNode }) {
	return (
		// Not a container any more when all columns are wanted: then no column is hidden by its width.
		<div className="@container mb-4 in-[:has(#all-columns:checked)]:[container-type:normal]">
			{last && <AllColumns last={last} />}
			{children}
		</div>
	)
}

/** The box itself: above its table, or in the bar of the same form. */
export function AllColumns({ last }: { last: 'tablet' | 'laptop' }) {
	return (
		<label
			className={`ml-auto flex min-h-10 w-fit items-center gap-2 text-sm print:hidden ${last === 'tablet' ? '@2xl:hidden' : '@4xl:hidden'}`}
		>
			<input type="checkbox" id="all-columns" /> All columns
		</label>
	)
}
