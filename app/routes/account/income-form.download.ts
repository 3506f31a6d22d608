import { downloadChangeForm, listChangeRequests } from '~/broker/modifications.server'
import { serveFile } from '~/http/download.server'
import { readPendingFile } from '~/http/pending-file.server'
import { requireSession } from '~/session/session.server'
import { findDeclaration } from './declaration.server'

/**
 * Sends the declaration of the last income change. For 15 minutes this is the file that the broker returned (in all processes with a
 * shared Redis). Later, or in another process without Redis, it is the form of the last finished change.
 */
export const loader = serveFile(
	'/myaccount/income',
	async ({ broker, request }) => {
		const name = `${broker.clientCode}_INCOME`
		const kept = await readPendingFile((await requireSession(request)).id, 'income')
		if (kept) return { name, kind: 'pdf', body: kept }
		const last = findDeclaration(await listChangeRequests(broker))
		if (!last) throw Response.json({ message: 'There is no declaration of income yet.' }, { status: 404 })
		return { name, kind: 'pdf', body: await downloadChangeForm(broker, last.reference) }
	},
	{ isFetchedByPage: true },
)
