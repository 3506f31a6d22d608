import { and, ne, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { Email, Mobile, ModifyProfileData, ModifyProfileRequest, ProfileChange } from '#contract/modifications'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData, invalidField, parseBody, parseQuery, Refused } from '#sandbox/api/responses'
import { maskChange, maskEmail, maskMobile } from '#sandbox/clients/masks'
import { type Queries } from '#sandbox/db/open'
import { clients } from '#sandbox/db/schema'
import { type Effect } from '#sandbox/esign/esign'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { changeNotices, listContacts } from './notices'
import { finishChange, recordForEsign } from './requests'
import { type Steps, StepQuery } from './steps'
import { changeStored, readStored, type Stored } from './stored'

const ProfileQuery = StepQuery.extend({ types: ProfileChange })

type Contact = 'mobile' | 'email'

const WORDS = {
	mobile: { taken: 'This mobile number is already registered', what: 'change your mobile number', done: 'the mobile number' },
	email: { taken: 'This e-mail is already registered', what: 'change your e-mail address', done: 'the e-mail address' },
} as const

const maskBoth = (field: Contact, old: string, input: string) => maskChange(field === 'mobile' ? maskMobile : maskEmail, old, input)
const chooseChannel = (field: Contact) => (field === 'mobile' ? ('SMS' as const) : ('EMAIL' as const))

/** Throws 409 for a number or address that this or another client already has. The message does not say whose it is. */
async function requireFree(queries: Queries, client: string, field: Contact, value: string, own?: string): Promise<void> {
	const stored = sql`lower(${clients.profile}->'personal_details'->>${field})`
	const [other] = await queries
		.select({ code: clients.code })
		.from(clients)
		.where(and(ne(clients.code, client), sql`${stored} = ${value.toLowerCase()}`))
		.limit(1)
	if (other !== undefined || own?.toLowerCase() === value.toLowerCase()) throw new Refused(409, WORDS[field].taken)
}

/** Changes the mobile number or e-mail: a code to the new address, the e-sign, and a notice to both addresses. */
export function contact(parts: SandboxParts, steps: Steps) {
	const routes = new Hono<SandboxEnv>()
	const { books } = parts

	routes.post(
		'/v1/modifications/profile-modifications',
		describeOperation({
			id: 'modifyProfile',
			summary: 'Change mobile or e-mail (two steps)',
			changes: true,
			query: ProfileQuery,
			body: ModifyProfileRequest,
			data: ModifyProfileData,
		}),
		async (c) => {
			const { process, types: field } = parseQuery(c, ProfileQuery)
			const { input, otp } = await parseBody(c, ModifyProfileRequest)
			if (!(field === 'mobile' ? Mobile : Email).safeParse(input).success) throw invalidField('input', `Not a valid ${field}`)
			const { code } = c.var.client
			const own = (await readStored(books.db, code)).personal_details[field]
			await requireFree(books.db, code, field, input, own)
			const asked = {
				process,
				otp,
				purpose: field,
				payload: { input },
				recipients: [{ channel: chooseChannel(field), address: input }],
				what: WORDS[field].what,
			}
			return await steps.take(
				c,
				asked,
				(tx, payload) => {
					const change = { client: code, ...maskBoth(field, own, payload.input) }
					return recordForEsign(parts, tx, { ...change, kind: field === 'mobile' ? 'MOBILE' : 'EMAIL' }, payload)
				},
				(response) => sendData(c, 'Proceed to e-sign', response),
			)
		},
	)
	return routes
}

function createEffect(field: Contact): Effect {
	return async (tx, { client, reference, payload }, now) => {
		const { input } = payload as { input: string }
		await requireFree(tx, client, field, input)
		const before = await readStored(tx, client, true)
		const change = ({ personal_details, ...rest }: Stored): Stored => ({
			...rest,
			personal_details: { ...personal_details, [field]: input },
		})
		await changeStored(tx, client, change)
		await finishChange(tx, reference, now)
		const old = before.personal_details[field]
		const everybody = [...listContacts(before), { channel: chooseChannel(field), address: input }]
		const { was, becomes } = maskBoth(field, old, input)
		return changeNotices(client, `${WORDS[field].done} was changed from ${was} to ${becomes}`, everybody, now)
	}
}

export const applyMobile = createEffect('mobile')
export const applyEmail = createEffect('email')
