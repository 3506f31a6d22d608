import { Hono } from 'hono'
import { z } from 'zod/v4'
import { ChangeReference, ChangeRequests, ModificationLimits } from '#contract/modifications'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData, NO_DATA, parseBody, parseQuery, Refused } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { PDF_TYPE } from '#sandbox/files/ledger-file'
import { fileHeaders, requireClient } from '#sandbox/reports/statements'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { streamChangeForm } from './change-form'
import { toChangeRequest, listChanges, withdrawChange } from './requests'

const FormQuery = Source.extend(ChangeReference.shape)

/** A client's change requests, with their forms. Another client's request looks like an unknown one. */
export function history(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()

	routes.get(
		'/v1/ours/change-requests',
		describeOperation({ id: 'listChangeRequests', summary: 'Changes asked for, latest first', query: Source, data: ChangeRequests }),
		async (c) => {
			const { code, name } = c.var.client
			const rows = await listChanges(parts, code)
			const now = parts.clock.now()
			return sendData(
				c,
				'Changes fetched',
				rows.map((row) => toChangeRequest(row, name, now)),
			)
		},
	)

	routes.get(
		'/v1/ours/change-form',
		describeOperation({
			id: 'downloadChangeForm',
			summary: 'The form of a change that was signed or made (PDF)',
			query: FormQuery,
			files: [PDF_TYPE],
		}),
		async (c) => {
			const { reference } = parseQuery(c, FormQuery)
			const { code } = c.var.client
			const [row] = await listChanges(parts, code, reference)
			if (row === undefined || (row.status !== 'DONE' && row.status !== 'SIGNED')) throw new Refused(404, NO_DATA)
			const pdf = streamChangeForm(parts, await requireClient(parts, code), row)
			return c.body(pdf, 200, fileHeaders(PDF_TYPE, `${code}_${row.kind}.pdf`))
		},
	)

	routes.post(
		'/v1/ours/change-withdrawal',
		describeOperation({
			id: 'withdrawChange',
			summary: 'Withdraw a change that waits for its e-sign',
			changes: true,
			query: Source,
			body: ChangeReference,
			data: z.null(),
		}),
		async (c) => {
			const { reference } = await parseBody(c, ChangeReference)
			if (!(await withdrawChange(parts, c.var.client.code, reference))) throw new Refused(409, 'This change does not wait for an e-sign')
			return sendData(c, 'Change withdrawn', null)
		},
	)

	routes.get(
		'/v1/ours/modification-limits',
		describeOperation({ id: 'getModificationLimits', summary: 'How many a client may have', query: Source, data: ModificationLimits }),
		(c) => {
			const { maxNominees, maxBanks } = parts.settings
			return sendData(c, 'Limits fetched', { max_nominees: maxNominees, max_banks: maxBanks } satisfies ModificationLimits)
		},
	)
	return routes
}
