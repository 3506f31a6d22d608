import http from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type Hono } from 'hono'
import { findMaxBytes } from './body-limit'
import { type Env } from './guard'
import { endWhenStalled } from './leaving'

const MAX_CONNECTIONS = 2000
/**
 * A session with long tokens and every draft of a browser reach 28 KB; with a smaller limit the pages that clear them would be refused too.
 */
const MAX_HEADER_BYTES = 32_768

/** A reader that takes no byte for this time, in milliseconds, has gone or is hostile. */
const STALL_MS = 60_000

/** A Node server that closes the connections of slow senders and of readers that have stopped. `stallMs` is for tests. */
export function createServer(portal: Hono<Env>, { stallMs = STALL_MS } = {}): http.Server {
	const listener = getRequestListener(portal.fetch)
	const server = http.createServer(
		// `limitBody` answers a late body first, after 30 or 120 s. Node checks for overdue requests every 30 s by default, which makes its
		// own limits three times as long.
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
	// A body announced as too large is refused before it is sent.
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
