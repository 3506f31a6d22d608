import { connect, createServer, type Server, type Socket } from 'node:net'

/** A relay between the portals and the broker. It passes bytes on until `cut`, which also breaks open connections. */
export type Relay = { port: number; cut: () => void; mend: () => void; refuseWith: (status: number | undefined) => void; close: () => void }

export async function startRelay(port: number, target: number): Promise<Relay> {
	const sockets = new Set<Socket>()
	let isCut = false
	let refusal: number | undefined
	const hold = (socket: Socket) => {
		sockets.add(socket)
		socket.once('close', () => sockets.delete(socket))
		socket.on('error', () => socket.destroy())
	}
	const server: Server = createServer((near) => {
		hold(near)
		if (isCut) return near.destroy()
		if (refusal !== undefined) {
			const body = JSON.stringify({ status: 'error', message: 'Service Unavailable', data: null })
			near.on('data', () =>
				near.end(
					`HTTP/1.1 ${refusal} Unavailable\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
				),
			)
			return
		}
		const far = connect(target, '127.0.0.1')
		hold(far)
		near.pipe(far).pipe(near)
		for (const [one, other] of [
			[near, far],
			[far, near],
		] as const)
			one.once('close', () => other.destroy())
	})
	await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
	const breakAll = () => {
		for (const socket of sockets) socket.destroy()
	}
	return {
		port,
		cut() {
			isCut = true
			breakAll()
		},
		mend() {
			isCut = false
		},
		refuseWith(status) {
			refusal = status
			breakAll()
		},
		close() {
			breakAll()
			server.close()
		},
	}
}
