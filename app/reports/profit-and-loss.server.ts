import { z } from 'zod/v4'
import { type Pnl, type PnlRow, type PnlSegmentAnswer, type PnlTie } from '#contract/pnl'
import { type StockMoves } from '#contract/reports'
import { type IncomeTax } from '#contract/tax'
import { isRounded, unreadIn, withUnread } from '#contract/tolerant'
import { Segment } from '#contract/units'
import { formatDay } from '#contract/values/dates'
import { type FinancialYear, formatYear, findLastDay, selectableYears, startOfYear } from '#contract/values/financial-year'
import { formatGain, formatRupees, type Paise } from '#contract/values/money'
import { SEGMENTS } from '#contract/values/segments'
import { type Broker, BrokerRefusal } from '~/broker/client.server'
import { now, today } from '~/broker/clock.server'
import { downloadPnlBundle, downloadPnlReport } from '~/broker/downloads.server'
import { listClientSegments } from '~/broker/profile.server'
import { getIncomeTaxReport, getPnlReport, getPnlSegmentReport, getPnlTie, listScripCharges, listStockMoves } from '~/broker/reports.server'
import { readRefresh } from '~/http/hard-refresh.server'
import { loadPart, loadSidePart, type PartialData } from '~/http/partial-data.server'
import { offerAll } from '~/lib/no-match'
import { allowRounding } from '~/lib/rounding'
import { DASH, nameCode, sumOrNull } from '~/lib/unknown'
import { average, money, openUnits, price, quantity, scrip, text } from './columns.server'
import { chargesCsv, chargesPart, chargesReport } from './pnl-charges.server'
import { listPnlFiles } from './pnl-files.server'
import { drawPnlMonths } from './pnl-months.server'
import { suggestNextStep } from './next-step.server'
import { BELOW_TOTAL, tellSteps } from './pnl-steps.server'
import { tellClosed } from './stock-moves.server'
import { describeTie, type Total } from './pnl-tie.server'
import { streamCsv } from './csv.server'
import { buildFoot } from './foot.server'
import { type Column, type Report } from './declaration'
import { arrange, buildSmallTable, sortableKeys, buildTable } from './report.server'
import { fitColumns } from './tiers.server'
import { nameUnknownCosts } from './unknown-cost.server'
import { addressWith, createLinkBase, readView } from './view.server'

type Row = z.output<typeof PnlRow> & { SEGMENT: Segment }

const findSegment = ({ SEGMENT }: Row) => SEGMENT

const sumNet = ({ REALISED, UNREALISED, CHARGES }: Row): Paise | null =>
	sumOrNull([REALISED, UNREALISED, CHARGES === null ? null : -CHARGES])

/** True when the cost is unknown: the broker then gives zeros, and showing them would be wrong. */
const isUnknown = (row: Row) =>
	row.ISIN !== null && (row.BUY_QTY ?? 0) > 0 && row.BUY_AMT === 0 && row.REALISED === 0 && row.UNREALISED === 0

/** Net is not known when the cost is not. The sum of Net still includes the charges of those rows, as the sum of Charges does. */
const net = money<Row>('net', 'Net', sumNet, { isGain: true, isSummed: true })

/** One row per security or contract, of one segment, or of all segments one after the other. */
export const pnlReport: Report<Row> = {
	title: 'Profit & Loss',
	words: (row) => `${row.SCRIP_NAME} ${row.ISIN ?? ''} ${nameCode(SEGMENTS, row.SEGMENT)}`,
	tiers: {
		keys: ['name', 'realised', 'net'],
		tablet: ['open-quantity', 'unrealised', 'charges'],
		laptop: ['buy-amount', 'sell-amount'],
	},
	strip: ['realised', 'unrealised', 'charges', 'net'],
	main: 'net',
	columns: [
		{ ...scrip<Row>(), below: (row) => (isUnknown(row) ? 'Cost not known' : tellSteps(row)), totalBelow: BELOW_TOTAL },
		text('isin', 'ISIN', (row) => row.ISIN),
		quantity('buy-quantity', 'Buy quantity', (row) => row.BUY_QTY),
		average('buy-average', 'Buy average', (row) => (row.BUY_QTY === 0 || isUnknown(row) ? null : row.BUY_RATE), findSegment),
		money('buy-amount', 'Buy amount', (row) => (isUnknown(row) ? null : row.BUY_AMT), { isSummed: true }),
		quantity('sell-quantity', 'Sell quantity', (row) => row.SELL_QTY),
		average('sell-average', 'Sell average', (row) => (row.SELL_QTY === 0 ? null : row.SELL_RATE), findSegment),
		money('sell-amount', 'Sell amount', (row) => row.SELL_AMT, { isSummed: true }),
		openUnits('open-quantity', 'Open quantity', (row) => row.OPEN_QTY),
		// An expired contract has no price.
		price('price', 'Price', (row) => (row.CLOSE_PRICE === 0 && row.OPEN_QTY === 0 ? null : row.CLOSE_PRICE)),
		money('realised', 'Realised', (row) => (isUnknown(row) ? null : row.REALISED), { isGain: true, isSummed: true }),
		money('unrealised', 'Unrealised', (row) => (isUnknown(row) ? null : row.UNREALISED), { isGain: true, isSummed: true }),
		money('charges', 'Charges', (row) => row.CHARGES, { isSummed: true }),
		{
			...net,
			isMain: true,
			cell: (row) => (isUnknown(row) ? DASH : net.cell(row)),
			plain: (row) => (isUnknown(row) ? '' : net.plain(row)),
			sortBy: (row) => (isUnknown(row) ? Number.NEGATIVE_INFINITY : (sumNet(row) ?? Number.NEGATIVE_INFINITY)),
		},
	],
}

