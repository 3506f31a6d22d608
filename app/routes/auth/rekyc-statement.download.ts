import { type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { downloadHoldings } from '~/broker/downloads.server'
import { readBrand } from '~/config/brand.server'
import { failedFile, sendFile } from '~/http/download.server'
import { formatYearName } from '~/reports/ledger-names.server'
import { openYearLedger } from '~/reports/year-ledger.server'
import { readYear } from '~/session/preferences.server'
import { connectSession, requireLogin } from '~/session/session.server'

/** Sends one of the two statements that a dormant client can open: the ledger by year, and the holding. Other clients use /downloads. */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const session = await requireLogin(request)
	if (!session.isDormate) throw redirect('/reports/downloads')
	const broker = connectSession(request, session)
	const { report, format } = params
	if (format !== 'pdf' && format !== 'xlsx') throw new Response('There is no such file.', { status: 404 })
	try {
		if (report === 'holding')
			return await sendFile(request, `${session.clientCode}_HOLDING`, format, await downloadHoldings(broker, format))
		if (report !== 'ledger') throw new Response('There is no such file.', { status: 404 })
		const year = readYear(request)
		const file = await openYearLedger(broker, { brand: readBrand().name, format, year })
		return await sendFile(request, formatYearName(session.clientCode, year), format, file)
	} catch (error) {
		return failedFile(request, error, '/rekyc')
	}
}
