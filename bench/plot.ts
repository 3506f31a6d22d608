import { scaleLinear, scaleLog } from 'd3-scale'
import { line } from 'd3-shape'

/* Small charts in a grid, as one SVG. Panels of a row share their vertical scale, which is logarithmic. */

/** Lines of the same name have the same `look`, the index of a colour. */
export type Line = { name: string; look: number; isDashed: boolean; points: [x: number, y: number][] }
export type Panel = { x: { label: string; ticks: readonly number[]; isLog: boolean }; y: string; lines: Line[] }

const [WIDTH, HEIGHT] = [250, 150]
/** Space for labels around each panel. */
const [LEFT, RIGHT, TOP, BOTTOM] = [54, 14, 26, 46]
const HEAD = 34
/** Width of one name in the head. */
const NAME = 100
const COLOURS = ['#1f5fa8', '#b4540a']
const STYLE =
	'text{font:11px system-ui,sans-serif;fill:#444}.head{font-size:15px;fill:#111}.name{fill:#111}.grid{stroke:#e4e4e4}.axis{stroke:#999}.line{fill:none;stroke-width:1.6}'

export function drawPanels(title: string, rows: readonly (readonly Panel[])[]): string {
	const [wide, high] = [LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM]
	const columns = Math.max(...rows.map((panels) => panels.length))
	const [width, height] = [columns * wide, HEAD + rows.length * high]
	const parts = rows.flatMap((panels, row) => {
		const y = scaleHeight(panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(([, figure]) => figure))))
		return panels.map(
			(panel, column) => `<g transform="translate(${column * wide + LEFT},${HEAD + row * high + TOP})">${drawPanel(panel, y)}</g>`,
		)
	})
	const names = drawNames(
		rows.flat().flatMap(({ lines }) => lines),
		width - RIGHT,
	)
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img"><title>${title}</title><style>${STYLE}</style><rect width="100%" height="100%" fill="#fff"/><text class="head" x="${LEFT}" y="22">${title}</text>${names}${parts.join('')}</svg>\n`
}

type Height = ReturnType<typeof scaleHeight>

/** From a little below the figures to a little above, so that no line touches the frame. */
function scaleHeight(figures: readonly number[]) {
	const positive = figures.filter((figure) => figure > 0)
	return scaleLog([Math.min(...positive) / 1.5, Math.max(...positive) * 1.5], [HEIGHT, 0])
}

function drawPanel({ x, y: label, lines }: Panel, y: Height): string {
	const across = (x.isLog ? scaleLog : scaleLinear)([Math.min(...x.ticks), Math.max(...x.ticks)], [8, WIDTH - 8])
	const grid = listTicks(y).map(
		(tick) =>
			`<path class="grid" d="M0,${round(y(tick))}H${WIDTH}"/><text x="-6" y="${round(y(tick) + 4)}" text-anchor="end">${tick.toLocaleString('en')}</text>`,
	)
	const feet = x.ticks.map(
		(tick) =>
			`<path class="axis" d="M${round(across(tick))},${HEIGHT}v4"/><text x="${round(across(tick))}" y="${HEIGHT + 17}" text-anchor="middle">${tick.toLocaleString('en')}</text>`,
	)
	const shown = lines.filter(({ points }) => points.length > 0)
	const drawn = shown.map((each) => {
		const path = line<[number, number]>(
			([at]) => round(across(at)),
			([, figure]) => round(y(figure)),
		)(each.points)
		const colour = COLOURS[each.look % COLOURS.length] ?? ''
		const dots = each.points.map(([at, figure]) => `<circle cx="${round(across(at))}" cy="${round(y(figure))}" r="2.4" fill="${colour}"/>`)
		return `<path class="line" stroke="${colour}"${each.isDashed ? ' stroke-dasharray="4 3"' : ''} d="${path ?? ''}"/>${dots.join('')}`
	})
	return [
		...grid,
		`<path class="axis" d="M0,${HEIGHT}H${WIDTH}"/>`,
		...feet,
		`<text x="${WIDTH / 2}" y="${HEIGHT + 34}" text-anchor="middle">${x.label}</text>`,
		`<text class="name" x="0" y="-8">${label}</text>`,
		...drawn,
	].join('')
}

/** The names of the lines, once for all panels, up to this position. */
function drawNames(lines: readonly Line[], end: number): string {
	const names = [...new Set(lines.map(({ name }) => name))]
	return names
		.map((name, index) => {
			const left = end - (names.length - index) * NAME
			const look = lines.find((each) => each.name === name)?.look ?? 0
			return `<path class="line" stroke="${COLOURS[look % COLOURS.length] ?? ''}" d="M${left},18h16"/><text x="${left + 22}" y="22">${name}</text>`
		})
		.join('')
}

/** 1, 2, 5, 10 and so on; only powers of ten when there are many. */
function listTicks(y: Height): number[] {
	const [low = 1, high = 1] = y.domain()
	const isWide = Math.log10(high / low) > 2.5
	return y.ticks().filter((tick) => (isWide ? /^0?\.?0*1/ : /^0?\.?0*[125]/).test(String(tick)))
}

const round = (figure: number) => Math.round(figure * 10) / 10