const segmentColumns: Column<Total>[] = [
	{ ...text<Total>('segment', 'Segment', (row) => nameCode(SEGMENTS, row.SEGMENT)), below: tellSteps, totalBelow: BELOW_TOTAL },
	money('realised', 'Realised', (row) => row.REALISED, { isGain: true, isSummed: true }),
	money('unrealised', 'Unrealised', (row) => row.UNREALISED, { isGain: true, isSummed: true }),
	money('charges', 'Charges', (row) => row.CHARGES, { isSummed: true }),
	{ ...money<Total>('net', 'Net', (row) => row.NET, { isGain: true, isSummed: true }), isMain: true },
]

function segmentTable(rows: readonly Total[], url: URL) {
	const table = buildSmallTable('Segments', segmentColumns, rows, { order: { url, name: 'segments' } })
	return fitColumns(table, { keys: ['segment', 'realised', 'net'] }, url)
}

/** Where the report is shown: in the shell, or from a report link, where nothing else can be opened. */
type Place = { files: string; isAlone: boolean }

const NO_SEGMENTS: PnlSegmentAnswer = { status: 'success', message: '', data: [], zip_time: null, is_genearte: false }
const NO_TIE: PnlTie = { segments: [], ledgers: [] }

export const BUNDLE_STARTED = { kind: 'success' as const, message: 'The summary bundle is being made' }

/** The filters; an unknown segment means all. */
function readPnlQuery(url: URL): { segment?: Segment } {
	return { segment: Segment.safeParse(url.searchParams.get('segment')).data }
}

const viewAt = (url: URL) => readView(url, [...sortableKeys(pnlReport), ...sortableKeys(chargesReport)])

