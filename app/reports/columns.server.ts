import { type Day, formatDay } from '#contract/values/dates'
import { formatAmount, formatBalance, formatGain, formatRupees, type Paise, formatPlainAmount } from '#contract/values/money'
import { formatMoment, formatPlainMoment } from '#contract/values/moments'
import { SIDES } from '#contract/values/segments'
import { formatPercent } from '~/lib/percent'
import { type StatusKind } from '~/lib/status-kind'
import { type KeyFigure } from '~/lib/table'
import { formatUnits } from '~/lib/units'
import { DASH, nameCode, orDash } from '~/lib/unknown'
import { type Column } from './declaration'

/*
 * The kinds of report columns. Each defines its text on screen, its value in a spreadsheet, its sort key and its sum. A missing figure
 * is shown as a dash, never as a zero. A known zero is shown in the format of its column: `0` units, `0.00` rupees. Only where a row has
 * one of two sides, Debit and Credit of the ledger, is the other side blank.
 */

/** Maximum characters of a cell on screen. A file has the whole text. */
const LONGEST_SHOWN = 500

export function clampText(words: string): string {
	return words.length > LONGEST_SHOWN ? `${words.slice(0, LONGEST_SHOWN - 1)}…` : words
}

export function text<Row>(
	key: string,
	label: string,
	get: (row: Row) => string | null,
	href?: (row: Row) => string | undefined,
): Column<Row> {
	return {
		key,
		label,
		cell: (row) => {
			const shown = clampText(get(row) || DASH)
			const target = href?.(row)
			return target ? { text: shown, href: target } : shown
		},
		plain: (row) => get(row) ?? '',
		sortBy: (row) => get(row) ?? '',
	}
}

/** The end of a contract's name, which must not break at the end of a line: `26APR FUT`, `24400 CE`. */
const CONTRACT_END = /(\d\d[A-Z]{3}|\d) (FUT|CE|PE)$/

/** By the end of the name, because the row of a trade has no kind. */
export const isFuture = ({ SCRIP_NAME }: { SCRIP_NAME: string }) => / FUT$/.test(SCRIP_NAME)

/** The name of a security or contract. */
export function scrip<Row extends { SCRIP_NAME: string }>(): Column<Row> {
	const column = text<Row>('name', 'Name', (row) => row.SCRIP_NAME)
	return { ...column, cell: (row) => clampText(row.SCRIP_NAME.replace(CONTRACT_END, '$1\u00a0$2') || DASH) }
}

type State<Row> = {
	get: (row: Row) => string | null
	/** Returns undefined for an unknown state. */
	kind: (row: Row) => StatusKind | undefined
	/** Explains the state of a row. */
	note?: (row: Row) => string | undefined
	isNoteWide?: boolean
}

/** A column of states in words. */
export function status<Row>(key: string, label: string, { get, kind, note, isNoteWide }: State<Row>): Column<Row> {
	return {
		...text(key, label, get),
		cell: (row) => ({ text: clampText(get(row) || DASH), status: kind(row), note: note?.(row), isNoteWide }),
	}
}

export function day<Row>(key: string, label: string, get: (row: Row) => Day | null, href?: (row: Row) => string | undefined): Column<Row> {
	return {
		key,
		label,
		cell: (row) => {
			const shown = orDash(get(row), formatDay)
			const target = href?.(row)
			return target ? { text: shown, href: target } : shown
		},
		plain: (row) => get(row) ?? '',
		sortBy: (row) => get(row) ?? '',
	}
}

/** A column of instants in Indian time: `17:30 on 20/11/2026`; in a spreadsheet `2026-11-20 17:30`. */
export function moment<Row>(key: string, label: string, get: (row: Row) => string | null): Column<Row> {
	return {
		key,
		label,
		cell: (row) => orDash(get(row), formatMoment),
		plain: (row) => {
			const at = get(row)
			return at === null ? '' : formatPlainMoment(at)
		},
		sortBy: (row) => get(row) ?? '',
	}
}

type MoneyOptions = {
	/** The amount is a profit or loss: shown with its sign and colour in each row, in the foot and above the table. */
	isGain?: boolean
	/** Shown with its side, `8,823.71 Cr`: owed to the client (Cr) or by the client (Dr), which is neither gain nor loss. */
	hasSide?: boolean
	/** Shown with its sign: money in or out, which is neither gain nor loss. */
	hasSign?: boolean
	/** Summed in the foot. */
	isSummed?: boolean
}

/** An amount in paise. */
export function money<Row>(
	key: string,
	label: string,
	get: (row: Row) => Paise | null,
	{ isGain, hasSide, hasSign, isSummed }: MoneyOptions = {},
): Column<Row> {
	// The head of the column has the unit.
	const shown = (paise: Paise) =>
		(hasSide ? formatBalance(paise) : isGain || hasSign ? formatGain(paise) : formatAmount(paise)).replace('₹ ', '')
	const draw = (paise: Paise | null) => (paise === null ? DASH : isGain ? withTone(shown(paise), paise) : shown(paise))
	return {
		key,
		label,
		align: 'right',
		unit: '₹',
		hasSide,
		cell: (row) => draw(get(row)),
		plain: (row) => {
			const paise = get(row)
			return paise === null ? '' : formatPlainAmount(paise)
		},
		sortBy: (row) => get(row) ?? Number.NEGATIVE_INFINITY,
		...(isSummed && {
			amount: get,
			total: (rows) => draw(sumKnown(rows.map(get))),
			headline: (rows) => {
				const sum = sumKnown(rows.map(get))
				if (sum === null) return { text: DASH }
				if (!isGain) return { text: hasSide ? formatBalance(sum) : formatRupees(sum) }
				return showGain(sum)
			},
		}),
	}
}

