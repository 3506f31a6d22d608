import { type OnePledgeRequest, type PledgeData, type PledgeRow } from '#contract/depository'
import { unreadIn } from '#contract/tolerant'
import { formatDay } from '#contract/values/dates'
import { formatTime } from '#contract/values/moments'
import { formatAmount, formatRupees, type Paise } from '#contract/values/money'
import { type Broker } from '~/broker/client.server'
import { tellDeadline } from '~/broker/clock.server'
import { getPledgeData, getPledgeTerms, listPledgeRequests } from '~/broker/depository.server'
import { getMtfFacts } from '~/broker/mtf.server'
import { loadPart, loadSidePart } from '~/http/partial-data.server'
import { mayBeSum } from '~/lib/rounding'
import { formatUnits } from '~/lib/units'
import { orDash } from '~/lib/unknown'
import { arrange, buildTable } from '~/reports/report.server'
import { formatFileAddress, sortText } from '~/reports/view.server'
import { orderPledgeHoldings, pledgeHoldings, pledgeRequestsReport, readPageView } from './depository-tables.server'
import { computeOffer, findPledgeLimit, readTypedPledge } from './pledge-form.server'
import { hasFundingPledge, listWaiting } from './pledge-status.server'
import { type PledgeTyped } from './pledge-total'
import { buildFormTable } from './table-entries.server'

const NONE: PledgeData = { filtered_df: [], total: { VALUE: 0, MARGIN: 0, PLEDGED_VALUE: 0 } }

/** Returns both deadlines of a new pledge: `request by 17:00 and confirm by 19:00 today`. */
function tellDeadlines(askBy: Date, confirmBy: Date): string {
	const [ask, confirm] = [tellDeadline(askBy), tellDeadline(confirmBy)]
	const time = formatTime(askBy)
	// The day once, when it is the same.
	const isSameDay = ask === confirm.replace(formatTime(confirmBy), time)
	return `request by ${isSameDay ? time : ask} and confirm by ${confirm}`
}

export type PledgePage = Awaited<ReturnType<typeof loadPledgePage>>

/** Loads what can be pledged or released, as the rows of a form, with the terms and the earlier requests. */
export async function loadPledgePage(broker: Broker, request: Request) {
	const url = new URL(request.url)
	const [pledges, terms, requests] = await Promise.all([
		loadPart(broker, getPledgeData(broker), NONE),
		loadSidePart(broker, getPledgeTerms(broker), null),
		loadSidePart(broker, listPledgeRequests(broker), []),
	])
	const { filtered_df, total } = pledges.data ?? NONE
	const asked = readTypedPledge(url.searchParams)
	const cash = terms.data?.cash_equivalents
	const report = pledgeHoldings(cash)
	const view = readPageView(url, report, pledgeRequestsReport)
	const table = buildFormTable(report, orderPledgeHoldings(filtered_df, view), view, ({ ISIN }) => Object.hasOwn(asked.units, ISIN), [
		'isin',
	])
	// Without a search, the foot has the broker's total; with one, the sum of the rows found.
	const sums: Record<string, string> = { Value: orDash(total.VALUE, formatAmount), Margin: orDash(total.MARGIN, formatAmount) }
	const unread = unreadIn(filtered_df)
	const offered = table.rows.reduce((sum, { row }) => sum + computeOffer(row), 0)
	const foot = table.heads.map(({ label }, index) => {
		if (label === 'Gives') return !unread && offered > 0 ? formatAmount(offered) : ''
		if (view.q) return table.foot[index] ?? ''
		return sums[label] ?? (index === 0 ? 'Total' : '')
	})
	const pledgedCash = filtered_df.filter(({ ISIN }) => cash?.includes(ISIN)).reduce((sum, { MARGIN }) => sum + MARGIN, 0)
	return {
		failure: pledges.failure,
		q: view.q,
		sorted: sortText(view),
		isEmpty: filtered_df.length === 0,
		figures: filtered_df.map((row) => ({ isin: row.ISIN, price: row.CLOSE_PRICE, haircut: row.HAIRCUT, limits: findLimits(row) })),
		heads: table.heads,
		areFewPledged: table.rows.filter(({ row }) => row.PLEDGED_QTY > 0).length * 2 < table.rows.length,
		unread: [table.unread, tellDifference(filtered_df, total.MARGIN)].filter(Boolean).join(' ') || undefined,
		rows: table.rows.map(({ row, cells }) => ({
			isin: row.ISIN,
			canMove: row.FREE_QTY + row.PLEDGED_QTY,
			limits: findLimits(row),
			free: formatUnits(row.FREE_QTY),
			pledged: row.PLEDGED_QTY > 0 ? { units: formatUnits(row.PLEDGED_QTY), margin: formatRupees(row.MARGIN) } : undefined,
			cells,
		})),
		foot,
		margin: total.MARGIN,
		answers: listAnswers(filtered_df, total.MARGIN),
		halves: cash && total.MARGIN && !unread ? tellHalves(pledgedCash, total.MARGIN) : undefined,
		terms: terms.data && {
			fee: terms.data.fee,
			shownFee: formatRupees(terms.data.fee),
			deadlines: tellDeadlines(new Date(terms.data.ask_by), new Date(terms.data.confirm_by)),
			marginFrom: formatDay(terms.data.margin_from),
		},
		termsFailure: terms.failure,
		asked: asked satisfies PledgeTyped,
		waiting: listWaiting(requests.data ?? [], await findSales(broker, requests.data ?? [])),
		requests: requests.data && buildTable(pledgeRequestsReport, arrange(pledgeRequestsReport, requests.data, view), view, url),
		hasRequests: !requests.isAbsent,
		requestsFailure: requests.failure,
		files: {
			holdings: formatFileAddress('/downloads/depository/margin-pledge', view),
			requests: formatFileAddress('/downloads/depository/pledge-requests', view),
		},
	}
}

