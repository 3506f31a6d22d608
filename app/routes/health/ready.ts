import { type LoaderFunctionArgs } from '@remix-run/node'
import { isBrokerAnswering } from '~/broker/health.server'
import { connectAnonymousBroker } from '~/session/session.server'

/** Answers 200 when the broker answers, so that clients can be served; otherwise 503. */
export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await isBrokerAnswering(connectAnonymousBroker(request))
	return Response.json({ broker: broker ? 'answering' : 'not answering' }, { status: broker ? 200 : 503 })
}
