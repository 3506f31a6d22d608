import { type LoaderFunctionArgs } from '@remix-run/node'
import { z } from 'zod/v4'
import { downloadIncomeTax } from '~/broker/downloads.server'
import { getTaxFacts, listSchedule112a } from '~/broker/reports.server'
import { failedFile, sendFile } from '~/http/download.server'
import { readIncomeTax, schedule112aReport, taxLots } from '~/reports/income-tax.server'
import { streamCsv, createViewCsv } from '~/reports/csv.server'
import { dividendReport } from '~/reports/dividends.server'
import { readYear } from '~/session/preferences.server'
import { requireBroker } from '~/session/session.server'

const Format = z.enum(['xlsx', 'csv', 'dividends', 'schedule-112a'])

/**
 * Sends the broker's Excel of a year, or a CSV of the portal: the lots as the table shows them, the dividends, or Schedule 112A of the
 * tax return.
 */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const format = Format.safeParse(params.format)
	if (!format.success) throw new Response('There is no such file.', { status: 404 })
	const year = readYear(request)
	const name = `${broker.clientCode}_INCOME_TAX`

	try {
		if (format.data === 'xlsx') return await sendFile(request, name, 'xlsx', await downloadIncomeTax(broker, year))
		if (format.data === 'schedule-112a') {
			const lines = await listSchedule112a(broker, year)
			return await sendFile(request, `${broker.clientCode}_SCHEDULE_112A`, 'csv', await streamCsv(schedule112aReport, [lines]))
		}
		if (format.data === 'dividends') {
			const { dividends } = await getTaxFacts(broker, year)
			return await sendFile(request, `${broker.clientCode}_DIVIDENDS`, 'csv', await streamCsv(dividendReport(dividends), [dividends.rows]))
		}
		const rows = (await readIncomeTax(broker, year))?.rows ?? []
		return await sendFile(request, name, 'csv', await createViewCsv(taxLots, rows, new URL(request.url)))
	} catch (error) {
		return failedFile(request, error, '/reports/income-tax')
	}
}
