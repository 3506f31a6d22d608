import { type LoaderFunctionArgs } from '@remix-run/node'
import { downloadChangeForm, listChangeRequests } from '~/broker/modifications.server'
import { replyFailedOwnFile, sendFile } from '~/http/download.server'
import { readPendingFile } from '~/http/pending-file.server'
import { connectSession, requireSession } from '~/session/session.server'
import { findDeclaration } from './declaration.server'

/**
 * Sends the declaration of the last income change. For 15 minutes this is the file that the broker returned (in all processes with a
 * shared Redis). Later, or in another process without Redis, it is the form of the last finished change.
 */
export async function loader({ request }: LoaderFunctionArgs) {
	const session = await requireSession(request)
	const name = `${session.clientCode}_INCOME`
	const kept = await readPendingFile(session.id, 'income')
	if (kept) return await sendFile(request, { name, kind: 'pdf', body: kept })
	const broker = connectSession(request, session)
	try {
		const last = findDeclaration(await listChangeRequests(broker))
		if (!last) throw Response.json({ message: 'There is no declaration of income yet.' }, { status: 404 })
		return await sendFile(request, { name, kind: 'pdf', body: await downloadChangeForm(broker, last.reference) })
	} catch (error) {
		return await replyFailedOwnFile(request, error, '/myaccount/income')
	}
}
