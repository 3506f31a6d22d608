import { type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { createNoFile, failedFile, sendFile } from '~/http/download.server'
import { requireHeld } from '~/reports/held-segment.server'
import { pnlFile, PnlFormat, profitAndLossFile } from '~/reports/profit-and-loss.server'
import { flashCookie } from '~/session/toast.server'
import { LinkRefused, REFRESHED, reportAddress, withLink } from '~/session/web-link.server'

/** Sends a file of a report opened by a link, only for the client of that link. */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const format = PnlFormat.safeParse(params.format).data
	if (!format) throw createNoFile()
	try {
		const { result, clientCode, headers, isRefreshed } = await withLink(request, async (broker, year, url) => {
			await requireHeld(broker, url.searchParams.get('segment'))
			return { ...pnlFile(broker.clientCode, format), body: await profitAndLossFile(broker, url, year, format) }
		})
		// The next page shows the message.
		if (isRefreshed) headers.append('set-cookie', await flashCookie({ kind: 'info', message: REFRESHED }))
		return await sendFile(request, result, { clientCode, headers })
	} catch (error) {
		if (!(error instanceof LinkRefused)) return failedFile(request, error, reportAddress(request))
		const message = 'This link is not valid or has expired'
		if (request.headers.get('x-download') === 'fetch') return Response.json({ message }, { status: error.status })
		// The report page finds the problem again and shows the reason.
		return redirect(reportAddress(request), { status: 303 })
	}
}
