import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fetch } from 'undici'
import { vi } from 'vitest'

/*
 * Firefox and WebKitGTK, driven by the commands of W3C WebDriver: Firefox takes them over a socket (Marionette), WebKit over HTTP. The
 * client libraries for these two need Node 22 or bring a hundred packages; these tests need ten commands.
 */
const FIREFOX = '/usr/bin/firefox-esr'
export const WEBKIT = '/usr/bin/WebKitWebDriver'

/** A WebDriver command: its HTTP method and path, which name it in the standard, and Marionette's name for the same. */
type Command = readonly [method: 'GET' | 'POST' | 'DELETE', path: string, marionette: string]
const COMMANDS = {
	open: ['POST', '/url', 'WebDriver:Navigate'],
	address: ['GET', '/url', 'WebDriver:GetCurrentURL'],
	forget: ['DELETE', '/cookie', 'WebDriver:DeleteAllCookies'],
	run: ['POST', '/execute/sync', 'WebDriver:ExecuteScript'],
	find: ['POST', '/element', 'WebDriver:FindElement'],
	frame: ['POST', '/frame', 'WebDriver:SwitchToFrame'],
} satisfies Record<string, Command>

/** Why a command failed, in the standard's words: "no such element", "unexpected alert open", "insecure certificate". */
type Failure = { error: string; message: string }

type Send = (command: Command, body?: Record<string, unknown>) => Promise<unknown>

/** A browser with one tab. Each method waits until the page has loaded, as WebDriver does. */
export class Browser {
	constructor(
		private readonly send: Send,
		readonly stop: () => Promise<void>,
	) {}

	/** WebDriver reports an error for a page that the browser refuses to show. Here it counts as a normal page. */
	async open(address: string): Promise<void> {
		await this.send(COMMANDS.open, { url: address })
	}

	async readAddress(): Promise<URL> {
		return new URL(String(await this.send(COMMANDS.address)))
	}

	/** Deletes the cookies of the site that is open. */
	async deleteCookies(): Promise<void> {
		await this.send(COMMANDS.forget)
	}

	/** Goes back. The standard command never ends in WebKit for a page from the cache, so a mark shows that the page has changed. */
	async back(): Promise<void> {
		await this.run('window.isLeft = true; setTimeout(() => history.back())')
		const isThere = () => this.run('return window.isLeft === undefined && document.readyState === "complete"')
		// While the page changes, a command may find no page.
		await vi.waitUntil(() => isThere().then(Boolean, () => false), { timeout: 10_000 })
	}

	/** Runs a script in the page, under its Content-Security-Policy, and returns its value. */
	async run(script: string): Promise<unknown> {
		return this.send(COMMANDS.run, { script, args: [] })
	}

	/** The visible text of the page. */
	async readText(): Promise<string> {
		return String(await this.run('return document.body ? document.body.innerText : ""'))
	}

	/** Switches to the frame of the selector while `look` runs. */
	async inFrame<Result>(selector: string, look: () => Promise<Result>): Promise<Result> {
		const element = await this.send(COMMANDS.find, { using: 'css selector', value: selector })
		const id = Object.values(element as Record<string, string>)[0]
		// The standard takes the element, and Marionette its id.
		await this.send(COMMANDS.frame, { id: element, element: id })
		try {
			return await look()
		} finally {
			await this.send(COMMANDS.frame, { id: null })
		}
	}
}

const CAPABILITIES = { acceptInsecureCerts: true, unhandledPromptBehavior: 'ignore' }

