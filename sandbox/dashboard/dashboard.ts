import { Hono } from 'hono'
import { type z } from 'zod/v4'
import { YearStart } from '#contract/common'
import { Dashboard, DashboardLedger, HoldingTotal, UnknownCost } from '#contract/dashboard'
import { addDays, type Day, toIndianDay } from '#contract/values/dates'
import { endOfYear, startOfYear } from '#contract/values/financial-year'
import { toRupees } from '#contract/values/money'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData, parseQuery } from '#sandbox/api/responses'
import { Source, SourceRequired } from '#sandbox/api/source-query'
import { readYearFigures } from '#sandbox/book/read-dashboard'
import { readFreeBalance } from '#sandbox/book/read-deductions'
import {
	hasUnknownCost,
	type Position,
	readPositions,
	sumHolding,
	sumSectors,
	sumUnknownCost,
	sumUnrealised,
} from '#sandbox/book/read-holding'
import { readLedgerBalance } from '#sandbox/book/read-ledger'
import { findClient, listLedgers } from '#sandbox/clients/clients'
import { readNextAccountDay } from '#sandbox/funds/account'
import { lastTradingDay } from '#sandbox/rules/calendar'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { listNotices } from './notices'

const YearQuery = Source.extend({ year: YearStart })
const DataYearQuery = SourceRequired.extend({ dataYear: YearStart })

/** The day of a year's closing figures: its last day, or today when the year is not over; undefined for a future year. */
function findValuationDay(year: string, now: Day): Day | undefined {
	const end = endOfYear(Number(year))
	if (startOfYear(Number(year)) > now) return undefined
	return end < now ? end : now
}

/** Last trading days of the year's months up to a day, oldest first. */
function listMonthEnds(year: string, last: Day): Day[] {
	const ends: Day[] = []
	for (let month = startOfYear(Number(year)); month <= last; month = `${addDays(month, 31).slice(0, 7)}-01`) {
		const monthEnd = addDays(`${addDays(month, 31).slice(0, 7)}-01`, -1)
		const end = lastTradingDay(monthEnd < last ? monthEnd : last)
		if (end >= month) ends.push(end)
	}
	return ends
}

/** The figures of the dashboard. */
export function dashboard(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	addDashboard(routes, parts)
	addDashboardLedger(routes, parts)
	addDashboardDeductedLedger(routes, parts)
	addDashboardHolding(routes, parts)
	addUnknownCost(routes, parts)
	return routes
}

async function listOwnLedgers({ books }: SandboxParts, code: string) {
	const client = await findClient(books, code)
	return client === undefined ? [] : listLedgers(client.profile)
}

function addDashboard(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	routes.post(
		'/v1/user/dashboard',
		describeOperation({ id: 'getDashboard', summary: 'Dashboard figures of one financial year', query: YearQuery, data: Dashboard }),
		async (c) => {
			const { year } = parseQuery(c, YearQuery)
			const figures = await readDashboard(parts, c.var.client.code, year)
			return sendData(c, 'Dashboard fetched', {
				client_code: c.var.client.code,
				client_name: c.var.client.name,
				...figures,
			} satisfies z.input<typeof Dashboard>)
		},
	)
}

function addDashboardLedger(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { clock, books } = parts
	routes.get(
		'/v2/dashboard/ledger',
		describeOperation({ id: 'getDashboardLedger', summary: 'Ledger balance by company code', query: DataYearQuery, data: DashboardLedger }),
		async (c) => {
			const { dataYear } = parseQuery(c, DataYearQuery)
			const { code } = c.var.client
			const day = findValuationDay(dataYear, toIndianDay(clock.now()))
			const rows = (await listOwnLedgers(parts, code)).map(async (COCD) => {
				return { COCD, DUE_AMT: day === undefined ? 0 : toRupees(await readLedgerBalance(books, code, COCD, day)) }
			})
			return sendData(c, 'Ledger fetched', (await Promise.all(rows)) satisfies z.input<typeof DashboardLedger>)
		},
	)
}

