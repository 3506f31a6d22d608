import { Hono } from 'hono'
import { AddSegmentData, AddSegmentRequest, type SegmentName, SEGMENTS_WITH_PROOF } from '#contract/modifications'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData, parseFields, parseQuery, Refused } from '#sandbox/api/responses'
import { readMultipartForm, readUpload } from '#sandbox/api/uploads'
import { type Effect } from '#sandbox/esign/esign'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { changeNotices, listContacts } from './notices'
import { finishChange, recordForEsign } from './requests'
import { refuseField, type Steps, StepQuery } from './steps'
import { changeStored, joinList, readStored, splitList, type Stored } from './stored'

/** The company code that a segment adds. Other segments add none. */
const COMPANY_CODES: Partial<Record<SegmentName, string>> = {
	Cash: 'NSE_CASH',
	'Future & Options': 'NSE_FNO',
	'Currency Derivatives': 'CD_NSE',
}

const activeIn = ({ dp_details }: Stored) => splitList(dp_details.activate_segment)

/** Adds a segment with a code, a proof of income when the law requires one, and the e-sign. */
export function segment(parts: SandboxParts, steps: Steps) {
	const routes = new Hono<SandboxEnv>()

	routes.post(
		'/v1/modifications/segment-addition',
		describeOperation({
			id: 'addSegment',
			summary: 'Activate a segment (two steps)',
			changes: true,
			query: StepQuery,
			body: AddSegmentRequest,
			uploads: ['file'],
			data: AddSegmentData,
		}),
		async (c) => {
			const { process } = parseQuery(c, StepQuery)
			const form = await readMultipartForm(c)
			const { segment: name, file_type, otp } = parseFields(form, AddSegmentRequest)
			const { code } = c.var.client
			const stored = await readStored(parts.books.db, code)
			const active = activeIn(stored)
			if (active.includes(name)) throw new Refused(409, 'Segment is already active')
			const needsProof = SEGMENTS_WITH_PROOF.includes(name)
			if (needsProof && !active.includes('Cash')) throw refuseField('segment', `Activate Cash before ${name}`)
			const wantsProof = process === 'verify_otp' && needsProof
			if (wantsProof && file_type === undefined) throw refuseField('file_type', 'Select the type of proof')
			const proofs = wantsProof ? [await readUpload(form, 'file')] : []
			const step = {
				process,
				otp,
				purpose: 'segment',
				payload: { segment: name },
				recipients: listContacts(stored).slice(0, 1),
				what: `activate ${name}`,
			}
			return await steps.take(
				c,
				step,
				(tx, payload) => {
					const change = { client: code, was: active.join(', '), becomes: `${payload.segment} active`, proofs }
					return recordForEsign(parts, tx, { ...change, kind: 'SEGMENTS' }, payload)
				},
				(response) => sendData(c, 'Proceed to e-sign', response),
			)
		},
	)
	return routes
}

/** The effect of the signature: the segment is active, and the ledgers and reports of its company code too. */
export const applySegment: Effect = async (tx, { client, reference, payload }, now) => {
	const { segment: name } = payload as { segment: SegmentName }
	await changeStored(tx, client, (stored) => {
		const opened = COMPANY_CODES[name]
		const codes = [...splitList(stored.dp_details.company_code), ...(opened ? [opened] : [])]
		const dp_details = { ...stored.dp_details, company_code: joinList(codes), activate_segment: joinList([...activeIn(stored), name]) }
		return { ...stored, dp_details }
	})
	await finishChange(tx, reference, now)
	return changeNotices(client, `${name} was activated`, listContacts(await readStored(tx, client)), now)
}