/** Returns when the broker sells the funded shares of each request that stay unpledged. Asks only when such a request waits. */
export async function findSales(broker: Broker, requests: readonly OnePledgeRequest[]): Promise<ReadonlyMap<string, string>> {
	if (!hasFundingPledge(requests)) return new Map()
	const { data } = await loadSidePart(broker, getMtfFacts(broker), null)
	const dated = (data?.positions ?? []).flatMap(({ PLEDGE_REF, PLEDGE_SOLD_FROM }): [string, string][] =>
		PLEDGE_REF && PLEDGE_SOLD_FROM ? [[PLEDGE_REF, tellDeadline(PLEDGE_SOLD_FROM)]] : [],
	)
	return new Map(dated)
}

/** Says that the rows do not add up to the broker's total; each row may be rounded to a paisa. */
function tellDifference(rows: readonly PledgeRow[], stated: Paise | null): string | undefined {
	const made = rows.reduce((sum, { MARGIN }) => sum + MARGIN, 0)
	if (stated === null || unreadIn(rows) || mayBeSum(made, stated, rows.length)) return undefined
	return `The rows add up to a margin of ${formatRupees(made)}, but the broker states ${formatRupees(stated)}. Ask the broker which is right.`
}

const findLimits = (row: PledgeRow) => ({ pledge: findPledgeLimit(row, 'pledge'), unpledge: findPledgeLimit(row, 'unpledge') })

const tellHalves = (cash: Paise, margin: Paise) =>
	cash === 0 ? 'None of it counts as cash.' : `${formatRupees(cash)} of it counts as cash and ${formatRupees(margin - cash)} as non-cash.`

/** Returns the margin of now, and what pledging all free units would add; the latter not when a row is missing from the sum. */
function listAnswers(rows: PledgeData['filtered_df'], margin: PledgeData['total']['MARGIN']) {
	const added = rows.reduce((sum, row) => sum + computeOffer(row), 0)
	return [
		...(margin === null ? [] : [{ label: 'Margin from your pledges', text: formatRupees(margin), isMain: true }]),
		...(unreadIn(rows) ? [] : [{ label: 'All free shares would add', text: formatRupees(added) }]),
	]
}
