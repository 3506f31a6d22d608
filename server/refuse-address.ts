import { once } from 'node:events'
import net from 'node:net'

/** Returns a handler that rethrows the failure of a server to listen, with the settings of its address in the message. */
export function refuseAddress(hostSetting: string, portSetting: string): (error: Error & { code?: string; port?: number }) => never {
	return ({ code, port, message }) => {
		if (code === 'EADDRINUSE') throw new Error(`The portal cannot listen: port ${port} is taken; set ${portSetting}`)
		throw new Error(`${hostSetting}, ${portSetting}: the portal cannot listen there: ${message}`)
	}
}

/** Throws when the portal could not listen there now. It listens only after a build or the start of the sandbox, which take a minute. */
export async function requireFreePort({ HOST, PORT }: { HOST: string; PORT: number }): Promise<void> {
	const probe = net.createServer()
	await once(probe.listen(PORT, HOST), 'listening').catch(refuseAddress('HOST', 'PORT'))
	await once(probe.close(), 'close')
}
