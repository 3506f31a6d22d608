import { type ColumnWidth, type SwitchColumns } from '~/lib/table'
import { addressWith } from './view.server'

/**
 * The columns shown on a phone (`keys`), and those that a tablet and a laptop add. A column named nowhere is shown from the next larger
 * width.
 */
export type Tiers = { keys: readonly string[]; tablet?: readonly string[]; laptop?: readonly string[] }

const NARROWEST: readonly ColumnWidth[] = ['tablet', 'laptop', 'wide']

type Fitted = {
	columns: readonly { key: string; from?: ColumnWidth }[]
	switchColumns?: SwitchColumns
}

/** Returns the table with as many columns as fit its container, and a link to the others. `columns=all` in the address shows all. */
export function fitColumns<Shown extends Fitted>(table: Shown, tiers: Tiers, url: URL): Shown {
	const hasAll = url.searchParams.get('columns') === 'all'
	const widths = table.columns.map(({ key }) => findWidth(key, tiers))
	const until = NARROWEST.findLast((width) => widths.includes(width))
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

function findWidth(key: string, { keys, tablet, laptop }: Tiers): ColumnWidth | undefined {
	if (keys.includes(key)) return undefined
	if (!tablet || tablet.includes(key) || key === 'n') return 'tablet'
	return !laptop || laptop.includes(key) ? 'laptop' : 'wide'
}