/** Returns everything the browser needs to draw the profit and loss of a year, in the shell or from a report link. */
export async function profitAndLossPage(broker: Broker, url: URL, year: FinancialYear, place: Place) {
	const { segment } = readPnlQuery(url)
	const held = await listClientSegments(broker)
	const flag = formatYear(year)
	const last = findLastDay(year, today())
	const page = {
		year: flag,
		years: selectableYears(now()).map(formatYear),
		period: `${held.length > 1 ? `${segment ? SEGMENTS[segment] : 'All segments'} · ` : ''}${formatDay(startOfYear(year))} to ${formatDay(last)}`,
		path: url.pathname,
		link: place.isAlone ? (url.searchParams.get('link') ?? undefined) : undefined,
		isAlone: place.isAlone,
		filters: { segment: segment ?? '', q: viewAt(url).q },
		segments: held.map((value) => ({ value, label: SEGMENTS[value] })),
		generate: addressWith(createLinkBase(url, flag), {}),
	}
	if (segment && !held.includes(segment)) return { ...page, missing: SEGMENTS[segment], shown: undefined, isFailed: false }

	const options = readRefresh({ url })
	// A broker may refuse to a report link what only adds to the report. The page then leaves it out.
	const added = <Data>(asked: Promise<Data>, none: Data) =>
		loadSidePart(broker, place.isAlone ? asked.catch(orNoneIfForbidden(none)) : asked, none)
	const [summary, months, charges, tie, moves, ...rows] = await Promise.all([
		loadPart(broker, getPnlSegmentReport(broker, year, options), NO_SEGMENTS),
		// A report link cannot open another report.
		place.isAlone ? undefined : loadSidePart(broker, getIncomeTaxReport(broker, year, options), null),
		added(listScripCharges(broker, year), []),
		added(getPnlTie(broker, year), NO_TIE),
		added(listStockMoves(broker, year), []),
		...(segment ? [segment] : held).map(async (of) => ({ of, ...(await loadPart(broker, listSegmentRows(broker, year, of, options))) })),
	])
	const shown = {
		summary: summary.data ? { table: segmentTable(summary.data.data, createLinkBase(url, flag)) } : { failure: summary.failure },
		rows: await rowsPart(broker, rows, { url, year, moves: moves.data, isAlone: place.isAlone }),
		mismatches: listMismatches(summary.data ?? NO_SEGMENTS, rows, segment ? undefined : held),
		isNoneStated: summary.data?.data.length === 0 && rows.some(({ data }) => data?.length !== 0),
		charges: chargesPart(charges, segment, viewAt(url), createLinkBase(url, flag), place.files),
		months: monthsPart(months, { segment, q: viewAt(url).q, year }, rows),
		tie: tie.data ? describeTie(tie.data, summary.data ?? NO_SEGMENTS, segment, place) : { failure: tie.failure },
		...listPnlFiles({ url, year: flag, rows, held, segment, bundle: summary.data, files: place.files }),
	}
	return { ...page, missing: undefined, shown, isFailed: Boolean(summary.failure) && rows.every(({ failure }) => failure) }
}

/** Returns the rows of the table as CSV, over all its pages. */
async function profitAndLossCsv(broker: Broker, url: URL, year: FinancialYear): Promise<ReadableStream<Uint8Array>> {
	const { segment } = readPnlQuery(url)
	const rows = await listProfits(broker, year, segment ? [segment] : await listClientSegments(broker))
	return streamCsv(pnlReport, [arrange(pnlReport, rows, viewAt(url))])
}

/** Returns the rows of a year for these segments, one segment after the other. */
export async function listProfits(broker: Broker, year: FinancialYear, segments: readonly Segment[]): Promise<Row[]> {
	const rows = await Promise.all(segments.map((of) => listSegmentRows(broker, year, of)))
	return withUnread(rows.flat(), ...rows)
}

async function listSegmentRows(broker: Broker, year: FinancialYear, of: Segment, options = {}): Promise<Row[]> {
	const report: Pnl = await getPnlReport(broker, year, of, options)
	return withUnread(
		report.filtered_df.map((row) => ({ ...row, SEGMENT: of })),
		report,
	)
}

const orNoneIfForbidden =
	<None>(none: None) =>
	(error: unknown): None => {
		if (error instanceof BrokerRefusal && error.status === 403) return none
		throw error
	}

type SegmentRows = PartialData<Row[]> & { of: Segment }

type OfMonths = { year: FinancialYear; segment?: Segment; q: string }

/** Draws the chart of the months. No chart for a search: the tax report that it comes from has other rows. */
function monthsPart(part: PartialData<IncomeTax | null> | undefined, { year, segment, q }: OfMonths, rows: readonly SegmentRows[]) {
	if (!part || q) return {}
	if (!part.data) return { failure: part.failure }
	const known = rows.flatMap(({ data }) => data ?? []).filter((row) => !isUnknown(row))
	const isAll = rows.every(({ data }) => data && !unreadIn(data))
	return { chart: drawPnlMonths(part.data, year, segment, isAll ? sumOrNull(known.map(({ REALISED }) => REALISED)) : null) }
}

