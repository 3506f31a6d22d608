import { createNoFile, serveFile } from '~/http/download.server'
import { requireHeld } from '~/reports/held-segment.server'
import { pnlFile, PnlFormat, profitAndLossFile } from '~/reports/profit-and-loss.server'
import { readYear } from '~/session/preferences.server'

/**
 * Sends a file of the profit and loss of a year: the PDF or Excel of a segment or the zip of all segments, which the broker makes, or a
 * CSV of the portal.
 */
export const loader = serveFile('/reports/profitnloss', async ({ broker, url, params, request }) => {
	const format = PnlFormat.safeParse(params.format).data
	if (!format) throw createNoFile()
	await requireHeld(broker, url.searchParams.get('segment'))
	return { ...pnlFile(broker.clientCode, format), body: await profitAndLossFile(broker, url, readYear(request), format) }
})
