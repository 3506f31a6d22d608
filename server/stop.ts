import { type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Socket } from 'node:net'

/**
 * Watches a server, and returns a function that stops it: new connections are refused, idle connections are closed at once, and every later
 * response says `Connection: close`. Its promise resolves when the last request has its response.
 */
export function prepareStop(server: Server): () => Promise<void> {
	/** The open responses on each connection. */
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
			// A response begun before the stop has promised to keep the connection.
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
 * Milliseconds that open requests get after a signal: the longest time that a post may wait for the broker, and five seconds to reply, so
 * that every client learns whether money moved. At least 30 seconds; also when the broker timeout is disabled (0).
 */
export function drainMs(brokerTimeoutMs: number): number {
	return Math.max(30_000, brokerTimeoutMs + 5000)
}
