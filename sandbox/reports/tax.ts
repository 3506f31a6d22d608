import { Hono } from 'hono'
import { IncomeTax, IncomeTaxRequest, Schedule112a, TaxFacts } from '#contract/tax'
import { toIndianDay } from '#contract/values/dates'
import { describeOperation } from '#sandbox/api/describe-operation'
import { yearPeriod } from '#sandbox/api/period-query'
import { invalidField, parseBody, parseQuery } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { readDividends, readRealisedParts } from '#sandbox/book/read-gains'
import { readScripCharges } from '#sandbox/book/read-trades'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { requireOwn } from './bills'
import { sumBy } from './grouped'
import { type ResponseCache } from './response-cache'
import { YearQuery } from './scrips'
import { makeTaxLines } from './tax-lines'
import { incomeTax, openTaxBook, schedule112aRows, type TaxBook, taxFacts } from './tax-rows'

/** A day before the start of all books, because losses of all earlier years count. */
const EVER = '2000-01-01'

/** A client's realised lines of a year, as tax law sees them, with the losses of earlier years. */
export async function readTaxBook({ books, clock }: SandboxParts, client: string, year: string): Promise<TaxBook> {
	const { from, to } = yearPeriod(year, toIndianDay(clock.now()))
	const [parts, dividends, charges] = await Promise.all([
		readRealisedParts(books, client, EVER, to),
		readDividends(books, client, EVER, to),
		readScripCharges(books, client, from, to),
	])
	const sumTax = (isCommodity: boolean) =>
		sumBy(
			charges.filter(({ segment }) => (segment === 'MCX') === isCommodity),
			({ stt }) => stt,
		)
	return openTaxBook(Number(year), makeTaxLines(parts), dividends, { stt: sumTax(false), ctt: sumTax(true) })
}

/** Capital gains and business income of a year. Not tax advice. */
export function tax(parts: SandboxParts, kept: ResponseCache) {
	const routes = new Hono<SandboxEnv>()

	routes.post(
		'/v1/user/report/incometax',
		describeOperation({
			id: 'getIncomeTaxReport',
			summary: 'Capital gains and business income of the year',
			query: Source,
			body: IncomeTaxRequest,
			data: IncomeTax,
		}),
		async (c) => {
			const { financial_year, client_code } = await parseBody(c, IncomeTaxRequest)
			const { code } = c.var.client
			requireOwn(code, client_code)
			const [year = '', next = ''] = financial_year.split('-')
			if (Number(next) !== Number(year) + 1) throw invalidField('financial_year', 'A financial year is two years in a row, 2024-2025')
			return await kept.send(c, 'Income tax report fetched', year, async () => incomeTax(await readTaxBook(parts, code, year)))
		},
	)

	routes.get(
		'/v1/ours/tax-facts',
		describeOperation({ id: 'getTaxFacts', summary: 'Heads, windows, dividends and turnover of a year', query: YearQuery, data: TaxFacts }),
		async (c) => {
			const { year } = parseQuery(c, YearQuery)
			return await kept.send(c, 'Tax facts fetched', year, async () => taxFacts(await readTaxBook(parts, c.var.client.code, year)))
		},
	)

	routes.get(
		'/v1/ours/schedule-112a',
		describeOperation({ id: 'listSchedule112a', summary: 'Lines of schedule 112A', query: YearQuery, data: Schedule112a }),
		async (c) => {
			const { year } = parseQuery(c, YearQuery)
			return await kept.send(c, 'Schedule fetched', year, async () => schedule112aRows(await readTaxBook(parts, c.var.client.code, year)))
		},
	)
	return routes
}
