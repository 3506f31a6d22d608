import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/* The documents list every event that the portal logs, and no other. */

const SOURCES = ['app', 'server'].flatMap((folder) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((name) => /(?<!\.test)\.tsx?$/.test(name))
		.map((name) => path.join(folder, name)),
)

/** The names in backticks in the first column of the table after a line. */
function listFirstColumn(file: string, before: string): string[] {
	const [, after = ''] = readFileSync(file, 'utf8').split(`${before}\n`)
	const rows = after.trimStart().split('\n\n')[0]?.split('\n').slice(2) ?? []
	return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name)).sort()
}

test('the table of log lines has every event of the code', () => {
	const code = [...SOURCES, 'server.ts'].map((file) => readFileSync(file, 'utf8')).join('\n')
	const logged = [...new Set([...code.matchAll(/\bevent: '(\w+)'/g)].map(([, name = '']) => name))].sort()
	expect(logged.length).toBeGreaterThan(20)
	expect(listFirstColumn('docs/operations.md', '### Log lines')).toEqual(logged)
})

test('the table of audit lines has every audit event', () => {
	const [, union = ''] = /type AuditEvent =([^/]+)/.exec(readFileSync('app/session/audit.server.ts', 'utf8')) ?? []
	const events = [...union.matchAll(/'(\w+)'/g)].map(([, name = '']) => name).sort()
	expect(events.length).toBeGreaterThan(30)
	const table = '- pino writes JSON, so a line break or an escape sequence in a value cannot forge a line.'
	expect(listFirstColumn('docs/decisions/012-audit-lines.md', table)).toEqual(events)
})
