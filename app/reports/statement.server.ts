import { type SubmissionResult } from '@conform-to/react'
import { z } from 'zod/v4'
import { unreadIn, withUnread } from '#contract/tolerant'
import { Segment } from '#contract/units'
import { type Day, formatDay } from '#contract/values/dates'
import { type FinancialYear, formatYear, startOfYear, findLastDay } from '#contract/values/financial-year'
import { SEGMENTS } from '#contract/values/segments'
import { type Broker } from '~/broker/client.server'
import { today } from '~/broker/clock.server'
import { type ReadOptions } from '~/broker/requests.server'
import { readRefresh } from '~/http/hard-refresh.server'
import { loadKept, type PartFailure } from '~/http/partial-data.server'
import { type Bars } from '~/lib/charts'
import { offerAll } from '~/lib/no-match'
import { REPORT_TITLES, type ReportName } from '~/lib/report-titles'
import { type PagedTable } from '~/lib/table'
import { arrangeLong } from './arrange-long.server'
import { sumKnown } from './columns.server'
import { type NextStep, suggestNextStep } from './next-step.server'
import { type DatePreset, listDatePresets } from './date-presets.server'
import { checkPeriod, completePeriod, readQuery, typedPeriod } from './filters.server'
import { streamCsv } from './csv.server'
import { describeLatest } from './latest.server'
import { buildFoot, buildSubtotals } from './foot.server'
import { type Report } from './declaration'
import { sortableKeys, buildTable } from './report.server'
import { addressWith, createLinkBase, readView, turnDates } from './view.server'
import { amount } from './year-file.server'

const SEGMENT_CHOICES = Segment.options.map((value) => ({ value, label: SEGMENTS[value] }))

/** The period of a statement. A yearly statement runs from the first day of its year to its last day or today. */
type Period = { year: FinancialYear; from: Day; to: Day; segment?: Segment }

type File = { label: 'PDF' | 'Excel' | `ZIP of ${string}`; href: string; type: string; flag: string }

export type Definition<Row> = Omit<Report<Row>, 'title'> & {
	/** The name in the address and in file names: `global-summary`, `GLOBAL_SUMMARY`. */
	name: ReportName
	filters: readonly ('dates' | 'segment')[]
	rows: (broker: Broker, period: Period, options: ReadOptions) => Promise<readonly Row[]>
	files?: (period: Period) => File[]
	empty: (period: Period) => string
	/** The link of an empty statement, when it is not another period. `held`: the segments of the client. */
	next?: (held: readonly Segment[]) => NextStep
	/** Its rows are sorted by day, the oldest first, and their order can be reversed. */
	isByDay?: boolean
	/** Says under the title what the rows are, when the title does not. */
	about?: string
	/** The text under the title: the period by default. */
	when?: (period: Period) => string
	/** Charts under the table that show how the holdings are divided. */
	allocations?: (rows: readonly Row[]) => { by: 'holding' | 'sector'; bars: Bars | undefined }[]
	/** A note on the sums of the rows shown: a rule, or a count of what is left out. */
	note?: (rows: readonly Row[]) => string | undefined
	/** A remark under the table, on its rows. */
	remark?: (rows: readonly Row[]) => string | undefined
}

/** Everything the browser needs to draw any statement. */
export type StatementPage = {
	title: string
	year: string
	period: string
	filters: { from: string; to: string; segment: string; q: string }
	about?: string
	fields: readonly ('dates' | 'segment')[]
	presets?: readonly DatePreset[]
	segments: { value: string; label: string }[]
	result?: SubmissionResult
	table?: PagedTable & { note?: string; remark?: string }
	allocations: { by: 'holding' | 'sector'; bars: Bars | undefined }[]
	files: (Omit<File, 'label'> & { label: File['label'] | 'CSV' })[]
	empty: { text: string; action?: { href: string; label: string } }
	/** The name of a requested segment that the client does not have; nothing else is shown then. */
	missing?: string
	/** The link that reverses the order of the days. */
	turned?: { href: string; label: string }
	/** The reason why there is no table, when the call to the broker failed. */
	failure?: PartFailure
}

/** What a page without a table shows in its places. */
const NOTHING = { period: '', allocations: [], files: [], empty: { text: '' } }

export type Statement = ReturnType<typeof defineStatement>

/**
 * Returns a statement whose type does not depend on Row, so that a list of different statements needs no casts. A statement that needs
 * more gets its own route.
 */
