import { type LoaderFunctionArgs } from '@remix-run/node'
import { failedFile, sendFile } from '~/http/download.server'
import { requireHeld } from '~/reports/held-segment.server'
import { pnlFile, PnlFormat, profitAndLossFile } from '~/reports/profit-and-loss.server'
import { readYear } from '~/session/preferences.server'
import { requireBroker } from '~/session/session.server'

/**
 * Sends a file of the profit and loss of a year: the PDF or Excel of a segment or the zip of all segments, which the broker makes, or a
 * CSV of the portal.
 */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const format = PnlFormat.safeParse(params.format).data
	if (!format) throw new Response('There is no such file.', { status: 404 })
	const url = new URL(request.url)
	try {
		await requireHeld(broker, url.searchParams.get('segment'))
		const file = await profitAndLossFile(broker, url, readYear(request), format)
		const { name, kind } = pnlFile(broker.clientCode, format)
		return await sendFile(request, name, kind, file)
	} catch (error) {
		return failedFile(request, error, '/reports/profitnloss')
	}
}
