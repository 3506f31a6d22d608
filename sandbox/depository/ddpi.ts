import { and, eq, gt } from 'drizzle-orm'
import { Hono } from 'hono'
import { z } from 'zod/v4'
import { Day } from '#contract/common'
import { DdpiDetails, DdpiPdfRequest, DdpiStatus } from '#contract/depository'
import { EsignResponse } from '#contract/esign'
import { formatDay, toIndianDay } from '#contract/values/dates'
import { DDPI_CLAUSES } from '#contract/values/ddpi-clauses'
import { type SheetTable } from '#documents/table'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData, NO_DATA, parseBody, Refused } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { type Queries } from '#sandbox/db/open'
import { clients, esigns } from '#sandbox/db/schema'
import { type Effect, openEsign } from '#sandbox/esign/esign'
import { changeNotices, listContacts } from '#sandbox/modifications/notices'
import { changeStored, readStored } from '#sandbox/modifications/stored'
import { fileHeaders, requireClient, streamStatement } from '#sandbox/reports/statements'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'

const OwnDemat = z.looseObject({
	cdsl_bo_id: z.string().nullable(),
	nsdl_bo_id: z.string().nullable(),
	ddpi_status: DdpiStatus,
	ddpi_signed_on: Day.nullish(),
})
const OwnProfile = z.looseObject({ dp_details: OwnDemat })

const whereWaiting = (client: string, now: Date) =>
	and(eq(esigns.client, client), eq(esigns.kind, 'DDPI'), eq(esigns.status, 'WAITING'), gt(esigns.expires_at, now))

/** The DDPI of a client; PENDING while it waits for the client's signature. */
export async function readDdpi({ db }: { db: Pick<Queries, 'select'> }, client: string, now: Date) {
	const [row] = await db.select({ profile: clients.profile }).from(clients).where(eq(clients.code, client))
	const { ddpi_status, ddpi_signed_on, cdsl_bo_id, nsdl_bo_id } = OwnProfile.parse(row?.profile).dp_details
	const [waiting] = await db.select({ reference: esigns.reference }).from(esigns).where(whereWaiting(client, now)).limit(1)
	const status: z.infer<typeof DdpiStatus> = ddpi_status !== 'ACTIVE' && waiting ? 'PENDING' : ddpi_status
	return { status, signedOn: status === 'ACTIVE' ? (ddpi_signed_on ?? null) : null, boId: cdsl_bo_id ?? nsdl_bo_id ?? '' }
}

const OwnCode = Source.extend({ client_code: z.string() })

/** The standing instruction that lets sales be delivered without codes: its text, its document, its e-sign. */
export function ddpi(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	addDdpiDetails(routes, parts)
	addDownloadDdpiPdf(routes, parts)
	addRequestDdpiEsign(routes, parts)
	return routes
}

function addDdpiDetails(routes: Hono<SandboxEnv>, { books, clock }: SandboxParts) {
	routes.get(
		'/edis/v1/detailed_file',
		describeOperation({ id: 'getDdpiDetails', summary: 'DDPI state and clauses', query: OwnCode, data: DdpiDetails }),
		async (c) => {
			const { status, signedOn, boId } = await readDdpi(books, c.var.client.code, clock.now())
			return sendData(c, 'DDPI details fetched', {
				bo_id: boId,
				client_name: c.var.client.name.toUpperCase(),
				ddpi_status: status,
				signed_on: signedOn,
				clauses: Object.values(DDPI_CLAUSES),
			} satisfies z.input<typeof DdpiDetails>)
		},
	)
}

function addDownloadDdpiPdf(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { books, clock } = parts
	routes.post(
		'/edis/v1/get_pdf',
		describeOperation({
			id: 'downloadDdpiPdf',
			summary: 'DDPI document (PDF)',
			query: Source,
			body: DdpiPdfRequest,
			files: ['application/pdf'],
		}),
		async (c) => {
			const { bo_id } = await parseBody(c, DdpiPdfRequest)
			const { code } = c.var.client
			const own = await readDdpi(books, code, clock.now())
			if (own.boId !== bo_id) throw new Refused(404, NO_DATA)
			const client = await requireClient(parts, code)
			const day = formatDay(own.signedOn ?? toIndianDay(clock.now()))
			const pdf = streamStatement(parts, client, {
				heading: 'Demat Debit and Pledge Instruction',
				period: own.status === 'ACTIVE' ? `Signed on ${day}` : `Not signed, as of ${day}`,
				periodName: 'Status',
				facts: [['BO ID', bo_id]],
				tables: [clauseTable],
				closing: [
					'This instruction is voluntary. It covers the four purposes above and no other, and it may be revoked at any time.',
					`I authorise ${parts.settings.brokerName} to debit and to pledge securities of the account above for these purposes.`,
				],
				...(own.status === 'ACTIVE' ? {} : { toSign: ['Signature of the account holder', 'Date and place'] }),
			})
			return c.body(pdf, 200, fileHeaders('application/pdf', `${code}_EDDPI.pdf`))
		},
	)
}

function addRequestDdpiEsign(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { clock, books } = parts
	routes.get(
		'/edis/v1/request_esign',
		describeOperation({ id: 'requestDdpiEsign', summary: 'E-sign the DDPI', query: OwnCode, data: EsignResponse }),
		async (c) => {
			const { code } = c.var.client
			const now = clock.now()
			const response = await books.db.transaction(async (tx) => {
				// Calls run one after the other, so that two at once do not leave two requests that can be signed.
				const { boId } = await lockedDdpi(tx, code, now)
				// A new request replaces an unsigned one.
				await tx.update(esigns).set({ status: 'WITHDRAWN', ended_at: now }).where(whereWaiting(code, now))
				const lines = [
					{ label: 'Demat account', value: `XXXXXXXXXXXX${boId.slice(-4)}` },
					{ label: 'Allows', value: 'Delivery of what you sell, margin pledge, mutual funds, open offers' },
					{ label: 'Revocable', value: 'At any time' },
				]
				const asked = { client: code, kind: 'DDPI' as const, title: 'Demat Debit and Pledge Instruction', lines, payload: {} }
				return (await openEsign(parts, tx, asked)).response
			})
			return sendData(c, 'Proceed to e-sign', response)
		},
	)
}

async function lockedDdpi(tx: Queries, client: string, now: Date) {
	await readStored(tx, client, true)
	const own = await readDdpi({ db: tx }, client, now)
	if (own.status === 'ACTIVE') throw new Refused(409, 'DDPI is already active')
	return own
}

const clauseTable: SheetTable = {
	name: 'Purposes',
	columns: [
		{ head: 'No.', width: 8 },
		{ head: 'Purpose', width: 170 },
	],
	rows: Object.values(DDPI_CLAUSES).map((clause, at) => ({ cells: [String(at + 1), clause] })),
}

/** The effect of the signature: from now on sales are delivered without codes. */
export const applyDdpi: Effect = async (tx, { client }, now) => {
	await changeStored(tx, client, (stored) => ({
		...stored,
		dp_details: { ...stored.dp_details, ddpi_status: 'ACTIVE', ddpi_signed_on: toIndianDay(now) },
	}))
	return changeNotices(client, 'the DDPI was signed', listContacts(await readStored(tx, client)), now)
}
