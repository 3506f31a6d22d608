import { type LoaderFunctionArgs } from '@remix-run/node'
import { failedFile, sendFile } from '~/http/download.server'
import { pnlFile, PnlFormat, profitAndLossFile } from '~/reports/profit-and-loss.server'
import { readYear } from '~/session/preferences.server'
import { requireBroker } from '~/session/session.server'

/** Profit and loss of a year: the broker's PDF and Excel of a segment, its zip of all, and our CSV. */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const format = PnlFormat.safeParse(params.format).data
	if (!format) throw new Response('There is no such file.', { status: 404 })
	try {
		const file = await profitAndLossFile(broker, new URL(request.url), readYear(request), format)
		const { name, kind } = pnlFile(broker.clientCode, format)
		return await sendFile(request, name, kind, file)
	} catch (error) {
		return failedFile(request, error, '/reports/profitnloss')
	}
}
