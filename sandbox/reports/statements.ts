import { formatDay } from '#contract/values/dates'
import { type Client, findClient, maskPan } from '#sandbox/clients/clients'
import { streamTablePdf, type TablePdf } from '#sandbox/files/table-pdf'
import { type SandboxParts } from '#sandbox/types'

/** The client of a session. Throws when it does not exist, because then the books are broken. */
export async function requireClient({ books }: SandboxParts, code: string): Promise<Client> {
	const client = await findClient(books, code)
	if (client === undefined) throw new Error('A session without its client')
	return client
}

const AS_ON = 'As on '

type Statement = Pick<TablePdf, 'heading' | 'tables' | 'note' | 'closing' | 'toSign' | 'tellsSigning' | 'sideFacts'> & {
	period: string
	/** The name of the period among the facts. */
	periodName?: string
	facts?: TablePdf['facts']
	/** True for documents on which the law or a depository requires the whole PAN. Others show its last five characters. */
	hasFullPan?: boolean
}

/** A statement of tables under the broker's letterhead, as a PDF. */
export function streamStatement({ settings, clock }: SandboxParts, client: Client, statement: Statement): ReadableStream<Uint8Array> {
	const {
		heading,
		period,
		periodName = 'Period',
		tables,
		note,
		closing,
		toSign,
		tellsSigning,
		sideFacts,
		facts = [],
		hasFullPan = false,
	} = statement
	const { pan } = client.profile.personal_details
	const { brokerName } = settings
	// A day has no period: `As on 21/11/2026` is a name and a value.
	const dayFact = period.startsWith(AS_ON) ? ([AS_ON.trim(), period.slice(AS_ON.length)] as const) : undefined
	return streamTablePdf({
		brokerName,
		title: `${heading} of ${client.code}, ${period}`,
		heading,
		facts: [
			['Client', client.name],
			['Client code', client.code],
			['PAN', hasFullPan ? pan : maskPan(pan)],
			dayFact ?? [periodName, period],
			...facts,
		],
		sideFacts,
		runningHead: [`${brokerName} · ${heading} of ${client.name} (${client.code})`, period],
		note,
		tables,
		closing,
		toSign,
		tellsSigning,
		madeAt: clock.now(),
	})
}

/** `01/04/2025 to 31/03/2026`. */
export const showPeriod = (from: string, to: string): string => `${formatDay(from)} to ${formatDay(to < from ? from : to)}`

/** Headers of a file. The name is exposed, so that a client in a browser can read it. */
export function fileHeaders(type: string, name: string): Record<string, string> {
	return {
		'content-type': type,
		'content-disposition': `attachment; filename="${name}"`,
		'access-control-expose-headers': 'content-disposition',
	}
}
