import { type z } from 'zod/v4'
import { type PositionRow } from '#contract/reports'
import { formatDay } from '#contract/values/dates'
import { SEGMENTS } from '#contract/values/segments'
import { getPositionReport } from '~/broker/reports.server'
import { type KeyFigure } from '~/lib/table'
import { formatUnits } from '~/lib/units'
import { nameCode, orDash, sumOrNull } from '~/lib/unknown'
import { average, day, formatOpen, money, price, quantity, showGain, tellPrices, text } from './columns.server'
import { defineStatement } from './statement.server'

type Row = z.output<typeof PositionRow>

const findSegment = ({ COCD }: Row) => COCD

/** A name such as `26DEC FUT` reads as 26 December, so a phone shows the day of expiry too. */
const tellContract = ({ COCD, EXPIRY, NET_AVG, CLOSE_PRICE }: Row) =>
	[EXPIRY && `expiry ${formatDay(EXPIRY)}`, tellPrices(NET_AVG, CLOSE_PRICE, COCD)].filter(Boolean).join(' · ') || undefined

/** Beside short contracts the long ones say their direction too: `Long 1`. */
const tellNet = ({ NET_QTY }: Row) => orDash(NET_QTY, (units) => (units > 0 ? `Long\u00a0${formatUnits(units)}` : formatOpen(units)))

/** Exchanges write `XX` as the option type of a future. */
const isOption = ({ INSTRUMENT, OPTION_TYPE }: Row) => /^(CE|PE)$/.test(OPTION_TYPE ?? '') || Boolean(INSTRUMENT?.startsWith('OPT'))

/** The mark to market that the ledger already has; null at a broker that does not say. */
const sumSettled = (rows: readonly Row[]) => sumOrNull(rows.map(({ MTM_PAID }) => MTM_PAID ?? null))

/** Futures are settled day by day, options never: their premium is paid at the trade. */
function splitMtm(rows: readonly Row[]): KeyFigure[] {
	const options = rows.filter(isOption)
	const futures = rows.filter((row) => !isOption(row))
	const settled = sumSettled(futures)
	const mtm = sumOrNull(futures.map(({ MTM }) => MTM))
	const unrealised = sumOrNull(options.map(({ MTM }) => MTM))
	if (settled === null || mtm === null || unrealised === null) return []
	return [
		...(futures.length > 0
			? [
					{ label: 'MTM in your ledger', ...showGain(settled) },
					{ label: 'MTM not yet in your ledger', ...showGain(mtm - settled) },
				]
			: []),
		...(options.length > 0 ? [{ label: 'Options, unrealised', ...showGain(unrealised) }] : []),
	]
}

const OPTIONS = 'The premium of an option was paid or received at the trade; its MTM is the gain or loss if it were closed at this price.'

/** Open contracts at the end of the period; the foot sums the rows shown. */
export const positionStatement = defineStatement<Row>({
	name: 'position',
	filters: ['segment'],
	words: (row) => `${row.SCRIP_NAME} ${row.SYMBOL ?? ''} ${nameCode(SEGMENTS, row.COCD)}`,
	rows: async (broker, period, options) => (await getPositionReport(broker, period, options)).filtered_df,
	tiers: {
		keys: ['contract', 'net-quantity', 'mtm'],
		tablet: ['net-average', 'price', 'realised'],
		laptop: ['segment', 'expiry'],
	},
	strip: ['mtm'],
	main: 'mtm',
	columns: [
		text('segment', 'Segment', (row) => nameCode(SEGMENTS, row.COCD)),
		{ ...text<Row>('contract', 'Contract', (row) => row.SCRIP_NAME), below: tellContract },
		day('expiry', 'Expiry', (row) => row.EXPIRY),
		quantity('buy-quantity', 'Buy quantity', (row) => row.BUY_QTY),
		average('buy-average', 'Buy average', (row) => (row.BUY_QTY === 0 ? null : row.BUY_AVG), findSegment),
		quantity('sell-quantity', 'Sell quantity', (row) => row.SELL_QTY),
		average('sell-average', 'Sell average', (row) => (row.SELL_QTY === 0 ? null : row.SELL_AVG), findSegment),
		{ ...quantity<Row>('net-quantity', 'Net quantity', (row) => row.NET_QTY), cell: tellNet },
		average('net-average', 'Net average', (row) => row.NET_AVG, findSegment),
		price('price', 'Price', (row) => row.CLOSE_PRICE),
		money('mtm', 'MTM', (row) => row.MTM, { isGain: true, isSummed: true }),
		money('realised', 'Realised', (row) => row.REALISED, { isGain: true, isSummed: true }),
	],
	// The parts of the MTM stand beside it.
	figures: (rows) => [...splitMtm(rows), { label: 'Realised', ...showGain(sumOrNull(rows.map(({ REALISED }) => REALISED))) }],
	note(rows) {
		return ['MTM (mark to market): the gain or loss at the closing price.', rows.some(isOption) && OPTIONS].filter(Boolean).join(' ')
	},
	when: ({ to }) => `Open on ${formatDay(to)}`,
	empty: ({ to }) => `No contract was open on ${formatDay(to)}.`,
	// Without a segment of contracts none was closed either.
	next: (held) =>
		held.some((code) => code !== 'NSE_CASH')
			? { href: '/reports/profitnloss', label: 'See closed contracts in Profit & Loss' }
			: { href: '/myaccount/segments', label: 'See your segments' },
})
