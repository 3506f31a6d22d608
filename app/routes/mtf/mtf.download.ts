import { type LoaderFunctionArgs } from '@remix-run/node'
import { type MtfFacts } from '#contract/mtf'
import { type Broker } from '~/broker/client.server'
import { getMtfDetails, getMtfFacts, listMtfInterest } from '~/broker/mtf.server'
import { failedFile, sendFile } from '~/http/download.server'
import { loadPart } from '~/http/partial-data.server'
import { readRequestId } from '~/http/request-id.server'
import { streamCsv, createViewCsv } from '~/reports/csv.server'
import { arrange, sortableKeys } from '~/reports/report.server'
import { readView } from '~/reports/view.server'
import { readYear } from '~/session/preferences.server'
import { requireBroker } from '~/session/session.server'
import { fundedPositions, interestByDay, joinPositionFacts } from './mtf-tables.server'

/** Sends a CSV of a table of the margin funding page, searched and sorted as there. */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	try {
		if (params.table === 'positions')
			return await sendFile(request, `${broker.clientCode}_MTF_POSITIONS`, 'csv', await positions(request, broker))
		if (params.table === 'interest')
			return await sendFile(request, `${broker.clientCode}_MTF_INTEREST`, 'csv', await interest(request, broker))
	} catch (error) {
		return failedFile(request, error, '/connect/mtf')
	}
	throw new Response('There is no such file.', { status: 404 })
}

async function positions(request: Request, broker: Broker) {
	const [details, facts] = await Promise.all([
		getMtfDetails(broker),
		loadPart<MtfFacts | null>(getMtfFacts(broker), readRequestId(request), null),
	])
	const view = readView(new URL(request.url), sortableKeys(fundedPositions))
	const rows = arrange(fundedPositions, joinPositionFacts(details, facts.data ?? undefined), { ...view, q: '' })
	return streamCsv(fundedPositions, [rows], facts.failure)
}

async function interest(request: Request, broker: Broker) {
	const { days } = await listMtfInterest(broker, readYear(request))
	return createViewCsv(interestByDay, days, new URL(request.url))
}
