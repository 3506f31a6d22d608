import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const rows = readFileSync('docs/security.md', 'utf8')
	.split('\n')
	.filter((line) => /^\| \d+ \|/.test(line))
	.map((line) => {
		const [, number, , tests = ''] = line.split('|')
		return { number: Number(number), files: [...tests.matchAll(/`([^`]+)`/g)].map(([, file]) => file ?? '') }
	})

test('each of the 76 requirements names an existing test', () => {
	expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 76 }, (_, index) => index + 1))
	for (const { number, files } of rows) {
		expect(files, `requirement ${number}`).not.toEqual([])
		for (const file of files) {
			expect(file, `requirement ${number}`).toMatch(/\.(test|spec|journey)\.ts$/)
			expect(existsSync(file), `requirement ${number}: ${file}`).toBe(true)
		}
	}
})

test('every test of this folder belongs to a requirement', () => {
	const named = new Set(rows.flatMap(({ files }) => files))
	const tests = readdirSync('tests/security').filter((file) => file.endsWith('.test.ts') && file !== 'security-document.test.ts')
	expect(tests.length).toBeGreaterThan(10)
	expect(tests.map((file) => `tests/security/${file}`).filter((file) => !named.has(file))).toEqual([])
})
