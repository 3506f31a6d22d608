import http from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type Hono } from 'hono'
import { type Env } from './guard'

const MAX_CONNECTIONS = 2000
/** A session of long tokens and all the drafts a browser may hold come to 28 KB; with room for less, the pages that clear them are refused too. */
const MAX_HEADER_BYTES = 32_768
/** What a form may hold; the same bound is kept again while a body without a length arrives. */
const MAX_FORM_BYTES = 100 * 1024
/** Two files of 5 MB, and more, so that whoever selects one too large reads so in the form; what is larger still is cut here. */
const MAX_UPLOAD_BYTES = 25 * 1024 * 1024
/** The pages whose forms carry files; a page's data has the same address with `.data`. */
const UPLOADS = /^\/myaccount\/(bank|segments|income|closure)(\/|\.data$|$)/

export function maxBytes(path: string): number {
	return UPLOADS.test(path) ? MAX_UPLOAD_BYTES : MAX_FORM_BYTES
}

/** A Node server that hangs up on slow senders. Slow readers are left to the proxy in front: Node has no least rate of reading. */
export function createServer(portal: Hono<Env>): http.Server {
	const server = http.createServer(
		// A file of 5 MB over a poor line takes a minute and more. Node looks for overdue requests every 30 s unless told otherwise, which makes its own limits three times as long.
		{
			connectionsCheckingInterval: 2000,
			headersTimeout: 10_000,
			requestTimeout: 120_000,
			keepAliveTimeout: 65_000,
			maxHeaderSize: MAX_HEADER_BYTES,
		},
		getRequestListener(portal.fetch),
	)
	server.maxConnections = MAX_CONNECTIONS
	// A body that is announced as too large is refused before it is sent.
	server.on('checkContinue', (request, response) => {
		if (Number(request.headers['content-length'] ?? 0) > maxBytes(request.url?.split('?')[0] ?? ''))
			response.writeHead(413, { connection: 'close' }).end()
		else {
			response.writeContinue()
			server.emit('request', request, response)
		}
	})
	return server
}
