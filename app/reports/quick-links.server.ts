import { type Broker } from '~/broker/client.server'
import { listQuickLinks } from '~/broker/dashboard.server'
import { loadSidePart } from '~/http/partial-data.server'
import { webAddress } from '~/lib/web-address'

/** Returns the broker's links to other sites. A link without a valid address has only its title; one without a title is left out. */
export async function readQuickLinks(broker: Broker) {
	const { data = [], failure } = await loadSidePart(broker, listQuickLinks(broker), [])
	return { failure, links: data.filter(({ title }) => title.trim()).map(({ title, url }) => ({ title, href: webAddress(url) })) }
}
