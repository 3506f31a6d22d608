import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, openSync, readFileSync } from 'node:fs'
import { wait, waitForAnswer } from '#scripts/programs'

/** Every program that this run started, so that all of them are stopped, also after an error. */
const running = new Set<ChildProcess>()

export type Program = { url: string; pid: number; isRunning: () => boolean; stop: () => Promise<void> }

/** Starts a Node program and waits until it answers. Its output goes to .cache/bench-NAME.log, for debugging. */
export async function start(
	name: string,
	args: string[],
	port: number,
	env: Record<string, string>,
	ready = '/',
	cwd = '.',
): Promise<Program> {
	const lines = openSync(`.cache/bench-${name}.log`, 'w')
	const child = spawn(process.execPath, args, {
		cwd,
		env: { ...process.env, NODE_ENV: 'production', ...env },
		stdio: ['ignore', lines, lines],
	})
	running.add(child)
	const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
	void ended.then(() => running.delete(child))
	const url = `http://127.0.0.1:${port}`
	const isRunning = () => running.has(child)
	await waitForAnswer(url + ready, { name, isRunning, output: () => `.cache/bench-${name}.log says why` })
	return {
		url,
		pid: child.pid ?? 0,
		isRunning,
		stop: async () => {
			child.kill('SIGTERM')
			// A portal waits for its downloads for half a minute. The bench does not need that, so it kills the process after 3 s.
			await Promise.race([ended, wait(3000).then(() => child.kill('SIGKILL'))])
		},
	}
}

export function stopAll() {
	for (const child of running) child.kill('SIGKILL')
}

/** Starts the portal as `npm start` does, with the same memory settings, for the broker at an address. `more` are other settings. */
export function startPortal(name: string, port: number, brokerUrl: string, more: Record<string, string> = {}): Promise<Program> {
	const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } }
	const flags = scripts.start.match(/--[\w-]+=\d+/g) ?? []
	const memory = Object.fromEntries(Array.from(scripts.start.matchAll(/\b([A-Z_]+)=(\d+)/g), ([, name, value]) => [name, value]))
	const settings = {
		...memory,
		PORT: String(port),
		HOST: '127.0.0.1',
		PUBLIC_URL: `http://127.0.0.1:${port}`,
		BROKER_URL: brokerUrl,
		SESSION_SECRET: 'only-for-the-bench-0123456789abcdefghij',
		LOG_LEVEL: 'info',
		...more,
	}
	return start(name, [...flags, 'build/server.js'], port, settings, '/healthz')
}

export function startSandbox(port: number): Promise<Program> {
	const settings = { SANDBOX_PORT: String(port), SANDBOX_DATA_DIR: '.cache/bench-sandbox' }
	return start('sandbox', ['--max-old-space-size=1024', 'build/sandbox.js'], port, settings, '/control/faults')
}

/** Returns the resident memory in MB, from the kernel; 0 when the process has ended. */
export function residentMb(pid: number): number {
	if (!existsSync(`/proc/${pid}/status`)) return 0
	const [, kilobytes = 0] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
	return Number(kilobytes) / 1024
}

/** Returns the CPU seconds of a process, from the hundredths that the kernel counts. */
export function ownSeconds(pid: number): number {
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
	return (Number(fields[11]) + Number(fields[12])) / 100
}
