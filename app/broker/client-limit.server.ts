import { BrokerRefusal } from './failures.server'

/**
 * Limits how many of something one client may have at once, over all its sessions. The returned function counts one until the function
 * that it returns is called; further calls of that do nothing. At the maximum it throws a BrokerRefusal with status 429 and `message`.
 */
export function limitPerClient(most: number, message: string): (client: string) => () => void {
	const running = new Map<string, number>()
	return (client) => {
		const before = running.get(client) ?? 0
		if (before >= most) throw new BrokerRefusal(429, { status: 'error', message, data: null })
		running.set(client, before + 1)
		let isRunning = true
		return () => {
			if (!isRunning) return
			isRunning = false
			const others = (running.get(client) ?? 1) - 1
			if (others > 0) running.set(client, others)
			else running.delete(client)
		}
	}
}
