import { formatDay, timeOfDay, toIndianDay } from '#contract/values/dates'
import { type Client } from '#sandbox/clients/clients'
import { type SandboxParts } from '#sandbox/types'
import { type TitleBlock } from './table'

/** What stands above the heads of a workbook. A list that is of no client has no line of one. */
export function titleOfWorkbook(
	{ settings, clock }: SandboxParts,
	client: Client | undefined,
	{ heading, period }: { heading: string; period: string },
): TitleBlock {
	const now = clock.now()
	return [
		`${heading}, ${settings.brokerName}`,
		...(client === undefined ? [] : [`Client: ${client.name} (${client.code})`]),
		period.startsWith('As on ') ? period : `Period: ${period}`,
		`Made on ${formatDay(toIndianDay(now))} at ${timeOfDay(now)} IST. Sandbox broker: prices are illustrative.`,
	]
}
