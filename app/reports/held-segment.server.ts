import { Segment } from '#contract/units'
import { SEGMENTS } from '#contract/values/segments'
import { type Broker } from '~/broker/client.server'
import { listClientSegments } from '~/broker/profile.server'

/**
 * Throws the sentence of the page when a file is of a segment that the client does not have: the file would be empty. Every client has a
 * ledger of NSE_CASH.
 */
export async function requireHeld(broker: Broker, asked: string | null | undefined): Promise<void> {
	const segment = Segment.safeParse(asked).data
	if (segment === undefined || (await listClientSegments(broker)).includes(segment)) return
	throw Response.json({ message: `${SEGMENTS[segment]} is not active on your account.` }, { status: 404 })
}
