import { Hono } from 'hono'
import { type z } from 'zod/v4'
import { NameInAddress } from '#contract/common'
import { EsignStatus } from '#contract/esign'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData, NO_DATA, parseQuery, Refused } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { findEsign, formatResponseUrl } from './esign'

const OneEsign = Source.extend({ ref: NameInAddress })

/** The state of an e-sign request. Another client's request looks like an unknown one. */
export function esignStatus(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()

	routes.get(
		'/v1/ours/esign',
		describeOperation({ id: 'getEsignStatus', summary: 'Status of a signing request', query: OneEsign, data: EsignStatus }),
		async (c) => {
			const { ref } = parseQuery(c, OneEsign)
			const esign = await findEsign(parts, { reference: ref, client: c.var.client.code })
			if (esign === undefined) throw new Refused(404, NO_DATA)
			const { reference, title, lines, status, lastOutcome, reason, endedAt, expiresAt, token } = esign
			return sendData(c, 'E-sign fetched', {
				reference,
				title,
				lines,
				status,
				last_outcome: lastOutcome,
				reason,
				ended_at: endedAt?.toISOString() ?? null,
				expires_at: expiresAt.toISOString(),
				esign_response: status === 'WAITING' ? formatResponseUrl(parts.settings.url, token) : null,
			} satisfies z.input<typeof EsignStatus>)
		},
	)
	return routes
}
