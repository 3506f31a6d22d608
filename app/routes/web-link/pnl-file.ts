import { type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { failedFile, sendFile } from '~/files.server'
import { PnlFormat, profitAndLossFile } from '~/reports/profit-and-loss.server'
import { flashCookie } from '~/toast.server'
import { LINK_PATH, LinkRefused, REFRESHED, withLink } from '~/web-link.server'

/** The files of a report that was opened by a link: of that client, and no others. */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const format = PnlFormat.safeParse(params.format).data
	if (!format) throw new Response('There is no such file.', { status: 404 })
	try {
		const { result, headers, isRefreshed } = await withLink(request, async (broker, year) => ({
			name: `${broker.clientCode}_PNL`,
			file: await profitAndLossFile(broker, new URL(request.url), year, format),
		}))
		// The page that is shown next says it.
		if (isRefreshed) headers.append('set-cookie', await flashCookie({ kind: 'info', message: REFRESHED }))
		return await sendFile(request, result.name, format, result.file, headers)
	} catch (error) {
		if (!(error instanceof LinkRefused)) return failedFile(request, error, LINK_PATH)
		const message = 'This link is not valid or has expired'
		if (request.headers.get('x-download') === 'fetch') return Response.json({ message }, { status: error.status })
		// The report finds out for itself, and says why.
		return redirect(LINK_PATH, { status: 303 })
	}
}
