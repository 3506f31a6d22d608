import { readdirSync, readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'

const FILES = ['app/app.css', ...readdirSync('app/styles').map((name) => `app/styles/${name}`)]
const LINES = FILES.flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'))

const ASSETS = 'build/client/assets'
/** Bytes of all rules as brotli; docs/decisions/024 has what they were. A page contains only its own rules (decision 032). */
const MOST_BYTES = 16_800

/** Components that daisyUI draws here; a rule of ours for one of them only adjusts it. */
const FROM_DAISYUI = ['button', 'alert', 'card', 'input', 'link']

test('the built style sheet does not grow', () => {
	const sizes = readdirSync(ASSETS, { encoding: 'utf8' })
		.filter((name) => /^app-.*\.css\.br$/.test(name))
		.map((name) => statSync(`${ASSETS}/${name}`).size)
	expect(sizes).toHaveLength(1)
	expect(sizes[0]).toBeLessThanOrEqual(MOST_BYTES)
})

test('we write no rules for the name of a daisyUI component that is not installed', () => {
	const app = readFileSync('app/app.css', 'utf8')
	expect(/include: ([^;]*);/.exec(app)?.[1]?.split(', ')).toEqual(FROM_DAISYUI)
	const others =
		/^\s*(?:& )?\.(toast|menu|badge|modal|select|file-input|table|tooltip|drawer|avatar|loading|stat|steps|dropdown|list|divider)(?![\w-])/
	expect(LINES.filter((line) => others.test(line))).toEqual([])
})
