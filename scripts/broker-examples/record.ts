import { type Day } from '#contract/values/dates'
import { findFinancialYear } from '#contract/values/financial-year'
import { createOperationFinder } from '#sandbox/api/describe-operation'
import { createSandbox } from '#sandbox/app'
import { openEmbedded } from '#sandbox/db/open'
import { PASSWORD, personas } from '#sandbox/db/seed/personas'
import { seedBooks } from '#sandbox/db/seed/seed'
import { readSettings } from '#sandbox/settings'
import { type Facts, READINGS } from '#scripts/broker-check/readings'
import { type Adapter, type AdapterCall } from '~/broker/adapter.server'
import { getRekycDetails, login, logout } from '~/broker/auth.server'
import { type Broker, connectBroker } from '~/broker/client.server'
import {
	type Anonymous,
	type As,
	recordChanges,
	recordClosure,
	recordDepository,
	recordFunds,
	recordIpo,
	recordPasswords,
} from './journeys'
import { type Example, shorten, steady } from './shorten'

const URL_OF_BROKER = 'https://api.broker.example'
const PORTAL = 'https://client.broker.example'

/** Maximum number of examples of one operation: steps, refusals, formats. */
const MOST = 4

/**
 * Records every operation by its name, as the portal calls the sandbox. The books, the day and the clock are fixed, and random values
 * are replaced, so that the same code records the same examples.
 */
export async function recordExamples(day: Day): Promise<Map<string, Example[]>> {
	const books = await openEmbedded()
	await seedBooks(books, { today: day, personas: personas.map(({ code }) => code).filter((code) => code !== 'BULK01') })
	let ahead = 0
	const clock = { now: () => new Date(new Date(`${day}T11:00:00+05:30`).getTime() + ahead) }
	const settings = readSettings({ LOG_LEVEL: 'silent', PUBLIC_URL: PORTAL, SANDBOX_URL: URL_OF_BROKER, SANDBOX_FIXED_OTP: '1' })
	const app = createSandbox({ books, clock, settings, personas })
	const findOperation = createOperationFinder(app)
	const examples = new Map<string, Example[]>()

	/** In place of the network. */
	const record = inTurn(async ({ url, method, headers, body }) => {
		const request = new Request(url, { method, headers, body, duplex: 'half' })
		const { pathname } = new URL(request.url)
		const id = findOperation(request.method, pathname)?.id ?? pathname
		// Lists are sorted by time, so no two times may be the same.
		ahead += 1000
		const asked = request.clone() as Request
		const reply = await app.fetch(request)
		const list = examples.get(id) ?? []
		examples.set(id, list)
		const example = await shorten(asked, reply.clone() as Response)
		if (list.length < MOST && !list.some((other) => isAlike(other, example))) list.push(example)
		return reply
	})
	try {
		await recordAll()
	} finally {
		await books.close()
	}
	return steady(examples)

	async function recordAll() {
		const { as, anonymous } = createClients(record)
		const facts: Facts = { today: day, year: findFinancialYear(day), isDormant: false, link: await makeLink() }
		await anonymous((broker) => READINGS.validateReportLink?.(broker, facts) ?? Promise.resolve())
		for (const [id, probe] of Object.entries(READINGS)) {
			if (id !== 'validateReportLink') await as('DEMO01', (broker) => probe(broker, facts) ?? Promise.resolve()).catch(() => undefined)
		}
		const passTime = (ms: number) => void (ahead += ms)
		await recordChanges(as, facts, passTime)
		await recordFunds(as, facts)
		await recordDepository(as, facts, passTime)
		await recordIpo(as, facts)
		await recordClosure(as, sign)
		await as('DORM01', (broker) => getRekycDetails(broker))
		await recordPasswords(as, anonymous, passTime)
		await as('DEMO01', (broker) => logout(broker))
	}

	async function makeLink() {
		const init = {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ client: 'DEMO01', minutes: 60 }),
		}
		const { data } = (await (await app.request('/control/report-links', init)).json()) as { data: NonNullable<Facts['link']> }
		return { UserId: data.UserId, SessionId: data.SessionId, Product: data.Product }
	}

	/** Signs at the e-sign page of the sandbox. */
	async function sign(response: string) {
		await app.request('/esign', { method: 'POST', body: new URLSearchParams({ response, outcome: 'sign' }) })
	}
}

/** Answers calls one by one, as they were made: which of two was fast must not decide the order of the examples. */
function inTurn(answer: (call: AdapterCall) => Promise<Response>): Adapter {
	let before: Promise<unknown> = Promise.resolve()
	return (call) => {
		const reply = before.then(() => answer(call))
		before = reply.catch(() => undefined)
		return reply
	}
}

/** True when both are the same step of the same operation, for any client. */
function isAlike(one: Example, other: Example): boolean {
	const key = ({ request, reply }: Example) => {
		const body = (request.body ?? request.form ?? {}) as Record<string, unknown>
		const { process, types, type, condition, payment_type } = { ...request.query, ...body } as Record<string, unknown>
		return JSON.stringify([reply.status, reply.file === undefined, process, types, type, condition, payment_type, 'otp' in body])
	}
	return key(one) === key(other)
}

function createClients(adapter: Adapter) {
	const baseUrls = { broker: URL_OF_BROKER, ekyc: URL_OF_BROKER, edis: URL_OF_BROKER, ipo: URL_OF_BROKER, payment: URL_OF_BROKER }
	const wire = { baseUrls, timeoutMs: 0, tell: () => undefined, adapter }
	const onExpired = async () => new Response('', { status: 401 })
	const tokens = new Map<string, string>()
	let visits = 0
	const connect = (clientCode?: string): Broker => {
		const id = `example-${(visits += 1)}`
		return connectBroker(wire, { clientCode, token: tokens.get(clientCode ?? ''), sessionId: id, requestId: id, onExpired })
	}
	const anonymous: Anonymous = async (ask) => drain(await ask(connect()))
	const as: As = async (client, ask) => {
		if (!tokens.has(client)) {
			const { authToken } = await anonymous((broker) => login(broker, { username: client, password: PASSWORD }))
			tokens.set(client, authToken)
		}
		return drain(await ask(connect(client)))
	}
	return { as, anonymous }
}

/** Cancels a file, because nobody reads it. */
async function drain<Answer>(answer: Answer): Promise<Answer> {
	if (answer instanceof ReadableStream) await answer.cancel()
	return answer
}

/** The day of the committed examples. */
export const EXAMPLE_DAY: Day = '2026-11-20'
