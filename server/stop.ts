import { type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Socket } from 'node:net'

/**
 * Watches a server, and answers a function that stops it: new connections are refused, connections without a request under way are closed
 * at once, and every answer that is still to come says `Connection: close`. Its promise resolves when the last request has its answer.
 */
export function prepareStop(server: Server): () => Promise<void> {
	/** The answers under way on each open connection. */
	const connections = new Map<Socket, Set<ServerResponse>>()
	let isStopping = false

	server.on('connection', (socket: Socket) => {
		connections.set(socket, new Set())
		socket.once('close', () => connections.delete(socket))
	})
	server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
		const underWay = connections.get(socket)
		underWay?.add(response)
		if (isStopping) response.shouldKeepAlive = false
		response.once('close', () => {
			underWay?.delete(response)
			// An answer that had begun before the stop has promised to keep the connection.
			if (isStopping && underWay?.size === 0) socket.destroySoon()
		})
	})

	return () => {
		isStopping = true
		const closed = new Promise<void>((resolve) => server.close(() => resolve()))
		for (const [socket, underWay] of connections) {
			for (const response of underWay) response.shouldKeepAlive = false
			if (underWay.size === 0) socket.destroy()
		}
		return closed
	}
}

/**
 * Milliseconds that requests under way get after a signal: the whole time that a post may wait for the broker, and five seconds to answer
 * it, so that nobody is left without knowing whether money moved. 30 seconds at least; also where the broker has no limit (0).
 */
export function drainMs(brokerTimeoutMs: number): number {
	return Math.max(30_000, brokerTimeoutMs + 5000)
}
