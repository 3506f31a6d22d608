import { BrokerRefusal } from '~/broker/client.server'

export type Failure = { message: string; reference: string }
export type Part<Data> = { data: Data; failure?: undefined } | { data?: undefined; failure: Failure }

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
