import { type z } from 'zod/v4'
import { type GlobalDetailRow } from '#contract/reports'
import { formatDay } from '#contract/values/dates'
import { formatYear } from '#contract/values/financial-year'
import { formatAmount, formatGain, formatRupees } from '#contract/values/money'
import { SIDES } from '#contract/values/segments'
import { getGlobalDetailsReport } from '~/broker/reports.server'
import { formatUnits } from '~/lib/units'
import { DASH, nameCode, orDash, sumOrNull } from '~/lib/unknown'
import { clampText, day, isFuture, money, price, quantity, scrip, sumKnown, tellTrade, text } from './columns.server'
import { defineStatement } from './statement.server'

type Row = z.output<typeof GlobalDetailRow>

/** `Buy 75 × 152.55 · all charges 23.60`: side, units, rate, and brokerage with charges. */
function describeTrade({ SIDE, QTY, RATE, BROKERAGE, CHARGES }: Row): string | undefined {
	const charges = sumOrNull([BROKERAGE, CHARGES])
	return (
		[tellTrade(SIDE, QTY, RATE), charges ? `all\u00a0charges\u00a0${formatAmount(charges)}` : ''].filter(Boolean).join(' · ') || undefined
	)
}

const net = money<Row>('net', 'Net', (row) => row.NET_AMT, { hasSign: true, isSummed: true })

const findNotes = ({ DATE, SETL_NO }: Row) =>
	SETL_NO ? `/reports/contractnbill?${new URLSearchParams({ filtered: '1', from: DATE, to: DATE, q: SETL_NO })}` : undefined

/** Every trade of a year, in one table and one file. */
export const globalDetailsStatement = defineStatement<Row>({
	name: 'global-details',
	isByDay: true,
	filters: ['segment'],
	about: 'Every trade of the year, with its charges',
	words: (row) =>
		`${row.SCRIP_NAME} ${row.ISIN ?? ''} ${row.CONTRACT_NO ?? ''} ${row.SETL_NO ?? ''} ${formatDay(row.DATE)} ${row.SIDE ?? ''}`,
	rows: getGlobalDetailsReport,
	tiers: { keys: ['date', 'name', 'net'], tablet: ['side', 'quantity', 'rate', 'amount'], laptop: ['brokerage', 'charges'] },
	lead: (rows) => ({
		label: 'Brokerage and charges',
		text: orDash(sumKnown(rows.flatMap(({ BROKERAGE, CHARGES }) => [BROKERAGE, CHARGES])), formatRupees),
	}),
	strip: ['brokerage'],
	figures: (rows) => [{ label: 'Other charges', text: orDash(sumKnown(rows.map(({ CHARGES }) => CHARGES)), formatRupees) }],
	latest: (row) => ({
		what: [row.SIDE && nameCode(SIDES, row.SIDE), row.QTY !== null && formatUnits(row.QTY), clampText(row.SCRIP_NAME)]
			.filter(Boolean)
			.join(' '),
		amount: orDash(row.NET_AMT, formatGain),
	}),
	columns: [
		// The row does not name the bill of its contract note, so the link opens the notes of that day and settlement.
		day('date', 'Date', (row) => row.DATE, findNotes),
		text('settlement', 'Settlement', (row) => row.SETL_NO),
		text('contract', 'Contract', (row) => row.CONTRACT_NO),
		{ ...scrip<Row>(), below: describeTrade },
		text('isin', 'ISIN', (row) => row.ISIN),
		text('side', 'Side', (row) => nameCode(SIDES, row.SIDE)),
		quantity('quantity', 'Quantity', (row) => row.QTY),
		price('rate', 'Rate', (row) => row.RATE),
		money('amount', 'Amount', (row) => row.AMOUNT),
		money('brokerage', 'Brokerage', (row) => row.BROKERAGE, { isSummed: true }),
		money('charges', 'Charges', (row) => row.CHARGES, { isSummed: true }),
		// Contract values and cash have no sum.
		{ ...net, total: (rows) => (rows.some(isFuture) ? DASH : (net.total?.(rows) ?? DASH)) },
	],
	// Above the rows, because the net of one future reads like a large loss.
	note: (rows) =>
		`Net: sold less bought, after all charges; not a profit or loss.${rows.some(isFuture) ? ' Net of a future is its contract value, not cash, so Net has no total.' : ''}`,
	// The broker's file has all segments, so it is not beside the table of one.
	files: ({ year, segment }) =>
		segment
			? []
			: [
					{
						label: 'Excel',
						href: `/downloads/global-details/xlsx?year=${formatYear(year)}`,
						type: 'GLOBAL DETAILS',
						flag: formatYear(year),
					},
				],
	empty: ({ year }) => `No trade was made in ${formatYear(year)}.`,
})
