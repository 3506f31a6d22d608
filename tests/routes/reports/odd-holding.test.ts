import { expect, test } from 'vitest'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { readTable, readText } from '#tests/support/readers'

/* Holdings whose facts a broker leaves out, or that it lists in two rows. */

const open = openPortalForFile()

test.for(['no facts', 'facts of others'])('a holding without a fact shows no cost of 0: %s', async (which) => {
	open.rewriteCalls('/v1/ours/holding-facts', (json) => {
		json.data = which === 'no facts' ? [] : (json.data as { UNKNOWN_QTY: number }[]).filter(({ UNKNOWN_QTY }) => UNKNOWN_QTY === 0)
	})
	const client = await signedIn(open)
	const { html } = await client.visit('/reports/holding?columns=all&refresh=1')
	const { head, rows } = readTable(html, 'Holding')
	const gail = rows.find((row) => row.join(' ').includes('GAIL')) ?? []
	expect(['Average', 'Invested', 'Unrealised'].map((name) => gail[head.indexOf(name)]?.split(' ')[0])).toEqual(['—', '—', '—'])
	const value = gail[head.indexOf('Value')]
	expect(value).toMatch(/^[\d,]+\.\d\d$/)
	expect(readText(html)).toContain(`Cost not known: 1 of ${rows.length} (GAIL), worth ₹ ${value}, left out`)
})

test('two rows of one security count what has no cost once', async () => {
	open.rewriteCalls('/v2/service/reports/holding', (json) => {
		const rows = json.data as { SYMBOL: string }[]
		json.data = rows.flatMap((row) => (row.SYMBOL === 'GAIL' ? [row, row] : [row]))
	})
	const client = await signedIn(open)
	const { html } = await client.visit('/reports/holding?refresh=1')
	const { head, rows } = readTable(html, 'Holding')
	const gails = rows.filter((row) => row.join(' ').includes('GAIL'))
	expect(gails).toHaveLength(2)
	const value = gails[0]?.[head.indexOf('Value')]
	expect(readText(html)).toContain(`Cost not known: 2 of ${rows.length} (GAIL), worth ₹ ${value}, left out`)
})

test('what cost nothing has a gain, at a broker without facts of holdings', async () => {
	open.rewriteAll((json) => {
		const { data } = json as { data: unknown }
		if (!Array.isArray(data)) return json
		if (data.some((row: object) => 'UNKNOWN_QTY' in row)) return { ...(json as object), data: [] }
		// A right costs nothing. A cost that is unknown has no gain.
		for (const row of data as { SYMBOL?: string; VALUE?: number }[])
			if (row.SYMBOL === 'GAIL') Object.assign(row, { UNREALISED: row.VALUE })
		return json
	})
	const client = await signedIn(open)
	const { html } = await client.visit('/reports/holding?columns=all&refresh=1')
	expect(readText(html)).not.toContain('Cost not known')
	const { head, rows } = readTable(html, 'Holding')
	const gail = rows.find((row) => row.join(' ').includes('GAIL')) ?? []
	const read = (name: string) => gail[head.indexOf(name)]?.split(' ')[0]
	expect([read('Invested'), read('Unrealised')]).toEqual(['0.00', `+${read('Value')}`])
})
