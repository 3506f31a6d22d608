import { unreadIn } from '#contract/tolerant'
import { formatMoment } from '#contract/values/moments'
import { type Broker, BrokerRefusal, type Failure, isAbsence, readFailure } from '~/broker/client.server'
import { now } from '~/broker/clock.server'
import { log } from '~/config/logger.server'
import { SIDE_CALL_MS, withTimeout } from '~/lib/with-timeout'

const PARTLY_READ = 'Some of what the broker’s system sent could not be read, and this may be among it.'

const tellTime = () => formatMoment(now())

/** `at`: when the call failed, in India. `status` is for a page that has nothing to show without this part. */
export type PartFailure = {
	message: string
	reference: string
	at: string
	status: number
	/** The broker does not have what was asked for, or not for this client (403), or refuses its name (400, 422). */
	isRefused?: boolean
	/** The message of a refusal is the broker's. */
	isSaid?: boolean
}
/** `isAbsent`: the broker lacks the operation, so the part is left out without a message. */
export type PartialData<Data> =
	| { data: Data; failure?: undefined; isAbsent?: boolean }
	| { data?: undefined; failure: PartFailure; isAbsent?: boolean }

/** For a call without which a page has nothing to show. A refusal or a 404 becomes a failed page like any other (502, 503). */
export async function loadPage<Data>({ reference }: Broker, asked: Promise<Data>): Promise<Data> {
	return asked.catch(async (error: unknown) => {
		const failure = error instanceof BrokerRefusal ? error : await readFailure(error)
		if (!failure || failure.status >= 500) throw error
		log.error({ event: 'broker_refused', reference, answered: failure.status }, 'The broker refused what a page consists of')
		throw Response.json({ message: failure.message, reference, at: tellTime() }, { status: toPageStatus(failure) })
	})
}

/** The status of a page whose call failed with this: 502, 503 or 504. */
function toPageStatus({ status }: { status: number }): number {
	return status >= 500 ? status : status === 429 ? 503 : 502
}

/**
 * Like loadPage, for a page that keeps its heading and its form and has the failure's status. Throws maintenance and the redirect after
 * the end of the session.
 */
export async function loadKept<Data>(broker: Broker, asked: Promise<Data>): Promise<PartialData<Data>> {
	try {
		return { data: await loadPage(broker, asked) }
	} catch (error) {
		const failure = await readFailure(error)
		if (!failure || failure.status < 500 || failure.isMaintenance) throw error
		return {
			failure: {
				message: failure.message,
				reference: failure.reference ?? broker.reference,
				at: failure.at ?? tellTime(),
				status: failure.status,
			},
		}
	}
}

/**
 * Like loadPage, for a page about one record that its address names. A refusal of the record (`isRefused`) is returned: the page shows it
 * beside what else it knows (loadRest), or throws what `createRefused` returns.
 */
export async function loadRecord<Data>(broker: Broker, asked: Promise<Data>): Promise<PartialData<Data>> {
	const part = await loadPart(broker, asked)
	return part.failure && !part.failure.isRefused ? { data: await loadPage(broker, asked) } : part
}

/** Loads what else is known of a refused record. When that fails, the page is a 404 with the broker's message about the record. */
export async function loadRest<Data>(broker: Broker, asked: Promise<Data>, refused: PartFailure | undefined): Promise<Data> {
	if (!refused?.isSaid) return await loadPage(broker, asked)
	const { data: rest } = await loadPart(broker, asked)
	if (rest === undefined) throw createSaidMissing(broker, refused)
	return rest
}

/**
 * Returns the Response that a page throws when its address is valid but the record in it is missing (404): the page keeps its heading.
 * When the searched list (`sought`) has unreadable entries, the record may be one of them, so the page does not say that it is missing
 * (502).
 */
export function createMissing({ reference }: Broker, message: string, sought: object = []): Response {
	if (unreadIn(sought)) return Response.json({ message: PARTLY_READ, reference }, { status: 502 })
	return Response.json({ message, reference, isMissing: true }, { status: 404 })
}

/** The same with the broker's message. `ours` is what is known beside it. */
export function createSaidMissing({ reference }: Broker, { message }: PartFailure, ours?: string): Response {
	return Response.json({ message, ours, reference, isMissing: true, isSaid: true }, { status: 404 })
}

/** The same for a record that the broker refused by its name: with the broker's message, or `none` when it gave none. */
export function createRefused(broker: Broker, refused: PartFailure | undefined, none: string, sought?: object): Response {
	return refused?.isSaid ? createSaidMissing(broker, refused) : createMissing(broker, none, sought)
}

/**
 * Loads one part of a page, which may fail while the rest stays: the part then shows the refusal or failure. For "no data" the part is
 * `none`. Throws a redirect (the session is over), maintenance, and errors of the portal.
 */
export function loadPart<Data>(broker: Broker, asked: Promise<Data>, none: null): Promise<PartialData<Data | null>>
export function loadPart<Data>(broker: Broker, asked: Promise<Data>, none?: Data): Promise<PartialData<Data>>
export async function loadPart<Data>({ reference }: Broker, asked: Promise<Data>, none?: Data): Promise<PartialData<Data>> {
	try {
		return { data: await asked }
	} catch (error) {
		if (error instanceof BrokerRefusal)
			return { failure: { message: error.message, reference, at: tellTime(), status: toPageStatus(error), ...toRefused(error) } }
		const failure = await readFailure(error)
		if (!failure) throw error
		const isAbsent = isAbsence(error)
		if (failure.status === 404 && none !== undefined) return { data: none, isAbsent }
		if (failure.isMaintenance) throw error
		const { message, at = tellTime() } = failure
		return { failure: { message, reference, at, status: toPageStatus(failure), ...toRefused(failure) }, isAbsent }
	}
}

/** The marks of a refusal; none for another failure. */
function toRefused(failure: BrokerRefusal | Failure): Pick<PartFailure, 'isRefused' | 'isSaid'> {
	if (![400, 403, 404, 422].includes(failure.status)) return {}
	return { isRefused: true, isSaid: failure instanceof BrokerRefusal || failure.isSaid === true }
}

/** A part that only adds to its page: the page waits at most three seconds for it. */
export function loadSidePart<Data>(broker: Broker, asked: Promise<Data>, none: null): Promise<PartialData<Data | null>>
export function loadSidePart<Data>(broker: Broker, asked: Promise<Data>, none?: Data): Promise<PartialData<Data>>
export function loadSidePart<Data>(broker: Broker, asked: Promise<Data>, none?: Data): Promise<PartialData<Data>> {
	return loadPart(broker, withTimeout(asked, SIDE_CALL_MS), none)
}
