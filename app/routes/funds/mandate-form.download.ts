import { type LoaderFunctionArgs } from '@remix-run/node'
import { z } from 'zod/v4'
import { createPhysicalEmandate } from '~/broker/funds.server'
import { findBankDetails } from '~/broker/profile.server'
import { findChosenBank } from '~/forms/bank-options.server'
import { AmountTyped } from '~/forms/typed-fields.server'
import { replyFailedOwnFile, sendFile } from '~/http/download.server'
import { requireBroker } from '~/session/session.server'
import { mandateDetails } from './mandate.server'

const Asked = z.object({ amount: AmountTyped, bank: z.string().max(40) })

/** Sends the mandate form to print and sign. It changes nothing at the broker, so a GET may request it. */
export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	try {
		const asked = Asked.safeParse(Object.fromEntries(new URL(request.url).searchParams)).data
		const bank = asked && findChosenBank(await findBankDetails(broker), asked.bank)
		if (!asked || !bank) throw Response.json({ message: 'Choose amount and bank account again.' }, { status: 422 })
		// The schema requires a channel, which this call ignores.
		const body = await createPhysicalEmandate(broker, mandateDetails(bank, asked.amount, 'netbanking'))
		return await sendFile(request, { name: `${broker.clientCode}_EMANDATE`, kind: 'pdf', body })
	} catch (error) {
		return replyFailedOwnFile(request, error, '/funds/e-mandate')
	}
}
