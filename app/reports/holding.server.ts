import { type z } from 'zod/v4'
import { type UnknownCost } from '#contract/dashboard'
import { type HoldingFact } from '#contract/holding'
import { type HoldingRow } from '#contract/reports'
import { markUnread, unreadIn, withUnread } from '#contract/tolerant'
import { formatDashedDay, formatDay } from '#contract/values/dates'
import { formatRupees } from '#contract/values/money'
import { askBriefly, whenAbsent } from '~/broker/client.server'
import { today } from '~/broker/clock.server'
import { getHoldingReport, listHoldingFacts } from '~/broker/reports.server'
import { drawBars } from '~/lib/chart-geometry.server'
import { formatPercent, formatRate } from '~/lib/percent'
import { type KeyFigure } from '~/lib/table'
import { formatUnits } from '~/lib/units'
import { DASH, orDash, sumOrNull } from '~/lib/unknown'
import { findHoldingPage } from './addresses.server'
import { average, clampText, money, price, quantity, share, showGain, tellPrices, text, withTone } from './columns.server'
import { type Column } from './declaration'
import { defineStatement, type Definition } from './statement.server'

/** `fact` is undefined when the facts could not be loaded, or the broker does not offer them (`isAbsent`). */
type Row = z.output<typeof HoldingRow> & { fact?: z.output<typeof HoldingFact>; isChecked: boolean; isAbsent: boolean }

/** What cost nothing, such as a right, has a gain; a cost that is unknown has none. */
const isWithoutCost = ({ INVESTED, UNREALISED }: z.output<typeof HoldingRow>) => INVESTED === 0 && !UNREALISED

/** True when the cost of no unit is known. The row then shows no average, cost or gain, because they would be wrong. */
const isUnknown = (row: Row) => (row.isChecked && row.fact ? row.QTY !== null && row.fact.UNKNOWN_QTY >= row.QTY : isWithoutCost(row))

const pledgedUnits: Column<Row> = {
	...quantity<Row>('pledged', 'Pledged', (row) => row.PLEDGE_QTY),
	cell: ({ PLEDGE_QTY, fact }) => {
		const shown = orDash(PLEDGE_QTY, formatUnits)
		const unpaid = fact?.UNPAID_QTY
		return unpaid ? { text: shown, note: `${formatUnits(unpaid)} not paid for: held by the broker (CUSPA) until they are` } : shown
	},
}

/** The units that cannot be sold at once: `60 pledged, 15 unsettled`. Undefined when there are none. */
function tellHeldBack({ PLEDGE_QTY, UNSETTLED_QTY }: Row): string | undefined {
	const parts = [
		PLEDGE_QTY ? `${formatUnits(PLEDGE_QTY)}\u00a0pledged` : '',
		UNSETTLED_QTY ? `${formatUnits(UNSETTLED_QTY)}\u00a0unsettled` : '',
	]
	return parts.filter(Boolean).join(', ') || undefined
}

/**
 * For a broker without the call for this: the holdings that came without a cost, by the rule of the report's note. The other cells of the
 * report are not on the dashboard, so they are not counted as unreadable there.
 */
export function sumUnknownCost(rows: readonly z.output<typeof HoldingRow>[]): UnknownCost {
	const unknown = rows.filter(isWithoutCost)
	const cost = { holdings: unknown.length, value: unknown.reduce((sum, { VALUE }) => sum + (VALUE ?? 0), 0) }
	const unread = unreadIn(rows)
	const cells = rows.flatMap(({ INVESTED, VALUE }) => [INVESTED, VALUE]).filter((cell) => cell === null).length
	if (unread) markUnread(cost, { ...unread, rows: 0, cells: 0 }, { ...unread, cells })
	return cost
}

function sumSectors(rows: readonly Row[]) {
	const sums = new Map<string, number>()
	for (const { SECTOR, VALUE } of rows) sums.set(SECTOR || 'Not known', (sums.get(SECTOR || 'Not known') ?? 0) + (VALUE ?? 0))
	return [...sums].map(([name, value]) => ({ name, value }))
}

/** The change of the day, and its percentage of the value before it. */
function tellDayChange(rows: readonly Row[]): KeyFigure {
	const change = sumOrNull(rows.map(({ DAY_CHANGE }) => DAY_CHANGE))
	const before = sumOrNull([...rows.map(({ VALUE }) => VALUE), change === null ? null : -change])
	const shown = showGain(change)
	return { label: 'Day change', ...shown, text: `${shown.text}${formatRate(change, before)}` }
}

