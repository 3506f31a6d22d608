import { Hono } from 'hono'
import { Profile } from '#contract/profile'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { readLastTradeDay } from '#sandbox/book/read-profile'
import { readDdpi } from '#sandbox/depository/ddpi'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { findClient, maskPan } from './clients'

/** The client's own details. PANs are masked; only these three parts of the stored profile are returned. */
export function profile({ books, clock }: SandboxParts) {
	const routes = new Hono<SandboxEnv>()

	routes.get(
		'/v2/account-profile/personal-details',
		// A report needs the client's segments, which are in this response.
		describeOperation({
			id: 'getPersonalDetails',
			summary: 'Profile, demat details and nominees',
			isOpenToLinks: true,
			query: Source,
			data: Profile,
		}),
		async (c) => {
			const client = await findClient(books, c.var.client.code)
			if (client === undefined) throw new Error('A session without its client')
			const { personal_details, dp_details, nominees } = client.profile
			const last_trade_date = await readLastTradeDay(books, client.code)
			return sendData(c, 'Profile fetched', {
				personal_details: { ...personal_details, pan: maskPan(personal_details.pan), last_trade_date },
				dp_details: { ...dp_details, ddpi_status: (await readDdpi(books, client.code, clock.now())).status },
				nominees: nominees.map(({ name, relation, pan, dob, share, guardian }) => ({
					name,
					relation,
					pan: pan && maskPan(pan),
					dob,
					share,
					guardian: guardian ? { ...guardian, pan: guardian.pan && maskPan(guardian.pan) } : null,
				})),
			})
		},
	)
	return routes
}
