import { type ColumnWidth, type SwitchColumns } from '~/lib/table'

/** A table that shows on a narrow screen only the columns that fit. */
export type Columned = {
	rows: readonly unknown[]
	switchColumns?: SwitchColumns
}

/** From this width all columns fit, so no link to them is needed. */
export const UNTIL: Record<ColumnWidth, string> = { tablet: '@2xl:hidden', laptop: '@4xl:hidden', wide: '@7xl:hidden', never: '' }

/** A link that shows the columns that do not fit. It stands in the row above the table. */
export function ColumnsLink({ rows = [], switchColumns, className = 'ml-auto' }: Partial<Columned> & { className?: string }) {
	if (!switchColumns || rows.length === 0) return null
	return (
		<a
			href={switchColumns.href}
			data-keep-scroll
			className={`${className} inline-flex min-h-10 items-center text-sm print:hidden ${UNTIL[switchColumns.until]}`}
		>
			{switchColumns.label}
		</a>
	)
}
