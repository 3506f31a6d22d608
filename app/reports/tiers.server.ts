import { COLUMN_WIDTHS, type ColumnWidth, type SwitchColumns } from '~/lib/table'
import { addressWith } from './view.server'

/**
 * The columns shown on a phone (`keys`), and those that a tablet, a laptop and a wide screen add. A column named nowhere is shown from the
 * next larger width, or after `wide` only by the link.
 */
export type Tiers = { keys: readonly string[]; tablet?: readonly string[]; laptop?: readonly string[]; wide?: readonly string[] }

type Fitted = {
	columns: readonly { key: string; from?: ColumnWidth }[]
	switchColumns?: SwitchColumns
}

/** Returns the table with as many columns as fit its container, and a link to the others. `columns=all` in the address shows all. */
export function fitColumns<Shown extends Fitted>(table: Shown, tiers: Tiers, url: URL): Shown {
	const hasAll = url.searchParams.get('columns') === 'all'
	const widths = table.columns.map(({ key }) => findWidth(key, tiers))
	const until = COLUMN_WIDTHS.findLast((width) => widths.includes(width))
	if (!until) return table
	return {
		...table,
		columns: hasAll ? table.columns : table.columns.map((column, index) => ({ ...column, from: widths[index] })),
		switchColumns: {
			label: hasAll ? 'Fewer columns' : 'All columns',
			href: addressWith(url, { columns: hasAll ? undefined : 'all' }),
			until,
		},
	}
}

function findWidth(key: string, { keys, tablet, laptop, wide }: Tiers): ColumnWidth | undefined {
	if (keys.includes(key)) return undefined
	if (!tablet || tablet.includes(key) || key === 'n') return 'tablet'
	if (!laptop || laptop.includes(key)) return 'laptop'
	return !wide || wide.includes(key) ? 'wide' : 'never'
}
