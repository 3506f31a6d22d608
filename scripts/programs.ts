import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type Readable } from 'node:stream'

/** Milliseconds that a program may take to start. The sandbox makes its books in this time. */
const START_MS = 240_000

export type Program = {
	name: string
	child: ChildProcessByStdio<null, Readable, Readable>
	/** The last 2,000,000 characters of its output. */
	output: () => string
	isRunning: () => boolean
	/** The exit code, once the program has ended and all its output was read; null when a signal ended it. */
	exit: Promise<number | null>
	/** Sends the signal, unless the program has already ended. Returns `exit`. */
	stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** Starts a program with only these variables, PATH and NODE_ENV. Returns before the program listens. */
export function spawnProgram(name: string, file: string, args: string[], env: Record<string, string> = {}): Program {
	const child = spawn(file, args, { env: { NODE_ENV: 'production', PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
	let output = ''
	for (const stream of [child.stdout, child.stderr])
		// Keeps the end of a long log, which says why a program ended.
		stream.on('data', (bytes: Buffer) => (output = (output + bytes.toString()).slice(-2_000_000)))
	const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
	const isRunning = () => child.exitCode === null && child.signalCode === null
	return {
		name,
		child,
		output: () => output,
		isRunning,
		exit,
		async stop(signal = 'SIGTERM') {
			if (isRunning()) child.kill(signal)
			return await exit
		},
	}
}

/** True when a program on this machine listens on the port. */
export async function isListening(port: number): Promise<boolean> {
	const socket = connect(port, '127.0.0.1')
	const isOpen = await once(socket, 'connect').then(
		() => true,
		() => false,
	)
	socket.destroy()
	return isOpen
}

/** Resolves when something listens on the port. Rejects with the program's output when the program ends first or takes too long. */
export async function waitForPort(port: number, program?: Program, withinMs = START_MS): Promise<void> {
	for (const started = Date.now(); !(await isListening(port)); await wait(100)) {
		const isLate = Date.now() - started > withinMs
		if (program?.isRunning() === false) await program.exit
		if (isLate || program?.isRunning() === false)
			throw new Error(`${program?.name ?? 'the program'} does not listen on ${port}\n${program?.output() ?? ''}`)
	}
}

/** Resolves when the address answers 200. Rejects with the program's output when the program ends first or takes too long. */
export async function waitForAnswer(address: string, program: Pick<Program, 'name' | 'isRunning' | 'output'>): Promise<void> {
	const answers = () =>
		fetch(address).then(
			({ ok }) => ok,
			() => false,
		)
	for (const started = Date.now(); !(await answers()); await wait(200)) {
		const isLate = Date.now() - started > START_MS
		if (isLate || !program.isRunning()) throw new Error(`${program.name} does not answer at ${address}\n${program.output()}`)
	}
}

/** Starts a Redis that stores nothing on the disk. `more` are options of redis-server. */
export async function startRedis(port: number, more: string[] = []): Promise<Program> {
	const args = ['--port', String(port), '--save', '', '--appendonly', 'no', '--bind', '127.0.0.1', ...more]
	const program = spawnProgram('redis', 'redis-server', args)
	await waitForPort(port, program, 10_000)
	return program
}

export function wait(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms))
}
