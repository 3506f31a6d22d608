import { type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { downloadHoldings } from '~/broker/downloads.server'
import { readBrand } from '~/config/brand.server'
import { createNoFile, failedFile, sendFile } from '~/http/download.server'
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
	if (format !== 'pdf' && format !== 'xlsx') throw createNoFile()
	try {
		if (report === 'holding') {
			const body = await downloadHoldings(broker, format)
			return await sendFile(request, { name: `${session.clientCode}_HOLDING`, kind: format, body })
		}
		if (report !== 'ledger') throw createNoFile()
		const year = readYear(request)
		const body = await openYearLedger(broker, { brand: readBrand().name, format, year })
		return await sendFile(request, { name: formatYearName(session.clientCode, year), kind: format, body })
	} catch (error) {
		return failedFile(request, error, '/rekyc')
	}
}
