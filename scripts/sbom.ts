import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { z } from 'zod/v4'

const Sbom = z.looseObject({
	components: z.array(z.looseObject({ 'bom-ref': z.string(), name: z.string(), version: z.string() })),
	dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
})
const Lock = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional(), dev: z.boolean().optional() })) })

/**
 * Returns the list of what is deployed, as CycloneDX JSON: every package that is not only for development. npm reads only the lockfile,
 * so this needs no network. `--omit dev` of npm is not used: it also leaves out packages that a development package needs too, which are
 * half of the list, with React and Remix (npm 11.19).
 */
export async function createSbom(): Promise<string> {
	const { stdout } = await promisify(execFile)('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
		maxBuffer: 64 * 1024 * 1024,
	})
	const { packages } = Lock.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')))
	const deployed = new Set(
		Object.entries(packages).flatMap(([place, { version, dev }]) => (dev ? [] : [`${place.split('node_modules/').at(-1)}@${version}`])),
	)
	const { components, dependencies, ...rest } = Sbom.parse(JSON.parse(stdout))
	const kept = components.filter(({ name, version }) => deployed.has(`${name}@${version}`))
	const left = new Set(components.filter((component) => !kept.includes(component)).map((component) => component['bom-ref']))
	const edges = dependencies
		.filter(({ ref }) => !left.has(ref))
		.map(({ dependsOn, ...edge }) => ({ ...edge, dependsOn: dependsOn.filter((ref) => !left.has(ref)) }))
	return JSON.stringify({ ...rest, components: kept, dependencies: edges })
}
