import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/* docs/architecture.md refers to files by name. When a file moves, its name must change there too. */

const named = [...readFileSync('docs/architecture.md', 'utf8').matchAll(/`((?:app|server|sandbox|tests)\/[\w./-]+\.tsx?)`/g)].map(
	([, file]) => file ?? '',
)

test('every file named in docs/architecture.md exists', () => {
	expect(named.length).toBeGreaterThan(30)
	expect(named.filter((file) => !existsSync(file))).toEqual([])
})
