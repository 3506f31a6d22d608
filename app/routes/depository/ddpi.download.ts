import { downloadDdpiPdf, getDdpiDetails } from '~/broker/depository.server'
import { BrokerRefusal } from '~/broker/failures.server'
import { serveFile } from '~/http/download.server'

const NO_ACCOUNT = 'The broker does not give the number of your demat account now. Try again later.'

/** Sends the DDPI document of the client's demat account. */
export const loader = serveFile('/dpprocess/ddpi', async ({ broker }) => {
	const { bo_id } = await getDdpiDetails(broker)
	if (bo_id === null) throw new BrokerRefusal(422, { status: 'error', message: NO_ACCOUNT })
	return { name: `${broker.clientCode}_EDDPI`, kind: 'pdf', body: await downloadDdpiPdf(broker, bo_id) }
})
