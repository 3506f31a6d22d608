import { ChangeReference } from '#contract/modifications'
import { downloadChangeForm } from '~/broker/modifications.server'
import { createNoFile, serveFile } from '~/http/download.server'

/** Sends the signed form of a finished change. Answers 404 when it is not a form of the client. */
export const loader = serveFile('/myaccount/requests', async ({ broker, params }) => {
	const asked = ChangeReference.safeParse(params)
	if (!asked.success) throw createNoFile()
	const { reference } = asked.data
	return { name: `${broker.clientCode}_${reference}`, kind: 'pdf', body: await downloadChangeForm(broker, reference) }
})
