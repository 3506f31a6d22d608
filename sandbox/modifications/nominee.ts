import { Hono } from 'hono'
import { LRUCache } from 'lru-cache'
import { ChangeNomineesData, ChangeNomineesRequest, type NomineeChange, NomineePan, Pan } from '#contract/modifications'
import { toIndianDay } from '#contract/values/dates'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData, parseBody, parseQuery, Refused } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { type Effect } from '#sandbox/esign/esign'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { checkNominees } from './nominee-rules'
import { changeNotices, listContacts } from './notices'
import { findPanHolder } from './pan-register'
import { formatHolderName } from './penny-drop'
import { finishChange, isWaiting, recordForEsign } from './requests'
import { type Steps, StepQuery } from './steps'
import { changeStored, readStored, type Stored } from './stored'

const PanQuery = Source.extend({ pan_no: Pan })

/** Limits the PAN lookups of one client in a quarter of an hour: they are for nominees, not for collecting names. */
const LOOKUPS = 60
const LOOKUPS_WITHIN_MS = 900_000

function shown(nominees: readonly { name: string; relation: string; share: number }[], hasOptedOut = false): string {
	if (nominees.length === 0) return hasOptedOut ? 'No nominee, by declaration' : 'None'
	return nominees
		.map(({ name, relation, share }) => `${name} (${relation}) ${share} %`)
		.join(', ')
		.slice(0, 400)
}

/**
 * Changes nominees: the whole new list, or a declaration that there are none, with a code and the e-sign. Also looks up the name of a
 * PAN.
 */
export function nominee(parts: SandboxParts, steps: Steps) {
	const routes = new Hono<SandboxEnv>()
	const { books, clock, settings } = parts
	const lookups = new LRUCache<string, { times: number; until: number }>({ max: 10_000 })

	function countLookup(client: string): void {
		const now = clock.now().getTime()
		const tally = lookups.get(client)
		const current = tally && tally.until > now ? tally : { times: 0, until: now + LOOKUPS_WITHIN_MS }
		if (current.times >= LOOKUPS) {
			const seconds = Math.ceil((current.until - now) / 1000)
			throw new Refused(429, 'Too many requests. Please try again later', { retry_after: seconds }, { 'retry-after': String(seconds) })
		}
		lookups.set(client, { ...current, times: current.times + 1 })
	}

	routes.get(
		'/v1/user/nom-pan-verify',
		describeOperation({ id: 'verifyNomineePan', summary: 'Check a nominee’s PAN', query: PanQuery, data: NomineePan }),
		(c) => {
			const { pan_no } = parseQuery(c, PanQuery)
			countLookup(c.var.client.code)
			const name = findPanHolder(pan_no)
			if (name === undefined) return sendData(c, 'PAN not found', { pan_no, name: '', status: 'INVALID' } satisfies NomineePan)
			return sendData(c, 'PAN verified', { pan_no, name, status: 'VALID' } satisfies NomineePan)
		},
	)

	routes.post(
		'/v1/modifications/nominee-addition',
		describeOperation({
			id: 'changeNominees',
			summary: 'Set the nominees or opt out (two steps)',
			changes: true,
			query: StepQuery,
			body: ChangeNomineesRequest,
			data: ChangeNomineesData,
		}),
		async (c) => {
			const { process } = parseQuery(c, StepQuery)
			const { client_code, nominee: change, otp } = await parseBody(c, ChangeNomineesRequest)
			const { code } = c.var.client
			if (client_code !== code) throw new Refused(403, 'Client code does not match the session')
			const stored = await readStored(books.db, code)
			const holder = { name: formatHolderName(stored), pan: stored.personal_details.pan }
			checkNominees(change, holder, toIndianDay(clock.now()), settings.maxNominees)
			const pending = new Refused(409, 'A nominee change is already pending')
			if (process === 'send_otp' && (await isWaiting(books.db, code, 'NOMINEE', clock.now()))) throw pending
			const step = {
				process,
				otp,
				purpose: 'nominee',
				payload: change,
				recipients: listContacts(stored).slice(0, 1),
				what: change.opt_out ? 'declare that you do not wish to nominate' : 'change your nominees',
			}
			return await steps.take(
				c,
				step,
				(tx, payload) => {
					const lines = { was: shown(stored.nominees, stored.has_opted_out), becomes: shown(payload.nominees, payload.opt_out) }
					return recordForEsign(parts, tx, { ...lines, client: code, kind: 'NOMINEE' }, payload)
				},
				(response) => sendData(c, 'Proceed to e-sign', response),
			)
		},
	)
	return routes
}

/** The effect of the signature: the list of nominees is replaced. */
export const applyNominees: Effect = async (tx, { client, reference, payload }, now) => {
	const { opt_out, nominees } = payload as NomineeChange
	const named = nominees.map((each) => ({ ...each, guardian: each.guardian ?? null }))
	await changeStored(tx, client, (stored: Stored) => ({ ...stored, nominees: named, has_opted_out: opt_out }))
	await finishChange(tx, reference, now)
	const what = opt_out ? 'you declared that you do not wish to nominate' : 'the nominees were changed'
	return changeNotices(client, what, listContacts(await readStored(tx, client)), now)
}