function addDashboardDeductedLedger(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { clock, books } = parts
	routes.get(
		'/v2/dashboard/deducted-ledger',
		describeOperation({
			id: 'getDashboardDeductedLedger',
			summary: 'Ledger after deductions',
			query: SourceRequired,
			data: DashboardLedger,
		}),
		async (c) => {
			parseQuery(c, SourceRequired)
			const { code } = c.var.client
			const now = toIndianDay(clock.now())
			const rows = (await listOwnLedgers(parts, code)).map(async (COCD) => ({
				COCD,
				DUE_AMT: toRupees((await readFreeBalance(books, code, COCD, now)).free),
			}))
			return sendData(c, 'Deducted ledger fetched', (await Promise.all(rows)) satisfies z.input<typeof DashboardLedger>)
		},
	)
}

function addDashboardHolding(routes: Hono<SandboxEnv>, { clock, books }: SandboxParts) {
	routes.get(
		'/v2/dashboard/holding',
		describeOperation({ id: 'getDashboardHolding', summary: 'Total holding', query: DataYearQuery, data: HoldingTotal }),
		async (c) => {
			const { dataYear } = parseQuery(c, DataYearQuery)
			const day = findValuationDay(dataYear, toIndianDay(clock.now()))
			const { value, invested, dayChange } = sumHolding(day === undefined ? [] : await readPositions(books, c.var.client.code, [day]))
			return sendData(c, 'Holding fetched', {
				total_amount: toRupees(value),
				invested_amount: toRupees(invested),
				day_change: toRupees(dayChange),
			} satisfies z.input<typeof HoldingTotal>)
		},
	)
}

function addUnknownCost(routes: Hono<SandboxEnv>, { clock, books }: SandboxParts) {
	routes.get(
		'/v1/ours/unknown-cost',
		describeOperation({ id: 'getUnknownCost', summary: 'Holdings whose cost is not known', query: DataYearQuery, data: UnknownCost }),
		async (c) => {
			const { dataYear } = parseQuery(c, DataYearQuery)
			const day = findValuationDay(dataYear, toIndianDay(clock.now()))
			const { holdings, value } = sumUnknownCost(day === undefined ? [] : await readPositions(books, c.var.client.code, [day]))
			return sendData(c, 'Unknown cost fetched', { holdings, value: toRupees(value) } satisfies z.input<typeof UnknownCost>)
		},
	)
}

async function readDashboard({ books, clock }: SandboxParts, code: string, year: string) {
	const moment = clock.now()
	const now = toIndianDay(moment)
	const day = findValuationDay(year, now)
	const monthEnds = day === undefined ? [] : listMonthEnds(year, day)
	// Today is included for the notices, which are about today whatever the year.
	const days = [...new Set([...monthEnds, ...(day === undefined ? [] : [day]), now])]
	const [figures, positions, settlesOn] = await Promise.all([
		day === undefined ? { realised: 0, charges: 0, dividend: 0 } : readYearFigures(books, code, startOfYear(Number(year)), day),
		readPositions(books, code, days),
		readNextAccountDay(books, code, moment),
	])
	const on = (asked: Day | undefined): Position[] => positions.filter((position) => position.day === asked)
	return {
		year: { from: year, to: String(Number(year) + 1) },
		realised_pnl: toRupees(figures.realised),
		unrealised_pnl: toRupees(sumUnrealised(on(day))),
		charges: toRupees(figures.charges),
		dividend: toRupees(figures.dividend),
		history: monthEnds.map((date) => {
			const { value, invested } = sumHolding(on(date))
			return { date, invested: toRupees(invested), value: toRupees(value) }
		}),
		allocation: sumSectors(on(day)).map(({ sector, value }) => ({ name: sector, value: toRupees(value) })),
		notices: listNotices({ today: now, settlesOn, unknownCost: listUnknownCost(on(now)) }),
	}
}

function listUnknownCost(positions: Position[]): string[] {
	return positions.filter(hasUnknownCost).map(({ symbol }) => symbol)
}