/** Firefox without a window. `hasScripts: false` is the setting that people switch JavaScript off with. */
export async function startFirefox({ hasScripts = true } = {}): Promise<Browser> {
	const profile = mkdtempSync(path.join(tmpdir(), 'khata-firefox-'))
	const settings = {
		'marionette.port': 0,
		'javascript.enabled': hasScripts,
		'browser.shell.checkDefaultBrowser': false,
		'browser.startup.page': 0,
		'datareporting.policy.dataSubmissionEnabled': false,
		'toolkit.telemetry.reportingpolicy.firstRun': false,
		'app.update.auto': false,
		'network.captive-portal-service.enabled': false,
		'network.connectivity-service.enabled': false,
		'services.settings.server': 'http://127.0.0.1:9/',
		'browser.safebrowsing.malware.enabled': false,
		'browser.safebrowsing.phishing.enabled': false,
		'extensions.systemAddon.update.enabled': false,
	}
	const lines = Object.entries(settings).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`)
	writeFileSync(path.join(profile, 'user.js'), lines.join('\n'))
	const child = spawn(FIREFOX, ['--marionette', '--headless', '--no-remote', '--profile', profile], {
		stdio: 'ignore',
		env: { ...process.env, HOME: profile },
	})
	const portFile = path.join(profile, 'MarionetteActivePort')
	await waitFor(() => existsSync(portFile) && Number(readFileSync(portFile, 'utf8')) > 0, child, 'Firefox')
	const { send, close } = await connectMarionette(Number(readFileSync(portFile, 'utf8')))
	await send('WebDriver:NewSession', CAPABILITIES)
	return new Browser(
		([, , name], body = {}) => send(name, body),
		async () => {
			await send('Marionette:Quit', { flags: ['eForceQuit'] }).catch(() => undefined)
			close()
			await end(child)
			rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
		},
	)
}

/** Marionette's messages are `length:json`; a command is [0, id, name, parameters], its answer [1, id, error, result]. */
async function connectMarionette(port: number) {
	const socket = connect(port, '127.0.0.1')
	let received = Buffer.alloc(0)
	let lastId = 0
	const waiting = new Map<number, (failure: Failure | null, result: unknown) => void>()
	socket.on('data', (bytes) => {
		received = Buffer.concat([received, bytes])
		for (;;) {
			const colon = received.indexOf(':')
			const length = Number(received.subarray(0, colon))
			if (colon < 0 || received.length < colon + 1 + length) return
			const message: unknown = JSON.parse(received.subarray(colon + 1, colon + 1 + length).toString())
			received = received.subarray(colon + 1 + length)
			// The first message is a greeting.
			if (!Array.isArray(message)) continue
			const [, id, failure, result] = message as [1, number, Failure | null, unknown]
			waiting.get(id)?.(failure, result)
			waiting.delete(id)
		}
	})
	await once(socket, 'connect')
	return {
		send: (name: string, parameters: object) =>
			new Promise<unknown>((resolve, reject) => {
				const id = ++lastId
				waiting.set(id, (failure, result) => (failure ? reject(toError(name, failure)) : resolve(unwrap(result))))
				const message = JSON.stringify([0, id, name, parameters])
				socket.write(`${Buffer.byteLength(message)}:${message}`)
			}),
		close: () => void socket.destroy(),
	}
}

function toError(command: string, { error, message }: Failure): Error {
	return new Error(`${command}: ${error}. ${message}`)
}

function unwrap(result: unknown): unknown {
	return typeof result === 'object' && result !== null && 'value' in result ? result.value : result
}

/** WebKitGTK, the engine of Safari, on a display in memory, because it cannot run without a display. */
export async function startWebKit(port: number, display: number): Promise<Browser> {
	const screen = spawn('Xvfb', [`:${display}`, '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], { stdio: 'ignore' })
	await waitFor(() => existsSync(`/tmp/.X11-unix/X${display}`), screen, 'Xvfb')
	const home = mkdtempSync(path.join(tmpdir(), 'khata-webkit-'))
	const driver = spawn(WEBKIT, [`--port=${port}`], {
		stdio: 'ignore',
		env: { ...process.env, HOME: home, DISPLAY: `:${display}`, LIBGL_ALWAYS_SOFTWARE: '1' },
	})
	const base = `http://127.0.0.1:${port}`
	await waitFor(() => isAnswering(base), driver, 'WebKitWebDriver')
	const ask = async (method: string, address: string, body?: object) => {
		const answer = await fetch(base + address, { method, body: body && JSON.stringify(body) })
		const { value } = (await answer.json()) as { value: unknown }
		if (answer.status !== 200) throw toError(address, value as Failure)
		return value
	}
	const { sessionId } = (await ask('POST', '/session', { capabilities: { alwaysMatch: CAPABILITIES } })) as { sessionId: string }
	return new Browser(
		([method, command], body) => ask(method, `/session/${sessionId}${command}`, body),
		async () => {
			await ask('DELETE', `/session/${sessionId}`).catch(() => undefined)
			await end(driver)
			await end(screen)
			rmSync(home, { recursive: true, force: true, maxRetries: 5 })
		},
	)
}

function isAnswering(base: string): Promise<boolean> {
	return fetch(`${base}/status`).then(
		({ ok }) => ok,
		() => false,
	)
}

async function end(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return
	const ended = once(child, 'exit')
	child.kill('SIGTERM')
	const timer = setTimeout(() => child.kill('SIGKILL'), 3000)
	await ended
	clearTimeout(timer)
}

/** Waits until a program is ready. Rejects when the program ends first, or after thirty seconds. */
async function waitFor(isReady: () => boolean | Promise<boolean>, child: ChildProcess, name: string): Promise<void> {
	await vi
		.waitUntil(() => child.exitCode !== null || isReady(), { timeout: 30_000 })
		.catch((error: unknown) => {
			child.kill('SIGKILL')
			throw new Error(`${name} did not start`, { cause: error })
		})
	if (child.exitCode !== null) throw new Error(`${name} ended at once`)
}
