import fs from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod/v4'

/* The portal's dependencies: exact versions, all from the public registry, with hashes, and none with a known vulnerability. */

const read = (file: string): unknown => JSON.parse(fs.readFileSync(file, 'utf8'))
const Versions = z.record(z.string(), z.string())
const manifest = z.object({ dependencies: Versions, devDependencies: Versions }).parse(read('package.json'))
const Locked = z.object({
	version: z.string().optional(),
	resolved: z.string().optional(),
	integrity: z.string().optional(),
	dev: z.boolean().optional(),
})
const { packages } = z.object({ packages: z.record(z.string(), Locked) }).parse(read('package-lock.json'))
const locked = Object.entries(packages)
	.filter(([place]) => place !== '')
	.map(([place, entry]) => ({ ...entry, place, name: place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length) }))

/** Older versions have a known vulnerability. */
const FLOORS: [name: string, version: string, fault: string][] = [
	['@remix-run/server-runtime', '2.17.5', 'CVE-2026-22030, posts from other sites'],
	['@remix-run/node', '2.17.5', 'the same line'],
	['@remix-run/react', '2.17.5', 'CVE-2026-21884, script in ScrollRestoration'],
	['@remix-run/router', '1.23.2', 'CVE-2026-22029, redirects to script'],
]

function compare(one: string, other: string): number {
	const [first, second] = [one, other].map((version) => version.split('-')[0]?.split('.').map(Number) ?? [])
	return [0, 1, 2].map((at) => (first?.[at] ?? 0) - (second?.[at] ?? 0)).find((difference) => difference !== 0) ?? 0
}

test.for(FLOORS)('%s is %s or newer (%s)', ([name, floor]) => {
	const installed = locked.filter((entry) => entry.name === name && !entry.dev)
	expect(installed.length).toBeGreaterThan(0)
	expect(installed.filter(({ version = '0' }) => compare(version, floor) < 0)).toEqual([])
})

test('every direct dependency is pinned to one version, which is the one installed', () => {
	for (const [name, wanted] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
		// A package under a name of ours: `npm:typescript@7.0.2`.
		const version = wanted.replace(/^npm:[\w-]+@/, '')
		expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+$/)])
		expect([name, packages[`node_modules/${name}`]?.version]).toEqual([name, version])
	}
})

test('the lockfile names only the public registry, and has the hash of every package', () => {
	expect(locked.length).toBeGreaterThan(500)
	expect(locked.filter(({ resolved }) => resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'))).toEqual([])
	expect(locked.filter(({ integrity }) => !integrity?.startsWith('sha512-'))).toEqual([])
})

test('no abandoned package is installed, and the test-only server is not deployed', () => {
	expect(locked.filter(({ name }) => /^(@types\/)?crypto-js$/.test(name))).toEqual([])
	const deployed = new Set(locked.filter(({ dev }) => !dev).map(({ name }) => name))
	for (const name of ['@remix-run/serve', '@remix-run/express', 'express']) expect([name, deployed.has(name)]).toEqual([name, false])
})

test('the build lists what is deployed, with versions and hashes', () => {
	const Component = z.object({ name: z.string(), version: z.string(), hashes: z.array(z.object({ alg: z.string(), content: z.string() })) })
	const bill = z.object({ bomFormat: z.literal('CycloneDX'), components: z.array(Component) }).parse(read('build/sbom.json'))
	const hashes = new Map(bill.components.map((component) => [`${component.name}@${component.version}`, component.hashes.length]))
	const deployed = locked.filter(({ dev }) => !dev).map(({ name, version }) => `${name}@${version}`)
	expect([...hashes.keys()].sort()).toEqual([...new Set(deployed)].sort())
	for (const [name, version] of Object.entries(manifest.dependencies)) expect([name, hashes.get(`${name}@${version}`)]).toEqual([name, 1])
	expect([...hashes.keys()].filter((each) => /^(vite|vitest|esbuild|@playwright\/test|@remix-run\/(dev|serve))@/.test(each))).toEqual([])
})
