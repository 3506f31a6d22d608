import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const INSTALLED = '/usr/lib/postgresql'

export type Postgres = {
	url: string
	/** The same database over a unix socket, for programs on this machine: a query costs a tenth less. */
	socketUrl: string
	start: () => void
	stop: (mode?: 'fast' | 'immediate') => void
	remove: () => void
}

/**
 * Creates a separate PostgreSQL on loopback, from Debian's package, with these settings and a new folder in `place`. `remove` deletes
 * the folder. PostgreSQL cannot run as root, so it then runs as the user postgres.
 */
export function createPostgres(port: number, settings: readonly string[] = [], place = tmpdir()): Postgres {
	const folder = mkdtempSync(path.join(place, 'khata-postgres-'))
	chmodSync(folder, 0o777)
	const data = path.join(folder, 'data')
	const run = (program: string, ...args: string[]) => {
		const file = path.join(INSTALLED, readdirSync(INSTALLED).at(-1) ?? '', 'bin', program)
		const isRoot = process.getuid?.() === 0
		const [command, own] = isRoot ? ['runuser', ['-u', 'postgres', '--', file, ...args]] : [file, args]
		execFileSync(command, own, { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder })
	}
	// Without a locale initdb takes that of the machine, and fails when it is not installed.
	run('initdb', '-D', data, '-U', 'khata', '--auth=trust', '--no-sync', '--locale=C', '--encoding=UTF8')
	const options = [`-p ${port} -k ${folder}`, ...['listen_addresses=127.0.0.1', ...settings].map((each) => `-c ${each}`)].join(' ')
	const url = `postgres://khata@127.0.0.1:${port}/postgres`
	return {
		url,
		socketUrl: `${url}?host=${folder}`,
		start: () => run('pg_ctl', '-D', data, '-w', '-o', options, '-l', path.join(folder, 'log'), 'start'),
		stop: (mode = 'fast') => run('pg_ctl', '-D', data, '-m', mode, 'stop'),
		remove: () => rmSync(folder, { recursive: true, force: true }),
	}
}
