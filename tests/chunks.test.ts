import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/* vite.config.ts lists the modules of some files of scripts. A module that got another name would silently leave its file. */

const CONFIG = readFileSync('vite.config.ts', 'utf8')
const MODULES = ['app/components', 'app/lib', 'contract/values']
	.flatMap((folder) => readdirSync(folder))
	.map((file) => file.split('.')[0] ?? '')
const NOT_MODULES = new Set(['components', 'lib', 'values', 'conform-to'])

function listNames(list: string): string[] {
	const pattern = CONFIG.match(new RegExp(`^const ${list} =\\s*(/.+)$`, 'm'))?.[1] ?? ''
	return [...pattern.matchAll(/[a-z][a-z-]+/g)].map(([name]) => name).filter((name) => !NOT_MODULES.has(name))
}

test('every name in the lists of scripts is the name of a module', () => {
	const [exact, starts] = [[...listNames('FIELDS'), ...listNames('FORMS')], listNames('REPORTS')]
	expect([exact.length, starts.length].every((count) => count > 10)).toBe(true)
	expect(exact.filter((name) => !MODULES.includes(name))).toEqual([])
	expect(starts.filter((start) => !MODULES.some((name) => name.startsWith(start)))).toEqual([])
})
