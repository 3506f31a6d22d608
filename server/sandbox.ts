import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod/v4'
import { parseSettings } from '~/config/parse-settings.server'
import { isLoopback } from '~/lib/web-address'
import { requireFreePort } from './refuse-address'

const Ready = z.object({
	type: z.literal('ready'),
	url: z.url(),
	personas: z.array(z.object({ code: z.string(), password: z.string(), shows: z.string() })),
})

/** The broker's details that pages show; the sandbox's contract notes have the same. A setting of the same name replaces one. */
const MADE_UP_BROKER = {
	SUPPORT_EMAIL: 'help@sandbox.example',
	SUPPORT_PHONE: '+91 22 0000 0000',
	SEBI_REGISTRATION: 'INZ000000000 (sandbox)',
	MEMBER_CODES: 'NSE 00000, BSE 00000, MCX 00000 (sandbox)',
	GRIEVANCE_OFFICER: 'Asha Rao (made up), grievances@sandbox.example',
	PASSWORD_RULE: '8 characters or more, and none of your last 3 passwords.',
}

type Environment = Record<string, string | undefined>

/** The made-up broker; a given setting replaces the value of the same name. */
export function describeBroker(environment: Environment): Environment {
	return Object.fromEntries(Object.entries(MADE_UP_BROKER).map(([name, madeUp]) => [name, environment[name] || madeUp]))
}

type Sandbox = { settings: Environment; greeting: string; stop: () => void }

/**
 * Starts the embedded broker as a separate process and returns the settings with which the portal reaches it. The portal does not know that
 * its broker is a sandbox; what it shows about it also comes from settings. Throws as `checkStart` does, before it starts anything.
 */
export async function startSandbox(environment: Environment, program: string): Promise<Sandbox> {
	await checkStart(environment)
	const hasBooks = Boolean(environment.DATABASE_URL) || existsSync(environment.SANDBOX_DATA_DIR || '.data/sandbox')
	const first = hasBooks ? '' : ' and making its books, which takes some seconds'
	process.stdout.write(`BROKER_URL is not set: starting the sandbox broker${first}\n`)
	// Its books are in memory beside the database; the limit keeps a laptop usable.
	const child = fork(program, {
		env: { ...process.env, ...environment },
		execArgv: ['--max-old-space-size=1024'],
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
	})
	const { url, personas } = await readiness(child)
	const lines = personas.map(({ code, password, shows }) => `${code} / ${password}: ${shows}`)
	return {
		settings: { ...pointAt(url, environment), LOGIN_HINT: listLogins(personas).join('\n') },
		greeting: [
			`The sandbox broker is at ${url} (${url}/outbox, ${url}/control, ${url}/docs)`,
			'Sign in as',
			...lines.map((line) => `  ${line}`),
		].join('\n'),
		/** Closing the channel stops it: it ignores signals while the portal runs. */
		stop: () => void (child.connected && child.disconnect()),
	}
}

/** Throws when a setting of the portal is wrong or its port is taken. Of a portal with a sandbox only the sandbox's address is unknown. */
export async function checkStart(environment: Environment): Promise<void> {
	const unknown = environment.BROKER_URL ? {} : pointAt('http://127.0.0.1:4000', environment)
	const settings = parseSettings({ ...environment, ...unknown })
	// A proxy on this machine makes the portal public, although HOST is loopback.
	if (!environment.BROKER_URL && environment.ALLOW_SANDBOX !== '1' && !isLoopback(new URL(settings.PUBLIC_URL).hostname))
		throw new Error(
			'The portal cannot start with these settings:\n  BROKER_URL: is required with a PUBLIC_URL beyond this machine. To show the sandbox there, whose passwords everybody knows, set ALLOW_SANDBOX=1',
		)
	await requireFreePort(settings)
}

/** The settings of a portal whose broker is the sandbox at that address. */
function pointAt(url: string, environment: Environment): Environment {
	const own = `http://127.0.0.1:${environment.PORT || 3000}`
	return {
		// The sandbox has the same HOST, and refuses one beyond loopback without ALLOW_SANDBOX=1.
		HOST: environment.HOST || '127.0.0.1',
		BROKER_URL: url,
		// With a wrong PORT only PORT is to blame.
		PUBLIC_URL: environment.PUBLIC_URL || (URL.canParse(own) ? own : 'http://127.0.0.1:3000'),
		SESSION_SECRET: environment.SESSION_SECRET || keptSecret('.data'),
		ESIGN_URL: environment.ESIGN_URL || `${url}/esign`,
		REDIRECT_ORIGINS: environment.REDIRECT_ORIGINS || url,
		...describeBroker(environment),
	}
}

function readiness(child: ChildProcess): Promise<z.output<typeof Ready>> {
	return new Promise((resolve, reject) => {
		child.once('exit', (code) => reject(new Error(`The sandbox broker stopped (code ${code}); its own lines above say why`)))
		child.on('message', (message) => {
			const ready = Ready.safeParse(message)
			if (ready.success) resolve(ready.data)
		})
	})
}

/**
 * Made on the first start, so that sessions survive a restart. Only with the sandbox, whose data is not real. Where no file can be written,
 * as in a read-only container, each start has its own secret.
 */
function keptSecret(directory: string): string {
	const file = `${directory}/session-secret`
	const secret = randomBytes(32).toString('base64url')
	try {
		if (!existsSync(file)) {
			mkdirSync(directory, { recursive: true })
			writeFileSync(file, secret, { mode: 0o600 })
		}
		return readFileSync(file, 'utf8').trim()
	} catch {
		return secret
	}
}

/**
 * The lines of the login page: first the password and a note that the data is made up, then each client. A password that all clients
 * share is named once.
 */
function listLogins(personas: readonly { code: string; password: string; shows: string }[]): string[] {
	const [shared, ...others] = new Set(personas.map(({ password }) => password))
	const made = 'People are made up and prices are illustrative: nothing here is a quote of the market.'
	if (others.length > 0) return [made, ...personas.map(({ code, password, shows }) => `${code} / ${password}: ${shows}`)]
	return [`The password of each is ${shared}. ${made}`, ...personas.map(({ code, shows }) => `${code}: ${shows}`)]
}
