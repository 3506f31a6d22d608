import { type LoaderFunctionArgs } from '@remix-run/node'
import { ChangeReference } from '#contract/modifications'
import { downloadChangeForm } from '~/broker/modifications.server'
import { failedFile, sendFile } from '~/http/download.server'
import { requireBroker } from '~/session/session.server'

/** Sends the signed form of a finished change. Answers 404 when it is not a form of the client. */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const asked = ChangeReference.safeParse(params)
	if (!asked.success) throw new Response('There is no such file.', { status: 404 })
	const { reference } = asked.data
	try {
		return await sendFile(request, `${broker.clientCode}_${reference}`, 'pdf', await downloadChangeForm(broker, reference))
	} catch (error) {
		return await failedFile(request, error, '/myaccount/requests')
	}
}