export function defineStatement<Row>(definition: Definition<Row>) {
	const statement = { ...definition, title: REPORT_TITLES[definition.name] }
	const view = (url: URL) => readView(url, sortableKeys(statement))
	return {
		title: statement.title,
		name: statement.name,

		async page(broker: Broker, url: URL, year: FinancialYear, held: readonly Segment[]): Promise<StatementPage> {
			const { filters, period, result } = readPeriod(url, year, statement.filters.includes('dates'))
			const page = {
				title: statement.title,
				year: formatYear(year),
				filters: { ...filters, q: view(url).q },
				about: statement.about,
				fields: statement.filters,
				presets: statement.filters.includes('dates') ? listPresets(url, year) : undefined,
				segments: SEGMENT_CHOICES.filter(({ value }) => held.includes(value)),
			}
			if (!period) return { ...page, ...NOTHING, result }
			if (period.segment && !held.includes(period.segment)) return { ...page, ...NOTHING, missing: SEGMENTS[period.segment] }

			const when = statement.when?.(period) ?? `${formatDay(period.from)} to ${formatDay(period.to)}`
			const { data: rows, failure } = await loadKept(broker, statement.rows(broker, period, readRefresh({ url })))
			// Nothing was read, so nothing is said of a day.
			if (!rows) return { ...page, ...NOTHING, period: statement.when ? '' : when, failure }
			const arranged = await arrangeLong(statement, rows, view(url))
			const links = createLinkBase(url, formatYear(year))
			const whole = statement.files?.(period) ?? []
			return {
				...page,
				period: when,
				turned: statement.isByDay && arranged.length > 1 ? turnDates(view(url), links) : undefined,
				// The note of unreadable rows is kept on the table, because a file words it differently from a page.
				table: withUnread(
					{
						...buildTable(statement, arranged, view(url), links),
						subtotals: buildSubtotals(statement, arranged),
						foot: buildFoot(statement, arranged),
						latest: describeLatest(statement, { rows, arranged, view: view(url) }),
						...tellRows(statement, { rows, arranged, whole }),
					},
					arranged,
				),
				// When some rows could not be read, there is no whole that could be divided.
				allocations: unreadIn(rows) ? [] : (statement.allocations?.(rows) ?? []),
				files: rows.length > 0 ? [...whole, describeCsv(links, statement)] : [],
				empty:
					rows.length > 0
						? offerAll(page.filters.q, addressWith(links, { q: undefined, page: undefined }))
						: { text: statement.empty(period), action: statement.next?.(held) ?? (await suggestNextStep(broker, links, year)) },
			}
		},

		/** Returns the rows of the table as CSV, over all its pages. Throws 422 when the dates are wrong. */
		async csv(broker: Broker, url: URL, year: FinancialYear): Promise<ReadableStream<Uint8Array>> {
			const { period } = readPeriod(url, year, statement.filters.includes('dates'))
			if (!period) throw Response.json({ message: `Check the dates of ${statement.title} and try again.` }, { status: 422 })
			const rows = await statement.rows(broker, period, { hardRefresh: false })
			return streamCsv(statement, [await arrangeLong(statement, rows, view(url))])
		},

		/** Returns the rows of a year, and the sum of one of their columns; no figure when the sum is not known or a row is incomplete. */
		async yearTotal(broker: Broker, year: FinancialYear, key: string) {
			const rows = await statement.rows(broker, { year, ...completePeriod({}, year) }, { hardRefresh: false })
			const column = statement.columns.find((each) => each.key === key)
			return { rows, figure: unreadIn(rows) || !column?.amount ? undefined : amount(column.label, sumKnown(rows.map(column.amount))) }
		},
	}
}

type Shown<Row> = { rows: readonly Row[]; arranged: readonly Row[]; whole: readonly File[] }

/** Returns the note and the remark of a table. The broker makes the files in `whole`, and does not know what was searched for. */
function tellRows<Row>({ note, remark }: Pick<Definition<Row>, 'note' | 'remark'>, { rows, arranged, whole }: Shown<Row>) {
	if (arranged.length === 0) return undefined
	const names = whole.map(({ label }) => label)
	const contain = `${new Intl.ListFormat('en').format(names)} ${names.length > 1 ? 'contain' : 'contains'}`
	const differs = names.length > 0 && arranged.length < rows.length && `${contain} every row, the CSV only those found.`
	return { note: note?.(arranged), remark: [remark?.(rows), differs].filter(Boolean).join(' ') || undefined }
}

/** The CSV of a report; one without rows offers no file. */
const describeCsv = (url: URL, { name, title }: { name: string; title: string }) => ({
	label: 'CSV' as const,
	href: addressWith(url, { page: undefined }, `/downloads/${name}/csv`),
	type: title.toUpperCase(),
	flag: 'CSV',
})

const Dates = z
	.object({
		...typedPeriod,
		segment: Segment.optional().catch(undefined),
	})
	.superRefine(checkPeriod)

function readPeriod(url: URL, year: FinancialYear, hasDates: boolean) {
	const typed = new URLSearchParams(url.searchParams)
	if (!hasDates) for (const name of ['from', 'to']) typed.delete(name)
	const filters = { from: typed.get('from') ?? '', to: typed.get('to') ?? '', segment: typed.get('segment') ?? '' }
	const { value, result } = readQuery(typed, Dates)
	if (!value) return { filters, result }
	const { from, to } = completePeriod(value, year)
	const period: Period = { year, from, to, segment: value.segment }
	// When no day was typed, the fields show the days of the period.
	return { filters: { ...filters, from: filters.from || from, to: filters.to || to }, period }
}

const listPresets = (url: URL, year: FinancialYear) =>
	listDatePresets(createLinkBase(url, formatYear(year)), today(), { from: startOfYear(year), to: findLastDay(year, today()) })
