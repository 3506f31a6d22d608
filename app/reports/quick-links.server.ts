import { type Broker } from '~/broker/client.server'
import { listQuickLinks } from '~/broker/dashboard.server'
import { loadSidePart } from '~/http/partial-data.server'
import { webAddress } from '~/lib/web-address'

/** Returns the broker's links to other sites. A link without a valid address has only its title; one without a title is left out. */
export async function readQuickLinks(broker: Broker, reference: string) {
	const { data = [], failure } = await loadSidePart(listQuickLinks(broker), reference, [])
	return { failure, links: data.filter(({ title }) => title.trim()).map(({ title, url }) => ({ title, href: webAddress(url) })) }
}
