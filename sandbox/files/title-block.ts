import { formatMoment } from '#contract/values/moments'
import { type TitleBlock } from '#documents/table'
import { type Client } from '#sandbox/clients/clients'
import { type SandboxParts } from '#sandbox/types'

/** The lines above the column heads of a workbook. Without a client there is no client line. */
export function buildWorkbookTitle(
	{ settings, clock }: SandboxParts,
	client: Client | undefined,
	{ heading, period }: { heading: string; period: string },
): TitleBlock {
	const now = clock.now()
	return [
		`${heading}, ${settings.brokerName}`,
		...(client === undefined ? [] : [`Client: ${client.name} (${client.code})`]),
		period.startsWith('As on ') ? period : `Period: ${period}`,
		`Made at ${formatMoment(now)}. Sandbox broker: prices are illustrative.`,
	]
}

/** The foot of a PDF. With `isSigned` the client or the broker signs it, so the foot does not say that no signature is needed. */
export function tellMade(madeAt: Date, isSigned = false): string {
	const made = `Generated at ${formatMoment(madeAt)}. Sandbox broker: prices are illustrative.`
	return isSigned ? made : `${made} A computer-generated statement: no signature is needed.`
}
