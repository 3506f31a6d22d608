import { type LoaderFunctionArgs } from '@remix-run/node'
import { isBrokerAnswering } from '~/broker/health.server'
import { connectAnonymousBroker } from '~/session/session.server'

/** Whether clients can be served: the portal is up, and the broker answers. */
export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await isBrokerAnswering(connectAnonymousBroker(request))
	return Response.json({ broker: broker ? 'answering' : 'not answering' }, { status: broker ? 200 : 503 })
}
