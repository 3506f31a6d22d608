import { type Dashboard as DashboardFigures, type HoldingTotal, type UnknownCost } from '#contract/dashboard'
import { type Day, formatDay } from '#contract/values/dates'
import { type FinancialYear, findLastDay, startOfYear } from '#contract/values/financial-year'
import { formatGain, formatRupees, type Paise } from '#contract/values/money'
import { type Broker } from '~/broker/client.server'
import { today } from '~/broker/clock.server'
import { getUnknownCost } from '~/broker/dashboard.server'
import { getHoldingReport } from '~/broker/reports.server'
import { type ReadOptions } from '~/broker/requests.server'
import { loadPart, loadSidePart, type PartialData } from '~/http/partial-data.server'
import { drawLines } from '~/lib/chart-geometry.server'
import { formatRate } from '~/lib/percent'
import { DASH, orDash, sumOrNull } from '~/lib/unknown'
import { webAddress } from '~/lib/web-address'
import { showGain } from '~/reports/columns.server'
import { sumUnknownCost } from '~/reports/holding.server'

/* The figures on the cards of the dashboard. */

/** Draws the chart of value and invested amount by month; undefined when there are too few months. */
export function drawPortfolio(history: DashboardFigures['history']) {
	return drawLines(
		// Oldest first, whatever the broker's order.
		history
			.toSorted((one, other) => (one.date < other.date ? -1 : 1))
			.map(({ date, value, invested }) => ({ date, first: value, second: invested })),
		{ title: 'Portfolio value and invested amount by month', names: ['Value', 'Invested'], format: formatRupees },
	)
}

/**
 * Returns the day of the holding's value in a past year: that of the last point of the chart when it has the same value, because the year
 * may end on a day without trading.
 */
export function findValueDay(history: DashboardFigures['history'] = [], value: Paise | null | undefined, end: Day): Day {
	const latest = history
		.map(({ date }) => date)
		.sort()
		.at(-1)
	const last = history.find(({ date }) => date === latest)
	return last && last.value === value && last.date < end ? last.date : end
}

/** The card when the broker states no holding. */
export const NO_HOLDING = { value: undefined, rows: [], note: 'No holding is stated.', leftOut: undefined }

const NOTHING_UNKNOWN: UnknownCost = { holdings: 0, value: 0 }

/**
 * Loads what the gain must leave out. For a broker without this call it comes from the holding report, so that both pages state the same
 * gain.
 */
export async function loadUnknownCost(broker: Broker, year: FinancialYear, options: ReadOptions) {
	const stated = await loadSidePart(broker, getUnknownCost(broker, year, options), NOTHING_UNKNOWN)
	if (!stated.isAbsent) return stated
	const period = { from: startOfYear(year), to: findLastDay(year, today()) }
	return await loadPart(broker, getHoldingReport(broker, period, options).then(sumUnknownCost))
}

function tellGain(label: string, paise: Paise | null) {
	const { text, tone } = showGain(paise)
	return { label, figure: text, tone }
}

/** The same in few words, below the figure of a card. */
function countUnknownCost({ holdings }: UnknownCost): string | undefined {
	if (holdings === 0) return undefined
	return holdings === 1 ? 'The cost of 1 holding is not known' : `The cost of ${holdings} holdings is not known`
}

/** Returns why value less invested is not the gain; undefined when every cost is known. */
export function tellUnknownCost({ holdings, value }: UnknownCost = NOTHING_UNKNOWN) {
	if (holdings === 0) return undefined
	const [what, they] = holdings === 1 ? ['1 holding', 'has no known cost: it is'] : [`${holdings} holdings`, 'have no known cost: they are']
	return `${what} worth ${formatRupees(value)} ${they} in the value only.`
}

/** The change of the day, and its percentage of the value before it, as on the page Holding. */
function tellDayChange(change: Paise | null, value: Paise | null) {
	const told = tellGain('Day change', change)
	return { ...told, figure: `${told.figure}${formatRate(change, sumOrNull([value, change === null ? null : -change]))}` }
}

/** Holdings of unknown cost have no known gain. They are in the value and not in the gain, and `leftOut` says so. */
export function summarizeHolding(
	{ total_amount, invested_amount, day_change }: HoldingTotal,
	{ data: unknown, failure }: PartialData<UnknownCost>,
) {
	const unrealised = unknown && sumOrNull([total_amount, -unknown.value, invested_amount === null ? null : -invested_amount])
	return {
		value: orDash(total_amount, formatRupees),
		rows: [
			{ label: 'Invested', figure: orDash(invested_amount, formatRupees) },
			unrealised === undefined || unrealised === null
				? { label: 'Unrealised', figure: DASH }
				: {
						label: 'Unrealised',
						figure: `${formatGain(unrealised)}${formatRate(unrealised, invested_amount)}`,
						tone: showGain(unrealised).tone,
					},
			tellDayChange(day_change, total_amount),
		],
		note: unknown && countUnknownCost(unknown),
		leftOut: failure && `Which holdings have no known cost could not be loaded, so no gain is shown. ${failure.message}`,
	}
}

/** Returns the net of the year and what it is made of. Net does not include the dividends, as in the Profit & Loss report. */
export function listResult({ realised_pnl, unrealised_pnl, charges, dividend }: DashboardFigures) {
	const net = showGain(sumOrNull([realised_pnl, unrealised_pnl, charges === null ? null : -charges]))
	const rows = [
		tellGain('Realised, before charges', realised_pnl),
		tellGain('Unrealised, with open contracts', unrealised_pnl),
		{ label: 'Charges', figure: orDash(charges, formatRupees) },
		{ label: 'Dividends, not in net', figure: orDash(dividend, formatRupees) },
	]
	return { main: [{ label: 'Net, after charges', ...net, isMain: true }], rows }
}

/** Returns what a ledger balance is, at the end of `day` for a past year. `Dr` is explained only where it stands beside credits. */
export function tellWhose({ total, rows = [] }: { total?: string; rows?: readonly { figure: string }[] }, day?: string): string {
	const areOwed = [total, ...rows.map(({ figure }) => figure)].map((figure) => figure?.endsWith(' Dr'))
	if (areOwed.every(Boolean)) return day ? `What you owed the broker on ${day}` : 'What you owe the broker'
	return `Your money ${day ? `on ${day}` : 'with the broker'}${areOwed.some(Boolean) ? '; Dr: you owe' : ''}`
}

/** Returns a notice of the broker as the page shows it. */
export const describeNotice = ({ title, date, body, link }: DashboardFigures['notices'][number]) => ({
	title: title || DASH,
	date: orDash(date, formatDay),
	body: body ?? '',
	link: webAddress(link),
})
