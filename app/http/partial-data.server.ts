import { unreadIn } from '#contract/tolerant'
import { BrokerRefusal, readFailure } from '~/broker/client.server'
import { log } from '~/config/logger.server'
import { SIDE_CALL_MS, within } from '~/lib/within'

const PARTLY_READ = 'Some of what the broker’s system sent could not be read, and this may be among it.'

/** `status` is what a page answers that is nothing without this part. */
export type PartFailure = { message: string; reference: string; status: number }
export type PartialData<Data> = { data: Data; failure?: undefined } | { data?: undefined; failure: PartFailure }

/** The one call of a page that is nothing without it: refused, whatever for, or not found, the page failed like any other (502, 503). */
export async function loadPage<Data>(asked: Promise<Data>, reference: string): Promise<Data> {
	return asked.catch(async (error: unknown) => {
		const failure = error instanceof BrokerRefusal ? error : await readFailure(error)
		if (!failure || failure.status >= 500) throw error
		log.error({ event: 'broker_refused', reference, answered: failure.status }, 'The broker refused what a page consists of')
		throw Response.json({ message: failure.message, reference }, { status: toPageStatus(failure) })
	})
}

/** Of a page whose call was answered with this: 502, 503 or 504. */
function toPageStatus({ status }: { status: number }): number {
	return status >= 500 ? status : status === 429 ? 503 : 502
}

/**
 * The same of one thing that the address names. What the broker does not have, or not for this client, or by no such name (400, 422), is a
 * 404 of this page in the broker's words; in ours, `none`, where it gave none.
 */
export async function loadFoundPage<Data>(asked: Promise<Data>, reference: string, none: string): Promise<Data> {
	return asked.catch(async (error: unknown) => {
		const failure = error instanceof BrokerRefusal ? error : await readFailure(error)
		if (!failure || ![400, 403, 404, 422].includes(failure.status)) return await loadPage(Promise.reject(error), reference)
		const isSaid = failure instanceof BrokerRefusal || failure.isAnswer
		throw throwMissing(isSaid ? failure.message : none, reference)
	})
}

/**
 * What a page throws when the address is right and the thing that it names is not there: the page's own heading stays. When the list in
 * which it was `sought` has entries that could not be read, it may be one of them, and nothing is said to be missing (502).
 */
export function throwMissing(message: string, reference: string, sought: object = []): Response {
	if (unreadIn(sought)) return Response.json({ message: PARTLY_READ, reference }, { status: 502 })
	return Response.json({ message, reference, isMissing: true }, { status: 404 })
}

/**
 * One part of a page, which fails alone: what the broker refused or could not answer is said in its place, and the rest
 * stays. "No data" is what `none` says. A redirect (the session is over) or a fault of ours is thrown on.
 */
export async function loadPart<Data>(asked: Promise<Data>, reference: string, none?: Data): Promise<PartialData<Data>> {
	try {
		return { data: await asked }
	} catch (error) {
		if (error instanceof BrokerRefusal) return { failure: { message: error.message, reference, status: toPageStatus(error) } }
		const failure = await readFailure(error)
		if (!failure) throw error
		if (failure.status === 404 && none !== undefined) return { data: none }
		if (failure.isMaintenance) throw error
		return { failure: { message: failure.message, reference, status: toPageStatus(failure) } }
	}
}

/** A part that only adds to its page: when its call hangs, the page waits three seconds for it and not longer. */
export function loadSidePart<Data>(asked: Promise<Data>, reference: string, none?: Data): Promise<PartialData<Data>> {
	return loadPart(within(asked, SIDE_CALL_MS), reference, none)
}
