import { z } from 'zod/v4'
import { type Broker } from '~/broker/client.server'
import { getLedgerReport, type LedgerQuery, listLedgerParts } from '~/broker/ledger.server'
import { readBrand } from '~/config/brand.server'
import { createNoFile, serveFile } from '~/http/download.server'
import { arrangeLong } from '~/reports/arrange-long.server'
import { requireHeld } from '~/reports/held-segment.server'
import { isOfYear, formatPeriodName, formatYearName } from '~/reports/ledger-names.server'
import { arrangeLedger, arrangeParts, ledgerReport, readLedgerFilters } from '~/reports/ledger.server'
import { streamCsv } from '~/reports/csv.server'
import { searchBatches, sortableKeys } from '~/reports/report.server'
import { type View, readView } from '~/reports/view.server'
import { openOwnLedger, openYearLedger } from '~/reports/year-ledger.server'
import { readYear } from '~/session/preferences.server'

const Format = z.enum(['pdf', 'xlsx', 'csv'])

/**
 * Sends exactly what the page at the same address shows, over all its pages. The PDF and Excel of a whole year come from the broker; the
 * portal makes every other file.
 */
export const loader = serveFile('/reports/ledger', async ({ broker, url, params, request }) => {
	const format = Format.safeParse(params.format)
	if (!format.success) throw createNoFile()
	const kind = format.data
	const year = readYear(request)
	const brand = readBrand().name
	const { query } = readLedgerFilters(url, year, undefined)
	if (!query) throw Response.json({ message: 'Check the dates of the ledger and try again.' }, { status: 422 })
	await requireHeld(broker, query.cocd)
	const view = readView(url, sortableKeys(ledgerReport))
	if (kind !== 'csv' && isOfYear(query, year) && !view.q && !view.sort) {
		const body = await openYearLedger(broker, { brand, format: kind, year, cocd: query.cocd })
		return { name: formatYearName(broker.clientCode, year), kind, body }
	}
	const batches = view.sort
		? sorted(broker, query, view)
		: searchBatches(ledgerReport, arrangeParts(listLedgerParts(broker, query), query.cocd), view)
	const name = formatPeriodName(broker.clientCode, query, year)
	if (kind === 'csv') return { name, kind, body: await streamCsv(ledgerReport, batches) }
	return { name, kind, body: await openOwnLedger(broker, { brand, format: kind, query, search: view.q, batches }), isOwn: true }
})

/** Sorting needs all rows at once. */
async function* sorted(broker: Broker, query: LedgerQuery, view: View) {
	yield await arrangeLong(ledgerReport, arrangeLedger(await getLedgerReport(broker, query), query.cocd).entries, view)
}
