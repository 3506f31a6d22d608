import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { drawPicture } from '#scripts/graphviz'

test.for(['light', 'dark'] as const)('the %s picture of the architecture matches its text source', async (palette) => {
	const dot = readFileSync('docs/pictures/architecture.dot', 'utf8')
	const drawn = readFileSync(`docs/pictures/architecture-${palette}.svg`, 'utf8')
	expect(drawn).toBe(await drawPicture(dot, palette))
	expect(drawn).toContain('your adapter')
})