/** Returns the text and colour of a gain or loss in paise as a main figure. */
export function showGain(paise: Paise | null): Omit<KeyFigure, 'label'> {
	return { text: orDash(paise, formatGain), ...(paise && { tone: paise > 0 ? ('gain' as const) : ('loss' as const) }) }
}

/** Returns a text with the colour of the gain that it states. */
export const withTone = (said: string, gain: number) =>
	gain === 0 ? said : { text: said, tone: gain > 0 ? ('gain' as const) : ('loss' as const) }

/** The sum of the known values; null when none is known. */
export function sumKnown(amounts: readonly (number | null)[]): number | null {
	const known = amounts.filter((paise) => paise !== null)
	return known.length > 0 ? known.reduce((sum, paise) => sum + paise, 0) : null
}

const price4 = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 4 })

function number<Row>(
	key: string,
	label: string,
	get: (row: Row) => number | null,
	show: (value: number) => string,
	plain: (value: number) => string,
): Column<Row> {
	return {
		key,
		label,
		align: 'right',
		cell: (row) => {
			const value = get(row)
			return value === null ? DASH : show(value).replace('-', '−')
		},
		plain: (row) => {
			const value = get(row)
			return value === null ? '' : plain(value)
		},
		sortBy: (row) => get(row) ?? Number.NEGATIVE_INFINITY,
	}
}

/** A column of units, or days. Units of one security may be summed in the foot. */
export function quantity<Row>(
	key: string,
	label: string,
	get: (row: Row) => number | null,
	{ isSummed }: { isSummed?: boolean } = {},
): Column<Row> {
	return {
		...number(key, label, get, formatUnits, String),
		...(isSummed && { total: (rows: readonly Row[]) => orDash(sumKnown(rows.map(get)), formatUnits) }),
	}
}

/** What is open of a security or contract: `65`, or `Short 65`, because a sign is easily missed. A file has `-65`. */
export const formatOpen = (units: number) => (units < 0 ? `Short\u00a0${formatUnits(-units)}` : formatUnits(units))

/** A column of units that may be short. */
export const openUnits = <Row>(key: string, label: string, get: (row: Row) => number | null): Column<Row> =>
	number(key, label, get, formatOpen, String)

/** A price as it was quoted: two to four decimals. */
export const formatPrice = (rupees: number) => price4.format(rupees)

const average2 = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const average4 = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 4, maximumFractionDigits: 4 })

/**
 * An average is computed, so it has two decimals; in currency contracts four, because they are quoted in steps of 0.0025. A file has
 * every decimal that the broker sent.
 */
export const formatAverage = (rupees: number, segment?: string | null) => (segment === 'CD_NSE' ? average4 : average2).format(rupees)

/** Rupees per unit as quoted; never summed. */
export function price<Row>(key: string, label: string, get: (row: Row) => number | null): Column<Row> {
	return { ...number(key, label, get, formatPrice, String), unit: '₹' }
}

/** An average of rupees per unit; `segment` is that of a row whose report has contracts. */
export function average<Row>(
	key: string,
	label: string,
	get: (row: Row) => number | null,
	segment?: (row: Row) => string | null,
): Column<Row> {
	const column = price(key, label, get)
	return {
		...column,
		cell: (row) => orDash(get(row), (rupees) => formatAverage(rupees, segment?.(row)).replace('-', '−')),
	}
}

/**
 * Returns the line below a name on a phone, in rupees per unit: `avg 1,153.15 · price 1,346.30`. Leaves out an unknown price; undefined
 * when both are unknown.
 */
export function tellPrices(mean: number | null, now: number | null, segment?: string | null): string | undefined {
	const known = [mean !== null && `avg\u00a0${formatAverage(mean, segment)}`, now !== null && `price\u00a0${formatPrice(now)}`].filter(
		Boolean,
	)
	return known.join(' · ') || undefined
}

/** Returns the line below the name of a trade on a phone: `Buy 75 × 152.55`. Leaves out what is unknown. */
export function tellTrade(side: string | null, units: number | null, rate: number | null): string {
	const at = units === null || rate === null ? '' : `${formatUnits(units)} × ${formatPrice(rate)}`
	return `${side ? nameCode(SIDES, side) : ''} ${at}`.trim()
}

/** The percentage of a gain, with its sign and colour. */
export function share<Row>(key: string, label: string, get: (row: Row) => number | null): Column<Row> {
	const column = number(key, label, get, formatPercent, (value) => value.toFixed(2))
	return {
		...column,
		cell: (row) => {
			const percent = get(row)
			return percent === null ? DASH : withTone(formatPercent(percent), percent)
		},
	}
}
