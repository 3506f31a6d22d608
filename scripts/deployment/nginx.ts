import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isListening, spawnProgram, waitForPort } from '#scripts/programs'

/** Debian installs nginx in a folder that is not in the PATH of most users. */
const NGINX = '/usr/sbin/nginx'

export type Front = {
	/** The certificate made for this run, as PEM, which clients must trust. */
	certificate: string
	key: string
	/** The file of that certificate. */
	certificateFile: string
	/** Everything that nginx has written to its logs. */
	logs: () => string
	/** Ends nginx and removes its folder. */
	stop: () => Promise<void>
}

type Wanted = {
	/** Ports of nginx itself. */
	tls: number
	http: number
	/** Ports of the portals behind it. */
	upstreams: readonly number[]
	host: string
	/** The folder of scripts and fonts that nginx serves. */
	clientFiles?: string
	/** Also serves the sandbox at `port` behind TLS, with `deploy/sandbox.nginx.conf`. */
	sandbox?: { tls: number; port: number }
}

/**
 * Starts nginx on loopback with `deploy/nginx.conf`. It changes only the values that the first lines of that file list: ports, host
 * name, upstreams, a certificate made here, files and the log folder. Resolves when nginx listens.
 */
export async function startNginx({
	tls,
	http,
	upstreams,
	host,
	clientFiles = path.resolve('build/client'),
	sandbox,
}: Wanted): Promise<Front> {
	// Otherwise the replies of another server on that port would be taken for those of the portal.
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
	const shared: [string, string][] = [
		['/etc/ssl/portal/fullchain.pem', certificate],
		['/etc/ssl/portal/key.pem', key],
		['/var/log/nginx/', `${folder}/logs/`],
	]
	writeChanged('deploy/nginx.conf', path.join(folder, 'portal.conf'), [
		['listen 80;', `listen 127.0.0.1:${http};`],
		['listen 443 ', `listen 127.0.0.1:${tls} `],
		['server 127.0.0.1:3000 ', upstreams.map((port) => `server 127.0.0.1:${port} `).join('max_fails=0; ')],
		['portal.example', host],
		['/srv/khata/build/client', clientFiles],
		...shared,
	])
	const files = ['portal.conf']
	if (sandbox) {
		files.push('sandbox.conf')
		writeChanged('deploy/sandbox.nginx.conf', path.join(folder, 'sandbox.conf'), [
			['listen 4443 ', `listen 127.0.0.1:${sandbox.tls} `],
			['127.0.0.1:4000', `127.0.0.1:${sandbox.port}`],
			['sandbox.example', host],
			...shared,
		])
	}
	const main = path.join(folder, 'nginx.conf')
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => `${each}_temp_path ${folder}/${each};`)
	const includes = files.map((file) => `include ${folder}/${file};`)
	writeFileSync(main, `pid ${folder}/pid;\nevents {}\nhttp {\n${[...temporary, ...includes].join('\n')}\n}\n`)

	const args = ['-c', main, '-p', folder, '-e', `${folder}/logs/start.log`, '-g', 'daemon off; worker_processes 1;']
	const program = spawnProgram('nginx', NGINX, args)
	await waitForPort(tls, program, 10_000)
	return {
		certificate: readFileSync(certificate, 'utf8'),
		key: readFileSync(key, 'utf8'),
		certificateFile: certificate,
		logs: () =>
			['portal-access.log', 'portal-error.log', 'start.log'].map((name) => readFileSync(path.join(folder, 'logs', name), 'utf8')).join(''),
		async stop() {
			await program.stop()
			rmSync(folder, { recursive: true })
		},
	}
}

/** Copies a file with these values changed. Throws when a value is missing: the list in the first lines of the file is then wrong. */
function writeChanged(from: string, to: string, values: [string, string][]): void {
	let text = readFileSync(from, 'utf8')
	for (const [old, value] of values) {
		if (!text.includes(old)) throw new Error(`${from} does not contain ${old}`)
		text = text.replaceAll(old, value)
	}
	writeFileSync(to, text)
}
