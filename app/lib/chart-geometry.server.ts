import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { type Day, formatDay } from '#contract/values/dates'
import { formatRupees, type Paise } from '#contract/values/money'
import { DASH } from './unknown'
import { type Bars, type ColumnChart, type LineChart } from './charts'

/** Paths are drawn in a box of 100 by 100 that stretches with the page. Labels are placed in per cent, so they never stretch. */
const BOX = 100
/** Minimum distance between the two labels at the right end, in per cent of the height. */
const APART = 9
/** Minimum distance between two month labels, in per cent of the width: under a phone's chart, and under a wide chart. */
const MAJOR_APART = 20
const MINOR_APART = 7.5
/** Minimum distance between two years below the months, in per cent of the width. */
const YEARS_APART = 14
/** About how many lines a grid has. */
const STEPS = 5
/** The height of a label above a column, in per cent of the height of the chart. */
const LABEL_HEIGHT = 10
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const LAKH = 1_00_000
const CRORE = 100 * LAKH
const brief = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 2 })

/** A rounded amount, `₹ 12.35 L`, for places where the exact figure is shown elsewhere. */
function briefRupees(paise: Paise): string {
	const rupees = Math.abs(paise) / 100
	const sign = paise < 0 ? '−' : ''
	if (rupees >= CRORE) return `${sign}₹ ${brief.format(rupees / CRORE)} Cr`
	if (rupees >= LAKH) return `${sign}₹ ${brief.format(rupees / LAKH)} L`
	return `${sign}₹ ${brief.format(Math.round(rupees))}`
}

const round = (figure: number) => Math.round(figure * 100) / 100

type Point = { date: Day; first: Paise; second?: Paise }
type Lines = { title: string; names: readonly [string, string?]; format: (paise: Paise) => string }

/**
 * A chart of one or two lines over time. Undefined with fewer than two points, or when every figure is 0. The area below a line is not
 * filled, because the axis need not begin at zero.
 */
export function drawLines(points: readonly Point[], { title, names, format }: Lines): LineChart | undefined {
	const latest = points.at(-1)
	const first = points[0]
	if (!latest || !first || points.length < 2) return undefined
	const keys = names[1] === undefined ? (['first'] as const) : (['first', 'second'] as const)
	const read = (point: Point, key: 'first' | 'second') => point[key] ?? 0
	const figures = points.flatMap((point) => keys.map((key) => read(point, key)))
	if (figures.every((figure) => figure === 0)) return undefined
	const [low, high] = [Math.min(...figures), Math.max(...figures)]
	const y = scaleLinear([low - (high - low) * 0.15, high + (high - low) * 0.2 + 1], [BOX, 0]).nice(4)
	const x = scaleLinear([Date.parse(first.date), Date.parse(latest.date)], [0, BOX])
	const place = ({ date }: Point) => round(x(Date.parse(date)))
	const draw = (key: 'first' | 'second') => line<Point>(place, (point) => round(y(read(point, key))))(points) ?? ''
	const ends = keys.length === 1 ? [round(y(latest.first))] : apart(y(latest.first), y(read(latest, 'second')))
	const tell = (point: Point) => keys.map((key, index) => `${names[index] ?? ''} ${format(read(point, key))}`)
	return {
		title,
		description: `On ${formatDay(latest.date)}: ${tell(latest).join(', ')}.`,
		lines: keys.map((key, index) => ({ path: draw(key), look: index === 0 ? ('value' as const) : ('invested' as const) })),
		ends: ends.map((at, index) => ({ name: names[index] ?? '', at })),
		grid: y.ticks(4).map((figure) => ({ at: round(y(figure)), label: briefRupees(figure) })),
		...labelMonths(points.map((point) => ({ date: point.date, at: place(point) }))),
		points: points.map((point, index) => {
			const before = points[index - 1]
			const after = points[index + 1]
			const left = before ? (place(before) + place(point)) / 2 : 0
			const right = after ? (place(point) + place(after)) / 2 : BOX
			return { left: round(left), width: round(right - left), at: place(point), words: [formatDay(point.date), ...tell(point)] }
		}),
		latest: keys.map((key, index) => ({
			label: `${names[index] ?? ''}${index === 0 ? ` on ${formatDay(latest.date)}` : ''}`,
			text: format(read(latest, key)),
		})),
		heads: ['Day', ...names.filter((name) => name !== undefined)],
		rows: points.map((point) => [formatDay(point.date), ...keys.map((key) => format(read(point, key)))]),
	}
}

type ColumnWords = {
	title: string
	description: string
	name: string
	format: (paise: Paise) => string
	/** True for amounts of each month, which add up; false for balances at the end of each month. */
	isGain?: boolean
}

/**
 * A chart with one column for each month (`2026-11`), up or down from zero. Undefined with fewer than two months, or when every amount is
 * 0.
 */
