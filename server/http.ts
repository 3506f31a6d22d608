import http from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type Hono } from 'hono'
import { findMaxBytes } from './body-limit'
import { type Env } from './guard'
import { endWhenStalled } from './leaving'

const MAX_CONNECTIONS = 2000
/** A session of long tokens and all the drafts a browser may hold come to 28 KB; with room for less, the pages that clear them are refused too. */
const MAX_HEADER_BYTES = 32_768

/** A reader who takes no byte for so long has gone, or means to hold what sends to it. */
const STALL_MS = 60_000

/** A Node server that hangs up on slow senders and on readers who have stopped. `stallMs` is for tests. */
export function createServer(portal: Hono<Env>, { stallMs = STALL_MS } = {}): http.Server {
	const listener = getRequestListener(portal.fetch)
	const server = http.createServer(
		// `limitBody` answers a late body first, after 30 or 120 s. Node looks for overdue requests every 30 s by default, which makes its own limits three times as long.
		{
			connectionsCheckingInterval: 2000,
			headersTimeout: 10_000,
			requestTimeout: 130_000,
			keepAliveTimeout: 65_000,
			maxHeaderSize: MAX_HEADER_BYTES,
		},
		(incoming, outgoing) => {
			endWhenStalled(outgoing, stallMs)
			return listener(incoming, outgoing)
		},
	)
	server.maxConnections = MAX_CONNECTIONS
	// A body that is announced as too large is refused before it is sent.
	server.on('checkContinue', (request, response) => {
		const most = findMaxBytes(request.url?.split('?')[0] ?? '', request.headers['content-type'] ?? '')
		if (Number(request.headers['content-length'] ?? 0) > most) response.writeHead(413, { connection: 'close' }).end()
		else {
			response.writeContinue()
			server.emit('request', request, response)
		}
	})
	return server
}
