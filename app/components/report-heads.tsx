import { readText, type Table } from '~/lib/table'
import { Unbroken } from './unbroken'

/** How many texts of a column may be the widest one: letters differ in width. A column that wraps needs one text, which wraps too. */
const WIDEST = 4

/** In a table with names, heads of two words break, so that the names get the width. A wide window has room for both. */
const NARROW = '@max-7xl:w-[1%]'
/** Few such heads stay on one line from a laptop on: they take little from the names. */
const FEW_NARROW = '@max-[58rem]:w-[1%]'
const FEW_HEADS = 2
/** Without many names it matters less that one of them wraps. */
const FEW_HEADS_OF_FEW_ROWS = 3

/** A sign never stands alone on a second line. */
const mayBreak = (label: string) => label.includes(' ') && !label.endsWith(' %')

type Looks = { looks: readonly (string | undefined)[]; isLong: readonly boolean[]; isSized: boolean }

/** The heads of a report's table, with links that sort. Not a component, because the frame of the table takes a list. */
export function drawHeads(
	{ columns, rows, subtotals = [], foot = [] }: Pick<Table, 'columns' | 'rows' | 'subtotals' | 'foot'>,
	{ looks, isLong, isSized }: Looks,
) {
	const isNarrow = (label: string, align: string) => isLong.some(Boolean) && align === 'right' && mayBreak(label)
	const onLaptop = columns.filter(({ label, align, from }) => isNarrow(label, align) && from !== 'wide' && from !== 'never')
	const narrow = onLaptop.length > (isSized ? FEW_HEADS : FEW_HEADS_OF_FEW_ROWS) ? NARROW : FEW_NARROW
	return columns.map(({ key, label, unit, align, sort, href, isMain }, index) => {
		const longest = isSized ? findLongest(rows, index, isLong[index] ? 1 : WIDEST) : undefined
		const sum = [foot, ...subtotals].map((sums) => readText(sums[index])).reduce((one, other) => (other.length > one.length ? other : one))
		const isSumWider = longest !== undefined && sum.length >= (longest[0]?.length ?? 0)
		return (
			<th
				key={key}
				scope="col"
				className={
					[looks[index], (isSumWider || isMain) && 'before:font-semibold', isNarrow(label, align) && narrow].filter(Boolean).join(' ') ||
					undefined
				}
				aria-sort={sort}
				align={align}
				data-longest={(isSumWider ? sum : longest?.join('\n')) || undefined}
			>
				{href ? (
					<a href={href} data-keep-scroll className={unit || mayBreak(label) ? undefined : 'whitespace-nowrap'}>
						<Head label={label} unit={unit} />
					</a>
				) : (
					<Head label={label} unit={unit} />
				)}
			</th>
		)
	})
}

function findLongest(rows: Table['rows'], column: number, count: number): string[] {
	const texts = new Set(rows.map(({ cells }) => readText(cells[column])))
	return [...texts].sort((one, other) => other.length - one.length).slice(0, count)
}

/** The head of a column with its unit, such as `Debit (₹)`. The unit never stands alone on a second line. */
export function Head({ label, unit }: { label: string; unit?: string }) {
	const [, first = '', last = ''] = /^(.* )?(.*)$/.exec(label) ?? []
	if (!unit) return <Unbroken text={label} />
	return (
		<>
			{first}
			<span className="whitespace-nowrap">{`${last} (${unit})`}</span>
		</>
	)
}
