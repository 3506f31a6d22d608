import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { vi } from 'vitest'

/** Until somebody listens on that port of this machine. */
export async function waitForPort(port: number) {
	await vi.waitFor(
		async () => {
			const socket = connect(port, '127.0.0.1')
			await once(socket, 'connect')
			socket.destroy()
		},
		{ timeout: 60_000, interval: 50 },
	)
}

/** A Redis that keeps nothing on the disk. */
export async function startRedis(port: number): Promise<ChildProcess> {
	const args = ['--port', String(port), '--save', '', '--appendonly', 'no', '--bind', '127.0.0.1']
	const server = spawn('redis-server', args, { stdio: 'ignore' })
	await waitForPort(port)
	return server
}