export function drawColumns(
	months: readonly { month: string; amount: Paise }[],
	{ title, description, name, format, isGain }: ColumnWords,
): ColumnChart | undefined {
	if (months.length < 2 || months.every(({ amount }) => amount === 0)) return undefined
	const amounts = months.map(({ amount }) => amount)
	// The axis ends at lines of the grid, beyond each column.
	const y = scaleLinear([Math.min(0, ...amounts), Math.max(0, ...amounts)], [BOX, 0]).nice(STEPS)
	const grid = y.ticks(STEPS).map((figure) => ({ at: round(y(figure)), label: briefRupees(figure) }))
	const latest = amounts.at(-1) ?? 0
	const top = round(Math.min(y(0), y(latest)))
	const each = BOX / months.length
	return {
		title,
		description,
		grid,
		...labelMonths(months.map(({ month }, index) => ({ date: `${month}-01`, at: round((index + 0.5) * each) }))),
		points: months.map(({ month, amount }, index) => ({
			left: round(index * each),
			width: round(each),
			at: round((index + 0.5) * each),
			words: [formatMonth(month), format(amount)],
			column: {
				top: round(Math.min(y(0), y(amount))),
				height: round(Math.abs(y(amount) - y(0))),
				look: !isGain ? 'bar' : amount < 0 ? 'fill-loss' : 'fill-gain',
			},
		})),
		last: {
			month: formatMonth(months.at(-1)?.month ?? ''),
			text: `${isGain && latest > 0 ? '+' : ''}${briefRupees(latest)}`,
			// Above a line of the grid that would cross it.
			at: grid.find(({ at }) => at < top && top - at < LABEL_HEIGHT)?.at ?? top,
		},
		heads: ['Month', name],
		rows: months.map(({ month, amount }) => [formatMonth(month), format(amount)]),
		foot: isGain ? ['Total', format(amounts.reduce((sum, amount) => sum + amount, 0))] : undefined,
	}
}

/**
 * The month labels under a chart: the first month, and months at even steps after it, so that no labels touch. A wide chart also shows
 * the minor ones. The years are below: where the chart begins, and at each January.
 */
function labelMonths(places: readonly { date: Day; at: number }[]) {
	const firsts = places.filter(({ date }, index) => date.slice(0, 7) !== places[index - 1]?.date.slice(0, 7))
	const end = firsts.length - 1
	const each = end > 0 ? ((firsts[end]?.at ?? 0) - (firsts[0]?.at ?? 0)) / end : 100
	const minorStep = Math.max(1, Math.ceil(MINOR_APART / each))
	const majorStep = Math.ceil(MAJOR_APART / each / minorStep) * minorStep
	const months = firsts.flatMap(({ at, date }, index) =>
		index % minorStep === 0 ? [{ at, label: nameMonth(date), isMinor: index % majorStep !== 0 }] : [],
	)
	const begins = firsts.filter(({ date }, index) => index === 0 || date.slice(5, 7) === '01')
	const years = begins
		.filter(({ at }, index) => (begins[index + 1]?.at ?? Infinity) - at >= YEARS_APART)
		.map(({ at, date }) => ({ at, label: date.slice(0, 4) }))
	return { months, years }
}

/** The heights of two labels, in per cent. When they would touch, they are moved apart, around their middle. */
function apart(first: number, second: number): [number, number] {
	const gap = Math.abs(first - second)
	if (gap >= APART) return [round(first), round(second)]
	const middle = Math.min(BOX - APART / 2, Math.max(APART / 2, (first + second) / 2))
	const [upper, lower] = [round(middle - APART / 2), round(middle + APART / 2)]
	return first <= second ? [upper, lower] : [lower, upper]
}

const nameMonth = (day: string) => MONTHS[Number(day.slice(5, 7)) - 1] ?? ''

const formatMonth = (day: string) => `${nameMonth(day)} ${day.slice(0, 4)}`

const MOST_BARS = 10

/**
 * Bars sorted by value, the largest first. The full width is the whole, so two charts beside each other compare. With more than ten parts,
 * the smallest become one bar, `Others`, so that the shares add up to the total. Undefined when the total is not positive.
 */
export function drawBars(parts: readonly { name: string; value: Paise }[]): Bars | undefined {
	const total = parts.reduce((sum, { value }) => sum + value, 0)
	if (total <= 0) return undefined
	const sorted = [...parts].sort((a, b) => b.value - a.value)
	const rest = sorted.length > MOST_BARS ? sorted.slice(MOST_BARS - 1) : []
	const shown =
		rest.length > 0
			? [...sorted.slice(0, MOST_BARS - 1), { name: 'Others', value: rest.reduce((sum, { value }) => sum + value, 0) }]
			: sorted
	return {
		total: formatRupees(total),
		bars: shown.map(({ name, value }) => ({
			name: name || DASH,
			value: formatRupees(value),
			share: `${((value / total) * 100).toFixed(1)} %`,
			width: `${round((value / total) * 100)}%`,
		})),
	}
}
