import { getMtfDetails, getMtfFacts, listMtfInterest } from '~/broker/mtf.server'
import { createNoFile, type FileAsked, serveFile } from '~/http/download.server'
import { loadPart } from '~/http/partial-data.server'
import { streamCsv, createViewCsv } from '~/reports/csv.server'
import { arrange, sortableKeys } from '~/reports/report.server'
import { readView } from '~/reports/view.server'
import { readYear } from '~/session/preferences.server'
import { fundedPositions, interestByDay, joinPositionFacts } from './mtf-tables.server'

/** Sends a CSV of a table of the margin funding page, searched and sorted as there. */
export const loader = serveFile('/connect/mtf', async (asked) => {
	const code = asked.broker.clientCode
	if (asked.params.table === 'positions') return { name: `${code}_MTF_POSITIONS`, kind: 'csv', body: await positions(asked) }
	if (asked.params.table === 'interest') return { name: `${code}_MTF_INTEREST`, kind: 'csv', body: await interest(asked) }
	throw createNoFile()
})

async function positions({ broker, url }: FileAsked) {
	const [details, facts] = await Promise.all([getMtfDetails(broker), loadPart(broker, getMtfFacts(broker), null)])
	const view = readView(url, sortableKeys(fundedPositions))
	const rows = arrange(fundedPositions, joinPositionFacts(details, facts.data ?? undefined), { ...view, q: '' })
	return streamCsv(fundedPositions, [rows], facts.failure)
}

async function interest({ broker, url, request }: FileAsked) {
	const { days } = await listMtfInterest(broker, readYear(request))
	return createViewCsv(interestByDay, days, url)
}
