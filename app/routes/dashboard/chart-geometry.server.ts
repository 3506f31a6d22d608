import { scaleLinear } from 'd3-scale'
import { area, line } from 'd3-shape'
import { formatDay } from '#contract/values/dates'
import { formatRupees, type Paise } from '#contract/values/money'
import { type Bars, type LineChart } from './charts'

/** Paths are drawn in a box of 100 by 100 that stretches with the page; labels stand at percentages, so they never stretch. */
const BOX = 100
/** Two labels at the right end need this much between them, in percent. */
const APART = 9
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const LAKH = 1_00_000
const CRORE = 100 * LAKH
const brief = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 2 })

/** `₹ 12.35 L`, where the exact figure stands elsewhere. */
function briefRupees(paise: Paise): string {
	const rupees = Math.abs(paise) / 100
	const sign = paise < 0 ? '−' : ''
	if (rupees >= CRORE) return `${sign}₹ ${brief.format(rupees / CRORE)} Cr`
	if (rupees >= LAKH) return `${sign}₹ ${brief.format(rupees / LAKH)} L`
	return `${sign}₹ ${brief.format(Math.round(rupees))}`
}

const round = (figure: number) => Math.round(figure * 100) / 100

type Month = { date: string; invested: Paise; value: Paise }

/** Value against invested by month, or undefined when there are too few months to draw a line. */
export function drawPortfolioChart(history: readonly Month[]): LineChart | undefined {
	const latest = history.at(-1)
	if (!latest || history.length < 2) return undefined
	const figures = history.flatMap(({ invested, value }) => [invested, value])
	if (figures.every((figure) => figure === 0)) return undefined
	const [low, high] = [Math.min(...figures), Math.max(...figures)]
	const y = scaleLinear([low - (high - low) * 0.15, high + (high - low) * 0.2 + 1], [BOX, 0]).nice(4)
	const x = scaleLinear([0, history.length - 1], [0, BOX])
	const drawPath = (key: 'invested' | 'value') =>
		line<Month>()
			.x((_, index) => round(x(index)))
			.y((month) => round(y(month[key])))(history) ?? ''
	const filled = area<Month>()
		.x((_, index) => round(x(index)))
		.y0(BOX)
		.y1((month) => round(y(month.value)))(history)

	const [valueAt, investedAt] = apart(y(latest.value), y(latest.invested))
	const every = Math.ceil(history.length / 3.5)
	return {
		value: drawPath('value'),
		area: filled ?? '',
		invested: drawPath('invested'),
		ends: { value: valueAt, invested: investedAt },
		grid: y.ticks(4).map((figure) => ({ at: round(y(figure)), label: briefRupees(figure) })),
		months: history.flatMap(({ date }, index) =>
			index % every === 0 && index < history.length - every / 2 ? [{ at: round(x(index)), label: formatMonth(date) }] : [],
		),
		latest: { day: formatDay(latest.date), value: formatRupees(latest.value), invested: formatRupees(latest.invested) },
		rows: history.map(({ date, value, invested }) => ({
			label: formatDay(date),
			value: formatRupees(value),
			invested: formatRupees(invested),
		})),
	}
}

/** Where two labels stand that belong at these heights: moved from their middle when they would touch. */
function apart(first: number, second: number): [number, number] {
	const gap = Math.abs(first - second)
	if (gap >= APART) return [round(first), round(second)]
	const middle = Math.min(BOX - APART / 2, Math.max(APART / 2, (first + second) / 2))
	const [upper, lower] = [round(middle - APART / 2), round(middle + APART / 2)]
	return first <= second ? [upper, lower] : [lower, upper]
}

function formatMonth(day: string): string {
	return `${MONTHS[Number(day.slice(5, 7)) - 1] ?? ''} ${day.slice(2, 4)}`
}

const MOST_BARS = 10

/** Sorted bars; what is left over is `Others`, so that the shares always add up. */
export function drawBars(parts: readonly { name: string; value: Paise }[]): Bars | undefined {
	const total = parts.reduce((sum, { value }) => sum + value, 0)
	if (total <= 0) return undefined
	const sorted = [...parts].sort((a, b) => b.value - a.value)
	const rest = sorted.length > MOST_BARS ? sorted.slice(MOST_BARS - 1) : []
	const shown =
		rest.length > 0
			? [...sorted.slice(0, MOST_BARS - 1), { name: 'Others', value: rest.reduce((sum, { value }) => sum + value, 0) }]
			: sorted
	const longest = Math.max(...shown.map(({ value }) => value))
	return {
		total: formatRupees(total),
		bars: shown.map(({ name, value }) => ({
			name,
			value: formatRupees(value),
			share: `${((value / total) * 100).toFixed(1)}%`,
			width: `${round((value / longest) * 100)}%`,
		})),
	}
}
