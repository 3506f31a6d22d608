import { z } from 'zod/v4'
import { downloadIncomeTax } from '~/broker/downloads.server'
import { getTaxFacts, listSchedule112a } from '~/broker/reports.server'
import { createNoFile, serveFile } from '~/http/download.server'
import { readIncomeTax, schedule112aReport, taxLots } from '~/reports/income-tax.server'
import { streamCsv, createViewCsv } from '~/reports/csv.server'
import { dividendReport } from '~/reports/dividends.server'
import { readYear } from '~/session/preferences.server'

const Format = z.enum(['xlsx', 'csv', 'dividends', 'schedule-112a'])

/**
 * Sends the broker's Excel of a year, or a CSV of the portal: the lots as the table shows them, the dividends, or Schedule 112A of the
 * tax return.
 */
export const loader = serveFile('/reports/income-tax', async ({ broker, url, params, request }) => {
	const format = Format.safeParse(params.format)
	if (!format.success) throw createNoFile()
	const year = readYear(request)
	const name = `${broker.clientCode}_INCOME_TAX`

	if (format.data === 'xlsx') return { name, kind: 'xlsx', body: await downloadIncomeTax(broker, year) }
	if (format.data === 'schedule-112a') {
		const lines = await listSchedule112a(broker, year)
		return { name: `${broker.clientCode}_SCHEDULE_112A`, kind: 'csv', body: await streamCsv(schedule112aReport, [lines]) }
	}
	if (format.data === 'dividends') {
		const { dividends } = await getTaxFacts(broker, year)
		return { name: `${broker.clientCode}_DIVIDENDS`, kind: 'csv', body: await streamCsv(dividendReport(dividends), [dividends.rows]) }
	}
	const rows = (await readIncomeTax(broker, year))?.rows ?? []
	return { name, kind: 'csv', body: await createViewCsv(taxLots, rows, url) }
})
