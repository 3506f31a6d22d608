import { type Day, formatDay } from '#contract/values/dates'
import { formatAmount, formatBalance, formatGain, formatRupees, type Paise, formatPlainAmount } from '#contract/values/money'
import { formatPercent } from '~/lib/percent'
import { type StatusKind } from '~/lib/status-kind'
import { formatUnits } from '~/lib/units'
import { DASH, orDash } from '~/lib/unknown'
import { type Column, type KeyFigure } from './report.server'

/*
 * The kinds of report columns. Each defines its text on screen, its value in a spreadsheet, its sort key and its sum. A missing figure
 * is shown as a dash, never as a zero.
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

/** The name of a security or contract. */
export function scrip<Row extends { SCRIP_NAME: string }>(): Column<Row> {
	const column = text<Row>('name', 'Name', (row) => row.SCRIP_NAME)
	return { ...column, cell: (row) => clampText(row.SCRIP_NAME.replace(CONTRACT_END, '$1\u00a0$2') || DASH) }
}

/** A column of states in words; `kind` returns undefined for an unknown state. `note` explains the state of a row. */
export function status<Row>(
	key: string,
	label: string,
	get: (row: Row) => string | null,
	kind: (row: Row) => StatusKind | undefined,
	note?: (row: Row) => string | undefined,
	isNoteWide?: boolean,
): Column<Row> {
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

type MoneyOptions = {
	/** The amount is a profit or loss: shown with its sign and colour. */
	isGain?: boolean
	/** Shown with its side, `8,823.71 Cr`: owed to the client (Cr) or by the client (Dr), which is neither gain nor loss. */
	hasSide?: boolean
	/** Summed in the foot. */
	isSummed?: boolean
	/** The label of the sum above the table, when it differs from the label of the column, and a note for it. */
	sum?: { label?: string; note?: string }
}

/** An amount in paise. */
export function money<Row>(
	key: string,
	label: string,
	get: (row: Row) => Paise | null,
	{ isGain, hasSide, isSummed, sum: said }: MoneyOptions = {},
): Column<Row> {
	// The head of the column has the unit.
	const shown = (paise: Paise) => (hasSide ? formatBalance(paise) : isGain ? formatGain(paise) : formatAmount(paise)).replace('₹ ', '')
	return {
		key,
		label,
		align: 'right',
		unit: '₹',
		cell: (row) => {
			const paise = get(row)
			if (paise === null) return DASH
			return isGain && paise !== 0 ? { text: shown(paise), tone: paise > 0 ? 'gain' : 'loss' } : shown(paise)
		},
		plain: (row) => {
			const paise = get(row)
			return paise === null ? '' : formatPlainAmount(paise)
		},
		sortBy: (row) => get(row) ?? Number.NEGATIVE_INFINITY,
		...(isSummed && {
			amount: get,
			total: (rows) => orDash(sumKnown(rows.map(get)), shown),
			headline: (rows) => {
				const sum = sumKnown(rows.map(get))
				if (sum === null) return { ...said, text: DASH }
				if (!isGain) return { ...said, text: hasSide ? formatBalance(sum) : formatRupees(sum) }
				return { ...said, ...showGain(sum) }
			},
		}),
	}
}

/** Returns the text and colour of a gain or loss in paise as a main figure. */
export function showGain(paise: Paise | null): Omit<KeyFigure, 'label'> {
	return { text: orDash(paise, formatGain), ...(paise && { tone: paise > 0 ? ('gain' as const) : ('loss' as const) }) }
}

/** The sum of the known values; null when none is known. */
function sumKnown(amounts: readonly (number | null)[]): number | null {
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

export const formatPrice = (rupees: number) => price4.format(rupees)

/** Rupees per unit, with two to four decimals; never summed. */
export function price<Row>(key: string, label: string, get: (row: Row) => number | null): Column<Row> {
	return { ...number(key, label, get, formatPrice, String), unit: '₹' }
}

/**
 * Returns the line below a name on a phone, in rupees per unit: `avg 1,153.15 · price 1,346.30`. Leaves out an unknown price; undefined
 * when both are unknown.
 */
export function tellPrices(average: number | null, now: number | null): string | undefined {
	const known = [average !== null && `avg\u00a0${formatPrice(average)}`, now !== null && `price\u00a0${formatPrice(now)}`].filter(Boolean)
	return known.join(' · ') || undefined
}

/** A percentage with its sign. */
export function share<Row>(key: string, label: string, get: (row: Row) => number | null): Column<Row> {
	return number(key, label, get, formatPercent, (value) => value.toFixed(2))
}
