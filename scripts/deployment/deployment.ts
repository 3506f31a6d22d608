import { type Front, startNginx } from './nginx'
import { createPostgres, type Postgres } from './postgres'
import { type Program, spawnProgram, startRedis, waitForAnswer } from '#scripts/programs'

/* The deployment of deploy/compose.yaml on loopback, with programs of Debian: nginx, Redis, PostgreSQL, the sandbox and two portals. */

export type Ports = { tls: number; http: number; sandboxTls: number; sandbox: number; redis: number; postgres: number; portals: number[] }

export const PORTS: Ports = { tls: 8443, http: 8080, sandboxTls: 4443, sandbox: 4000, redis: 6390, postgres: 5490, portals: [3001, 3002] }

export const SECRET = 'only-for-loopback-Xq7Lw2Zr9Tn4Bv6Kd'

export type Deployment = {
	url: string
	front: Front
	postgres: Postgres
	redis: Program
	sandbox: Program
	portals: Program[]
	/** Each starts one part again, with other settings if given, and resolves when it answers. */
	startRedis: () => Promise<Program>
	startSandbox: () => Promise<Program>
	startPortal: (at: number, more?: Record<string, string>) => Promise<Program>
	stop: () => Promise<void>
}

type Options = {
	ports?: Ports
	say?: (line: string) => void
	/** The address of the broker for the portals; by default the sandbox behind TLS. */
	brokerUrl?: string
	sandboxSettings?: Record<string, string>
	portalSettings?: Record<string, string>
	/** The folder in which PostgreSQL's folder is made. */
	postgresIn?: string
}

/** Starts all parts. `stop` ends all of them and removes their files. Throws when a port is in use or a program is not installed. */
export async function startDeployment({ ports = PORTS, say = () => {}, ...options }: Options = {}): Promise<Deployment> {
	const url = `https://localhost:${ports.tls}`
	const sandboxUrl = `https://localhost:${ports.sandboxTls}`
	const ends: (() => unknown)[] = []
	const stop = async () => {
		for (const end of ends.reverse()) await end()
	}
	try {
		say('PostgreSQL and Redis…')
		const postgres = createPostgres(ports.postgres, [], options.postgresIn)
		ends.push(() => postgres.remove())
		postgres.start()
		ends.push(() => postgres.stop('immediate'))

		const restartRedis = async () => (deployment.redis = await startRedis(ports.redis))
		const startSandbox = async () => {
			const program = spawnProgram('sandbox', process.execPath, ['--max-old-space-size=1024', 'build/sandbox.js'], {
				NODE_ENV: 'production',
				SANDBOX_PORT: String(ports.sandbox),
				DATABASE_URL: postgres.url,
				SANDBOX_URL: sandboxUrl,
				PUBLIC_URL: url,
				...options.sandboxSettings,
			})
			await waitForAnswer(`http://127.0.0.1:${ports.sandbox}/docs/openapi.json`, program)
			return (deployment.sandbox = program)
		}
		const startPortal = async (at: number, more: Record<string, string> = {}) => {
			const port = ports.portals[at] ?? 0
			const program = spawnProgram(`portal ${port}`, process.execPath, ['--max-old-space-size=512', 'build/server.js'], {
				NODE_ENV: 'production',
				PORT: String(port),
				HOST: '127.0.0.1',
				PUBLIC_URL: url,
				BROKER_URL: options.brokerUrl ?? sandboxUrl,
				ESIGN_URL: `${sandboxUrl}/esign`,
				REDIRECT_ORIGINS: sandboxUrl,
				REDIS_URL: `redis://127.0.0.1:${ports.redis}`,
				SESSION_SECRET: SECRET,
				TRUST_PROXY: '1',
				NODE_EXTRA_CA_CERTS: deployment.front.certificateFile,
				...options.portalSettings,
				...more,
			})
			await waitForAnswer(`http://127.0.0.1:${port}/healthz`, program)
			deployment.portals[at] = program
			return program
		}
		const deployment = { url, postgres, portals: [], startRedis: restartRedis, startSandbox, startPortal, stop } as unknown as Deployment

		await restartRedis()
		ends.push(() => deployment.redis.stop('SIGKILL'))
		say('nginx…')
		const sandbox = { tls: ports.sandboxTls, port: ports.sandbox }
		deployment.front = await startNginx({ tls: ports.tls, http: ports.http, upstreams: ports.portals, host: 'localhost', sandbox })
		ends.push(() => deployment.front.stop())
		say('The sandbox broker makes its books in PostgreSQL…')
		await startSandbox()
		ends.push(() => deployment.sandbox.stop('SIGKILL'))
		say('Portals…')
		await Promise.all(ports.portals.map((_, at) => startPortal(at)))
		ends.push(() => Promise.all(deployment.portals.map((each) => each.stop('SIGKILL'))))
		return deployment
	} catch (error) {
		await stop()
		throw error
	}
}

/**
 * Ends the deployment, then the process, on Ctrl-C or SIGTERM. A signal to a process group arrives twice, once through tsx. The second
 * one must not end the process while PostgreSQL still runs, because PostgreSQL is not a child process of it.
 */
export function stopOnSignal(deployment: Deployment): void {
	let stopping: Promise<void> | undefined
	const stop = () => void (stopping ??= deployment.stop().finally(() => process.exit(0)))
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
}
