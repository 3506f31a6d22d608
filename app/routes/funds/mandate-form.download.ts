import { z } from 'zod/v4'
import { createPhysicalEmandate } from '~/broker/funds.server'
import { findBankDetails } from '~/broker/profile.server'
import { findChosenBank } from '~/forms/bank-options.server'
import { AmountTyped } from '~/forms/typed-fields.server'
import { serveFile } from '~/http/download.server'
import { mandateDetails } from './mandate.server'

const Asked = z.object({ amount: AmountTyped, bank: z.string().max(40) })

/** Sends the mandate form to print and sign. It changes nothing at the broker, so a GET may request it. */
export const loader = serveFile(
	'/funds/e-mandate',
	async ({ broker, url }) => {
		const asked = Asked.safeParse(Object.fromEntries(url.searchParams)).data
		const bank = asked && findChosenBank(await findBankDetails(broker), asked.bank)
		if (!asked || !bank) throw Response.json({ message: 'Choose amount and bank account again.' }, { status: 422 })
		// The schema requires a channel, which this call ignores.
		const body = await createPhysicalEmandate(broker, mandateDetails(bank, asked.amount, 'netbanking'))
		return { name: `${broker.clientCode}_EMANDATE`, kind: 'pdf', body }
	},
	{ isFetchedByPage: true },
)
