import { type LoaderFunctionArgs } from '@remix-run/node'
import { downloadDdpiPdf, getDdpiDetails } from '~/broker/depository.server'
import { BrokerRefusal } from '~/broker/failures.server'
import { failedFile, sendFile } from '~/http/download.server'
import { requireBroker } from '~/session/session.server'

const NO_ACCOUNT = 'The broker does not give the number of your demat account now. Try again later.'

/** Sends the DDPI document of the client's demat account. */
export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	try {
		const { bo_id } = await getDdpiDetails(broker)
		if (bo_id === null) throw new BrokerRefusal(422, { status: 'error', message: NO_ACCOUNT })
		return await sendFile(request, `${broker.clientCode}_EDDPI`, 'pdf', await downloadDdpiPdf(broker, bo_id))
	} catch (error) {
		return await failedFile(request, error, '/dpprocess/ddpi')
	}
}
