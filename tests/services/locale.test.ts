import { existsSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { afterEach, expect, test, vi } from 'vitest'
import { streamXlsx } from '#documents/xlsx'
import { createPostgres } from '#scripts/deployment/postgres'
import { readWorkbooks } from '#tests/support/office'

/* The tests give the same results whatever language a contributor's machine speaks. */

afterEach(() => vi.unstubAllEnvs())

test('reads a workbook with Indian figures on a machine that writes 3.743,91', async () => {
	vi.stubEnv('LC_ALL', 'tr_TR.UTF-8')
	const columns = [{ head: 'Amount', width: 20, isFigure: true }]
	async function* rows() {
		yield [{ cells: [{ paise: 3_743_91 }] }, { cells: [{ day: '2026-11-20' }] }]
	}
	const bytes = await buffer(streamXlsx([{ name: 'Ledger', title: ['Ledger'], columns, rows: rows() }], new Date('2026-11-20T11:00:00Z')))
	const [[sheet] = []] = [...(await readWorkbooks(new Map([['ledger.xlsx', bytes]]))).values()]
	expect(sheet?.rows.slice(-2)).toEqual([['3,743.91'], ['20/11/2026']])
})

test.runIf(existsSync('/usr/lib/postgresql'))('starts a database on a machine whose locale is not installed', () => {
	vi.stubEnv('LC_ALL', 'xx_XX.UTF-8')
	const start = () => {
		const postgres = createPostgres(5497)
		postgres.start()
		postgres.stop('immediate')
		postgres.remove()
	}
	expect(start).not.toThrow()
})
