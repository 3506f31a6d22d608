import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import path from 'node:path'
import { Deployment } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Secret, Service } from 'kubernetes-models/v1'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod/v4'
import { readSettings } from '#sandbox/settings'
import { drainMs } from '#server/stop'
import { parseSettings } from '~/config/parse-settings.server'

/* Reads the examples in deploy/ as their programs would. No container engine is needed. */

type Manifest = { kind: string; validate: () => void }
const KINDS: Record<string, new (data: never) => Manifest> = {
	ConfigMap,
	Deployment,
	HorizontalPodAutoscaler,
	Ingress,
	NetworkPolicy,
	PodDisruptionBudget,
	Secret,
	Service,
} as never

const Settings = z.record(z.string(), z.string())
const read = (file: string) => readFileSync(path.join('deploy', file), 'utf8')
const listManifests = () =>
	parseAllDocuments(read('kubernetes/portal.yaml')).map((each) => each.toJS() as { kind: string } & Record<string, unknown>)
const findManifest = (kind: string) => listManifests().find((each) => each.kind === kind) ?? ({} as Record<string, unknown>)

test('each Kubernetes manifest matches the schema of its kind, and a wrong one does not', () => {
	const manifests = listManifests()
	expect(manifests.map(({ kind }) => kind).sort()).toEqual(Object.keys(KINDS).sort())
	for (const manifest of manifests) {
		const Kind = KINDS[manifest.kind]
		expect(() => Kind && new Kind(manifest as never).validate(), manifest.kind).not.toThrow()
	}
	expect(() => new Deployment({ spec: { replicas: 'two' } } as never).validate()).toThrow(/replicas/)
})

test('the portal starts with the settings of the Kubernetes example', () => {
	const { data } = findManifest('ConfigMap')
	const { stringData } = findManifest('Secret')
	const example = { ...Settings.parse(data), ...Settings.parse(stringData) }
	expect(() => parseSettings(example)).toThrow('SESSION_SECRET: is the example value; make your own')
	const given = { ...example, SESSION_SECRET: 'q8Zr3Lw7Xk2Tn9Bv5Mc1Yd6Pf4Hs0Jg8' }
	expect(parseSettings(given)).toMatchObject({ METRICS_PORT: 9464, TRUST_PROXY: true, isSecure: true })
})

test('the Ingress has the host name of PUBLIC_URL and leads to the Service', () => {
	const { PUBLIC_URL = '' } = Settings.parse(findManifest('ConfigMap').data)
	const { hostname } = new URL(PUBLIC_URL)
	const port = { name: 'http' }
	expect(findManifest('Service')).toMatchObject({ metadata: { name: 'portal' }, spec: { ports: [port] } })
	const path = { path: '/', backend: { service: { name: 'portal', port } } }
	expect(findManifest('Ingress')).toMatchObject({
		// Its log would have the whole address of a report link.
		metadata: { annotations: { 'nginx.ingress.kubernetes.io/enable-access-log': 'false' } },
		spec: { tls: [{ hosts: [hostname] }], rules: [{ host: hostname, http: { paths: [path] } }] },
	})
})

test('the Kubernetes example allows the ports of its broker and Redis, and of the collector of .env.example', () => {
	const { data } = findManifest('ConfigMap')
	const { stringData } = findManifest('Secret')
	const collector = /OTEL_EXPORTER_OTLP_ENDPOINT=(\S+)/.exec(readFileSync('.env.example', 'utf8'))?.[1] ?? ''
	const addresses = [Settings.parse(data).BROKER_URL ?? '', Settings.parse(stringData).REDIS_URL ?? '', collector]
	const Egress = z.object({ spec: z.object({ egress: z.array(z.object({ ports: z.array(z.object({ port: z.number() })) })) }) })
	const allowed = Egress.parse(findManifest('NetworkPolicy')).spec.egress.flatMap(({ ports }) => ports.map(({ port }) => port))
	const used = addresses.map((address) => Number(new URL(address).port || 443))
	expect(used).toEqual([443, 6380, 4318])
	expect(allowed).toEqual(expect.arrayContaining(used))
})

