import { type LoaderFunctionArgs } from '@remix-run/node'
import { z } from 'zod/v4'
import { type Broker } from '~/broker/client.server'
import { getLedgerReport, type LedgerQuery, listLedgerParts } from '~/broker/ledger.server'
import { readBrand } from '~/config/brand.server'
import { failedFile, sendFile, sendOwnFile } from '~/http/download.server'
import { arrangeLong } from '~/reports/arrange-long.server'
import { requireHeld } from '~/reports/held-segment.server'
import { isOfYear, formatPeriodName, formatYearName } from '~/reports/ledger-names.server'
import { arrangeLedger, arrangeParts, ledgerReport, readLedgerFilters } from '~/reports/ledger.server'
import { streamCsv } from '~/reports/csv.server'
import { searchBatches, sortableKeys } from '~/reports/report.server'
import { type View, readView } from '~/reports/view.server'
import { openOwnLedger, openYearLedger } from '~/reports/year-ledger.server'
import { readYear } from '~/session/preferences.server'
import { requireBroker } from '~/session/session.server'

const Format = z.enum(['pdf', 'xlsx', 'csv'])

/**
 * Sends exactly what the page at the same address shows, over all its pages. The PDF and Excel of a whole year come from the broker; the
 * portal makes every other file.
 */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const format = Format.safeParse(params.format)
	if (!format.success) throw new Response('There is no such file.', { status: 404 })
	const url = new URL(request.url)
	const year = readYear(request)
	const brand = readBrand().name

	try {
		const { query } = readLedgerFilters(url, year, undefined)
		if (!query) throw Response.json({ message: 'Check the dates of the ledger and try again.' }, { status: 422 })
		await requireHeld(broker, query.cocd)
		const view = readView(url, sortableKeys(ledgerReport))
		if (format.data !== 'csv' && isOfYear(query, year) && !view.q && !view.sort) {
			const file = await openYearLedger(broker, { brand, format: format.data, year, cocd: query.cocd })
			return await sendFile(request, formatYearName(broker.clientCode, year), format.data, file)
		}
		const batches = view.sort
			? sorted(broker, query, view)
			: searchBatches(ledgerReport, arrangeParts(listLedgerParts(broker, query), query.cocd), view)
		const name = formatPeriodName(broker.clientCode, query, year)
		if (format.data === 'csv') return await sendFile(request, name, 'csv', await streamCsv(ledgerReport, batches))
		const file = await openOwnLedger(broker, { brand, format: format.data, query, search: view.q, batches })
		return await sendOwnFile(request, name, format.data, file)
	} catch (error) {
		return failedFile(request, error, '/reports/ledger')
	}
}

/** Sorting needs all rows at once. */
async function* sorted(broker: Broker, query: LedgerQuery, view: View) {
	yield await arrangeLong(ledgerReport, arrangeLedger(await getLedgerReport(broker, query), query.cocd).entries, view)
}
