import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { vi } from 'vitest'

/** Debian keeps it outside the PATH of most users. */
export const NGINX = '/usr/sbin/nginx'

export type Front = {
	/** The certificate made for this run, as PEM: what a client is to trust. */
	certificate: string
	key: string
	/** Everything that nginx has written to its logs. */
	logs: () => string
	/** Ends nginx and removes its folder. */
	stop: () => Promise<void>
}

/**
 * Starts nginx on loopback with `deploy/nginx.conf` as it is, but for the values that its first lines ask to change: ports,
 * host name, upstream, a certificate made here, and the folder of the logs. It answers when the promise resolves.
 */
export async function startNginx({
	tls,
	http,
	upstream,
	host,
	clientFiles = path.resolve('build/client'),
}: {
	tls: number
	http: number
	upstream: number
	host: string
	/** Where nginx looks for scripts and fonts. */
	clientFiles?: string
}): Promise<Front> {
	// Its server would be taken for ours, and every answer for the portal's.
	if (await isListening(tls)) throw new Error(`another program listens on ${tls}; it may be left from a run that was stopped`)
	const folder = mkdtempSync(path.join(tmpdir(), 'khata-nginx-'))
	mkdirSync(path.join(folder, 'logs'))
	const [certificate, key] = [path.join(folder, 'fullchain.pem'), path.join(folder, 'key.pem')]
	execFileSync(
		'openssl',
		['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'].concat(
			['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host},DNS:localhost,IP:127.0.0.1`],
			['-keyout', key, '-out', certificate],
		),
		{ stdio: 'ignore' },
	)
	const values: [string, string][] = [
		['listen 80;', `listen 127.0.0.1:${http};`],
		['listen 443 ', `listen 127.0.0.1:${tls} `],
		['127.0.0.1:3000', `127.0.0.1:${upstream}`],
		['portal.example', host],
		['/etc/ssl/portal/fullchain.pem', certificate],
		['/etc/ssl/portal/key.pem', key],
		['/var/log/nginx/', `${folder}/logs/`],
		['/srv/khata/build/client', clientFiles],
	]
	let portal = readFileSync('deploy/nginx.conf', 'utf8')
	for (const [from, to] of values) {
		if (!portal.includes(from)) throw new Error(`deploy/nginx.conf does not contain ${from}`)
		portal = portal.replaceAll(from, to)
	}
	writeFileSync(path.join(folder, 'portal.conf'), portal)
	const main = path.join(folder, 'nginx.conf')
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => `${each}_temp_path ${folder}/${each};`)
	writeFileSync(main, `pid ${folder}/pid;\nevents {}\nhttp {\n${temporary.join('\n')}\ninclude ${folder}/portal.conf;\n}\n`)

	const child = spawn(NGINX, ['-c', main, '-p', folder, '-e', `${folder}/logs/start.log`, '-g', 'daemon off; worker_processes 1;'], {
		stdio: ['ignore', 'ignore', 'pipe'],
	})
	let output = ''
	child.stderr.on('data', (bytes: Buffer) => (output += bytes.toString()))
	await listening(tls, child).catch((error: unknown) => {
		throw new Error(`nginx did not start: ${output}`, { cause: error })
	})
	return {
		certificate: readFileSync(certificate, 'utf8'),
		key: readFileSync(key, 'utf8'),
		logs: () =>
			['portal-access.log', 'portal-error.log', 'start.log'].map((name) => readFileSync(path.join(folder, 'logs', name), 'utf8')).join(''),
		async stop() {
			child.kill('SIGTERM')
			if (child.exitCode === null) await once(child, 'exit')
			rmSync(folder, { recursive: true })
		},
	}
}

/** Whether a program listens on the port. */
async function isListening(port: number): Promise<boolean> {
	const socket = connect(port, '127.0.0.1')
	const isOpen = await once(socket, 'connect').then(
		() => true,
		() => false,
	)
	socket.destroy()
	return isOpen
}

/** Resolves once the program listens on the port; rejects when it has ended first or after ten seconds. */
async function listening(port: number, child: ChildProcess): Promise<void> {
	await vi.waitUntil(async () => child.exitCode !== null || (await isListening(port)), { timeout: 10_000 })
	if (child.exitCode !== null) throw new Error(`nothing listens on ${port}`)
}
