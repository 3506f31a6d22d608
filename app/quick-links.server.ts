import { type Broker } from '~/broker/client.server'
import { listQuickLinks } from '~/broker/dashboard.server'
import { webAddress } from '~/lib/web-address'
import { part } from '~/parts.server'

/** The broker's links to sites of others. */
export async function readQuickLinks(broker: Broker, reference: string) {
	const { data = [], failure } = await part(listQuickLinks(broker), reference, [])
	return { failure, links: data.flatMap(({ title, url }) => (webAddress(url) ? [{ title, href: url }] : [])) }
}
