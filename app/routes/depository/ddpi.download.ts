import { type LoaderFunctionArgs } from '@remix-run/node'
import { downloadDdpiPdf, getDdpiDetails } from '~/broker/depository.server'
import { failedFile, sendFile } from '~/http/download.server'
import { requireBroker } from '~/session/session.server'

/** Sends the DDPI document of the client's demat account. */
export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	try {
		const { bo_id } = await getDdpiDetails(broker)
		return await sendFile(request, `${broker.clientCode}_EDDPI`, 'pdf', await downloadDdpiPdf(broker, bo_id))
	} catch (error) {
		return await failedFile(request, error, '/dpprocess/ddpi')
	}
}