/** Names a segment that could not be loaded. The others are shown, with a note that the total does not include it. */
async function rowsPart(
	broker: Broker,
	parts: readonly SegmentRows[],
	{ url, year, moves, isAlone }: { url: URL; year: FinancialYear; moves: StockMoves | undefined; isAlone: boolean },
) {
	const failures = parts.flatMap(({ of, failure }) => (failure ? [{ what: `${SEGMENTS[of]} profit and loss`, failure }] : []))
	if (failures.length === parts.length) return { failures }
	const view = viewAt(url)
	const flag = formatYear(year)
	const links = createLinkBase(url, flag)
	const rows = withUnread(
		parts.flatMap(({ data }) => data ?? []),
		...parts.map(({ data }) => data),
	)
	const arranged = arrange(pnlReport, rows, view)
	const missing = parts.filter(({ failure }) => failure).map(({ of }) => SEGMENTS[of])
	const next = rows.length === 0 && missing.length === 0 ? await suggestNextStep(broker, links, year) : undefined
	const names = new Set(rows.map(({ SCRIP_NAME }) => SCRIP_NAME))
	const closed = tellClosed(moves?.filter(({ SCRIP_NAME }) => names.has(SCRIP_NAME)))
	const notes = [
		missing.length > 0 && `Without ${missing.join(', ')}, which could not be loaded.`,
		nameUnknownCosts(rows.filter(isUnknown), rows.length, 'the gains'),
	]
	// Without a session no other page opens, and the page of a report link has the choice of years at its top.
	const isShut = isAlone && next?.href === '/funds'
	const nothing = `Nothing was held or traded in ${flag}.${isShut ? ' Choose another year above.' : ''}`
	return {
		failures,
		table: {
			...buildTable(pnlReport, arranged, view, links),
			foot: buildFoot(pnlReport, arranged),
			note: notes.filter(Boolean).join(' ') || undefined,
			remark: arranged.length > 0 ? closed : undefined,
			empty:
				rows.length > 0
					? offerAll(view.q, addressWith(links, { q: undefined, page: undefined }))
					: {
							text: missing.length > 0 ? 'Nothing is listed in what could be loaded.' : nothing,
							action: isShut ? undefined : next,
						},
		},
	}
}

/**
 * Compares the sum of the rows of a segment with the broker's figures for it. When they differ, the page says so and does not choose
 * one. Rows of a segment that is not active cannot be requested, so the page says that only the broker's figures include it. `held` is
 * undefined on the page of one segment.
 */
function listMismatches(summary: PnlSegmentAnswer, parts: readonly SegmentRows[], held: readonly Segment[] | undefined): string[] {
	const inactive = summary.data.filter(({ SEGMENT, NET }) => NET && held?.every((of) => of !== SEGMENT))
	const ofInactive = inactive.map(
		({ SEGMENT, NET }) =>
			`${nameCode(SEGMENTS, SEGMENT)} is not active on your account, but the broker states ${formatGain(NET ?? 0)} after charges for it. The table of segments includes this amount, the rows do not.`,
	)
	return [...ofInactive, ...parts.flatMap((part) => tellMismatch(summary, part))]
}

function tellMismatch(summary: PnlSegmentAnswer, { of, data }: SegmentRows): string[] {
	const stated = summary.data.find(({ SEGMENT }) => SEGMENT === of)
	// Missing figures, segments without rows and incomplete rows are not compared.
	if (!data || !stated || stated.NET === null || unreadIn(data)) return []
	if (data.length === 0)
		return stated.NET === 0
			? []
			: [`The broker states ${formatGain(stated.NET)} after charges for ${SEGMENTS[of]}, but lists no row that it is made of.`]
	const made = sumOrNull(data.map(sumNet))
	if (made === null) return []
	const difference = Math.abs(made - stated.NET)
	// Net is made of three figures of each row.
	const allowed = isRounded(data) || isRounded(summary) ? allowRounding(3 * data.length + 1) : 0
	return difference <= allowed
		? []
		: [
				`The rows of ${SEGMENTS[of]} make ${formatGain(made)} after charges, but the broker states ${formatGain(stated.NET)}, a difference of ${formatRupees(difference)}.`,
			]
}

export const PnlFormat = z.enum(['pdf', 'xls', 'zip', 'csv', 'charges'])
export type PnlFormat = z.infer<typeof PnlFormat>

/** Returns the file name of a format, which begins with the client's code, and its kind. */
export const pnlFile = (code: string, format: PnlFormat) =>
	format === 'charges' ? ({ name: `${code}_PNL_CHARGES`, kind: 'csv' } as const) : { name: `${code}_PNL`, kind: format }

/**
 * Opens a file: the broker's PDF or Excel of one segment, its zip of all segments, or the portal's CSV of a table: securities, or
 * `charges`.
 */
export function profitAndLossFile(broker: Broker, url: URL, year: FinancialYear, format: PnlFormat): Promise<ReadableStream<Uint8Array>> {
	if (format === 'csv') return profitAndLossCsv(broker, url, year)
	if (format === 'charges') return chargesCsv(broker, year, readPnlQuery(url).segment, viewAt(url))
	if (format === 'zip') return downloadPnlBundle(broker, year)
	return downloadPnlReport(broker, year, readPnlQuery(url).segment ?? 'NSE_CASH', format)
}