export const holdingReport: Definition<Row> = {
	name: 'holding',
	filters: [],
	words: (row) => `${row.SYMBOL ?? ''} ${row.SCRIP_NAME ?? ''} ${row.ISIN} ${row.SECTOR ?? ''}`,
	async rows(broker, { from, to }, options) {
		const [rows, told] = await Promise.all([
			getHoldingReport(broker, { from, to }, options),
			askBriefly(listHoldingFacts(broker, { from, to }).catch(whenAbsent('absent' as const))),
		])
		const isAbsent = told === 'absent'
		const facts = isAbsent ? undefined : told
		const byIsin = new Map(facts?.map((fact) => [fact.ISIN, fact]))
		const isChecked = facts !== undefined && !unreadIn(facts)?.rows
		const held = rows.map((row) => ({ ...row, fact: byIsin.get(row.ISIN), isChecked, isAbsent }))
		return withUnread(held, rows, facts)
	},
	tiers: {
		keys: ['symbol', 'quantity', 'value', 'unrealised'],
		tablet: ['average', 'price', 'percent'],
		laptop: ['name', 'invested'],
	},
	strip: ['invested', 'value', 'unrealised'],
	main: 'value',
	// The dashboard shows the day change of the whole holding, so this is unknown when one row has none.
	figures: (rows) => [tellDayChange(rows)],
	rate: { gain: 'unrealised', base: 'invested', share: 'percent' },
	columns: [
		{
			...text<Row>(
				'symbol',
				'Symbol',
				(row) => row.SYMBOL || row.ISIN,
				(row) => findHoldingPage(row.ISIN),
			),
			// The line of a phone has room for two things.
			below: (row) => {
				const heldBack = tellHeldBack(row)
				const prices = tellPrices(isUnknown(row) ? null : row.AVG_RATE, heldBack ? null : row.CLOSE_PRICE)
				return [prices, isUnknown(row) && 'cost\u00a0not\u00a0known', heldBack].filter(Boolean).join(' · ') || undefined
			},
		},
		{
			...text<Row>('name', 'Name', (row) => row.SCRIP_NAME),
			cell: (row) => [clampText(row.SCRIP_NAME || DASH), tellHeldBack(row)].filter(Boolean).join(' · '),
		},
		text('isin', 'ISIN', (row) => row.ISIN),
		quantity('quantity', 'Quantity', (row) => row.QTY),
		quantity('free', 'Free', (row) => row.FREE_QTY),
		pledgedUnits,
		quantity('unsettled', 'Unsettled', (row) => row.UNSETTLED_QTY),
		average('average', 'Average', (row) => (isUnknown(row) ? null : row.AVG_RATE)),
		money('invested', 'Invested', (row) => (isUnknown(row) ? null : row.INVESTED), { isSummed: true }),
		price('price', 'Price', (row) => row.CLOSE_PRICE),
		money('value', 'Value', (row) => row.VALUE, { isSummed: true }),
		{
			...money<Row>('unrealised', 'Unrealised', (row) => (isUnknown(row) ? null : row.UNREALISED), { isGain: true, isSummed: true }),
			below: (row) =>
				isUnknown(row) || row.UNREALISED_PCT === null ? undefined : withTone(formatPercent(row.UNREALISED_PCT), row.UNREALISED_PCT),
			totalBelow: [{ key: 'percent' }],
		},
		share('percent', 'Unrealised %', (row) => (isUnknown(row) ? null : row.UNREALISED_PCT)),
	],
	allocations: (rows) => [
		{ by: 'holding', bars: drawBars(rows.map(({ SYMBOL, ISIN, VALUE }) => ({ name: SYMBOL || ISIN, value: VALUE ?? 0 }))) },
		{ by: 'sector', bars: drawBars(sumSectors(rows)) },
	],
	// The broker makes these files for today only. Beside the table of an earlier day they would show other figures under the same name.
	files: ({ to }) =>
		to < today()
			? []
			: [
					{ label: 'PDF', href: '/downloads/holding/pdf', type: 'HOLDING', flag: formatDashedDay(to) },
					{ label: 'Excel', href: '/downloads/holding/xlsx', type: 'HOLDING', flag: formatDashedDay(to) },
				],
	when: ({ to }) => `Held on ${formatDay(to)}`,
	empty: ({ to }) => `Nothing was held on ${formatDay(to)}.`,
	next: () => ({ href: '/funds', label: 'Add funds' }),
	note(rows) {
		if (rows.some(({ isChecked, isAbsent }) => !isChecked && !isAbsent))
			return 'Whether every cost is known could not be loaded: an average may be without some of the units.'
		const unknown = rows.filter((row) => (row.fact ? row.fact.UNKNOWN_QTY > 0 : isUnknown(row)))
		if (unknown.length === 0) return undefined
		// Two rows of one security have one fact.
		const facts = new Set(unknown.flatMap(({ fact }) => fact ?? []))
		const value =
			[...facts].reduce((sum, { UNKNOWN_VALUE }) => sum + (UNKNOWN_VALUE ?? 0), 0) +
			unknown.reduce((sum, { fact, VALUE }) => sum + (fact ? 0 : (VALUE ?? 0)), 0)
		const names = [...new Set(unknown.map(({ SYMBOL, ISIN }) => SYMBOL || ISIN))].join(', ')
		return `Cost not known: ${unknown.length} of ${rows.length} (${names}), worth ${formatRupees(value)}, left out of Invested and Unrealised.`
	},
}

export const holdingStatement = defineStatement(holdingReport)
