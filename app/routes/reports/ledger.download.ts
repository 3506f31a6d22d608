import { type LoaderFunctionArgs } from '@remix-run/node'
import { z } from 'zod/v4'
import { LedgerCocd } from '#contract/common'
import { downloadLedger, getLedgerReport, listLedgerParts } from '~/broker/ledger.server'
import { failedFile, sendFile } from '~/http/download.server'
import { arrangeLong } from '~/reports/arrange-long.server'
import { nameOfDays, nameOfYear } from '~/reports/ledger-names.server'
import { arrangeLedger, arrangeParts, ledgerReport, readLedgerFilters } from '~/reports/ledger.server'
import { streamCsv, searched, sortableKeys } from '~/reports/report.server'
import { readView } from '~/reports/view.server'
import { readYear } from '~/session/preferences.server'
import { requireBroker } from '~/session/session.server'

const Format = z.enum(['pdf', 'xlsx', 'csv'])

/** The broker's PDF and Excel of a year; our CSV of what the table shows, over all its pages. */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const format = Format.safeParse(params.format)
	if (!format.success) throw new Response('There is no such file.', { status: 404 })
	const url = new URL(request.url)
	const year = readYear(request)
	const cocd = LedgerCocd.safeParse(url.searchParams.get('segment')).data

	try {
		if (format.data !== 'csv') {
			const file = await downloadLedger(broker, {
				type: cocd ?? 'ALL',
				download_type: format.data === 'pdf' ? 'pdf' : 'excel',
				year: String(year),
			})
			return await sendFile(request, nameOfYear(broker.clientCode, year), format.data, file)
		}
		const { query } = readLedgerFilters(url, year, undefined)
		if (!query) throw Response.json({ message: 'Check the dates of the ledger and try again.' }, { status: 422 })
		const view = readView(url, sortableKeys(ledgerReport))
		const batches = view.sort
			? [await arrangeLong(ledgerReport, arrangeLedger(await getLedgerReport(broker, query), query.cocd).entries, view)]
			: searched(ledgerReport, arrangeParts(listLedgerParts(broker, query), query.cocd), view)
		return await sendFile(request, nameOfDays(broker.clientCode, query, year), 'csv', await streamCsv(ledgerReport, batches))
	} catch (error) {
		return failedFile(request, error, '/reports/ledger')
	}
}
