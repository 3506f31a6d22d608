import { BrokerRefusal } from '~/broker/client.server'
import { log } from '~/log.server'

export type Failure = { message: string; reference: string }
export type Part<Data> = { data: Data; failure?: undefined } | { data?: undefined; failure: Failure }

/** The one call of a page that is nothing without it: refused, whatever for, the page failed like any other. */
export async function wholePage<Data>(asked: Promise<Data>, reference: string): Promise<Data> {
	return asked.catch((error: unknown) => {
		if (!(error instanceof BrokerRefusal)) throw error
		log.error({ event: 'broker_refused', reference, answered: error.status }, 'The broker refused what a page consists of')
		throw Response.json({ message: error.message, reference }, { status: error.status === 429 ? 503 : 502 })
	})
}

/** The same of one thing that the address names: what the broker does not have, or not for this client, is not there, in our words. */
export async function foundPage<Data>(asked: Promise<Data>, reference: string, none: string): Promise<Data> {
	const isAbsent = ({ status }: { status: number }) => status === 400 || status === 403 || status === 404
	const found = asked.catch((error: unknown) => {
		if ((error instanceof Response || error instanceof BrokerRefusal) && isAbsent(error)) throw new Response(none, { status: 404 })
		throw error
	})
	return wholePage(found, reference)
}

/**
 * One part of a page, which fails alone: what the broker refused or could not answer is said in its place, and the rest
 * stays. "No data" is what `none` says. A redirect (the session is over) or a fault of ours is thrown on.
 */
export async function part<Data>(asked: Promise<Data>, reference: string, none?: Data): Promise<Part<Data>> {
	try {
		return { data: await asked }
	} catch (error) {
		if (error instanceof BrokerRefusal) return { failure: { message: error.message, reference } }
		if (!(error instanceof Response) || (error.status !== 404 && error.status < 500)) throw error
		if (error.status === 404 && none !== undefined) return { data: none }
		const said = (await error.json()) as { message: string; isMaintenance?: boolean }
		if (said.isMaintenance) throw Response.json(said, { status: 503, headers: error.headers })
		return { failure: { message: said.message, reference } }
	}
}
