import { unreadIn } from '#contract/tolerant'
import { formatShare } from '~/lib/percent'
import { type Cell } from '~/lib/table'
import { sumOrNull } from '~/lib/unknown'
import { withTone } from './columns.server'
import { type Report } from './declaration'

/**
 * Returns the rate of a report's gain over the rows, with its colour: `−1.39 %`. Returns an empty text when a row has a gain without a
 * base, or a base without a gain.
 */
export function tellRate<Row>({ columns, rate }: Report<Row>, rows: readonly Row[]): Cell {
	const [gain, base] = [rate?.gain, rate?.base].map((wanted) => columns.find(({ key }) => key === wanted)?.amount)
	if (!gain || !base || unreadIn(rows)) return ''
	const known = rows.filter((row) => gain(row) !== null || base(row) !== null)
	const sum = sumOrNull(known.map(gain))
	if (sum === null) return ''
	const share = formatShare(sum, sumOrNull(known.map(base)))
	return share && withTone(share, sum)
}