test('each systemd instance may have its own settings, which replace the shared ones', () => {
	const files = [...read('khata@.service').matchAll(/^EnvironmentFile=(.+)$/gm)].map(([, file]) => file)
	expect(files).toEqual(['/etc/khata.env', '-/etc/khata-%i.env'])
})

test('Kubernetes, compose and systemd wait longer than a running post may take', () => {
	const Grace = z.object({ spec: z.object({ template: z.object({ spec: z.object({ terminationGracePeriodSeconds: z.number() }) }) }) })
	const { spec } = Grace.parse(findManifest('Deployment'))
	const compose = z.object({ 'x-portal': z.object({ stop_grace_period: z.string() }) }).parse(parse(read('compose.yaml'), { merge: true }))
	const systemd = Number(/TimeoutStopSec=(\d+)/.exec(read('khata@.service'))?.[1])
	const { BROKER_TIMEOUT_MS } = parseSettings({
		SESSION_SECRET: 'q8Zr3Lw7Xk2Tn9Bv5Mc1Yd6Pf4Hs0Jg8',
		BROKER_URL: 'https://a.test',
		PUBLIC_URL: 'https://b.test',
	})
	const seconds = [spec.template.spec.terminationGracePeriodSeconds, Number.parseInt(compose['x-portal'].stop_grace_period, 10), systemd]
	for (const each of seconds) expect(each * 1000).toBeGreaterThan(drainMs(BROKER_TIMEOUT_MS))
})

test('portal and sandbox start with the settings of the compose file', () => {
	const Compose = z.object({ services: z.record(z.string(), z.object({ environment: z.record(z.string(), z.string()).optional() })) })
	const values: Record<string, string> = { SESSION_SECRET: 'q8Zr3Lw7Xk2Tn9Bv5Mc1Yd6Pf4Hs0Jg8', POSTGRES_PASSWORD: 'a' }
	const filled = read('compose.yaml').replace(
		/\$\{(\w+)(?::[-?]([^}]*))?\}/g,
		(_, name: string, fallback = '') => values[name] ?? String(fallback),
	)
	const { services } = Compose.parse(parse(filled, { merge: true }))
	for (const name of ['portal-1', 'portal-2'])
		expect(parseSettings(services[name]?.environment ?? {}), name).toMatchObject({ isSecure: true })
	expect(readSettings(services.sandbox?.environment ?? {})).toMatchObject({ host: '0.0.0.0', url: 'https://localhost:4443' })
})

test('the image has every package that the built programs import', () => {
	const { dependencies } = z
		.object({ dependencies: z.record(z.string(), z.string()) })
		.parse(JSON.parse(readFileSync('package.json', 'utf8')))
	const bundles = ['build/server.js', 'build/sandbox.js', 'build/server/index.js'].concat(
		readdirSync('build/server/assets').flatMap((file) => (file.endsWith('.js') ? [`build/server/assets/${file}`] : [])),
	)
	const imported = bundles.flatMap((file) =>
		[...readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport|\bimport\()\s*"(@?[a-z][\w.-]*(?:\/[\w./-]+)*)"/g)].map(
			([, name = '']) => name,
		),
	)
	const packages = new Set(
		imported.map((name) =>
			name
				.split('/')
				.slice(0, name.startsWith('@') ? 2 : 1)
				.join('/'),
		),
	)
	const known = [...packages].filter((name) => !builtinModules.includes(name))
	expect(known.length).toBeGreaterThan(20)
	expect(known.filter((name) => !(name in dependencies))).toEqual([])
})

test('the image is built from the files that the build reads', () => {
	const kept =
		readFileSync('.dockerignore', 'utf8')
			.match(/^!.+$/gm)
			?.map((line) => line.slice(1)) ?? []
	const sources = /const SOURCES = \[([^\]]+)\]/.exec(readFileSync('scripts/build.ts', 'utf8'))?.[1]?.match(/[\w.-]+/g) ?? []
	expect(sources.filter((source) => !kept.includes(source))).toEqual([])
})
