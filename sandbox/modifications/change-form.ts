import { CHANGE_STATUS } from '#contract/values/code-names'
import { formatDay, toIndianDay } from '#contract/values/dates'
import { formatMoment } from '#contract/values/moments'
import { type SheetTable } from '#documents/table'
import { type Client } from '#sandbox/clients/clients'
import { streamStatement } from '#sandbox/reports/statements'
import { type SandboxParts } from '#sandbox/types'
import { type ChangeRow, findStatus, nameChange } from './requests'

const AUTHORISED: Record<string, string> = {
	LOGIN: 'By the client, signed in',
	OTP: 'By the client, with a one-time code',
	OTP_ESIGN: 'By the client, with a one-time code and an e-sign',
	ESIGN: 'By the client, with an e-sign',
}

/** The form of a signed or finished change, as PDF: old and new value, how it was authorised, when, and its proofs. */
export function streamChangeForm(parts: SandboxParts, client: Client, row: ChangeRow): ReadableStream<Uint8Array> {
	const done = row.done_at ?? row.asked_at
	const proofs = row.proofs as { name: string; type: string; size: number; sha256: string }[]
	const change: SheetTable = {
		name: nameChange(row.kind),
		columns: [
			{ head: 'Particular', width: 30 },
			{ head: 'Detail', width: 100 },
		],
		rows: (
			[
				['Reference', row.reference],
				['Status', CHANGE_STATUS[findStatus(row, parts.clock.now())]],
				['Before', row.was ?? '-'],
				['After', row.becomes ?? '-'],
				['Asked at', formatMoment(row.asked_at)],
				// `done_at` of a closure is when it was signed. The account closes some days later.
				[row.status === 'SIGNED' ? 'Signed at' : 'Done at', formatMoment(done)],
				['Authorised', AUTHORISED[row.authorised_by] ?? row.authorised_by],
			] as const
		).map(([label, value]) => ({ cells: [label, value] })),
	}
	const attached: SheetTable = {
		name: 'Proofs',
		columns: [
			{ head: 'File', width: 40 },
			{ head: 'Size in bytes', width: 20 },
			{ head: 'SHA-256', width: 70 },
		],
		rows: proofs.map(({ name, size, sha256 }) => ({ cells: [name, String(size), sha256] })),
	}
	const closing = ['I declare that what is stated above is true, and I authorise the broker to keep its records accordingly.']
	return streamStatement(parts, client, {
		heading: nameChange(row.kind),
		period: formatDay(toIndianDay(done)),
		periodName: 'Date',
		tables: proofs.length > 0 ? [change, attached] : [change],
		closing,
	})
}
