import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { vi } from 'vitest'
import { z } from 'zod/v4'
import { connectBroker, type BrokerConfig } from '~/broker/client.server'
import { standInForBroker } from './test-wire'

export const reportCall = vi.fn<BrokerConfig['tell']>()
const url = 'http://broker.test'
export const testConfig: BrokerConfig = {
	baseUrls: { broker: url, ekyc: url, edis: url, ipo: url, payment: url },
	timeoutMs: 300,
	tell: reportCall,
}
export const onExpired = async (message?: string) => new Response(message, { status: 302, headers: { location: '/login' } })
export const Thing = z.object({ n: z.number() })

/**
 * A broker that handles every request in one way and records them. Each call is its own visit unless one is given: the process, which test
 * files share, remembers the calls that failed in a visit.
 */
export function connectTestBroker(answers: (request: Request) => Response | Promise<Response>, requestId: string = randomUUID()) {
	const asked: Request[] = []
	const app = new Hono().all('*', (c) => answers(c.req.raw))
	standInForBroker((request) => {
		asked.push(request)
		return app.fetch(request.clone() as Request)
	})
	/** The same broker for another visit of the same session. */
	const visit = (id: string = randomUUID()) =>
		connectBroker(testConfig, { token: 'token-of-the-client', clientCode: 'KH10042', sessionId: 's1', requestId: id, onExpired })
	return { asked, visit, broker: visit(requestId) }
}

export const ok = (data: unknown) => Response.json({ status: 'success', message: 'ok', data })
export const refusalReply = (status: number, message = 'No.') => Response.json({ status: 'error', message, data: null }, { status })
