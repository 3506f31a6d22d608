import { expect, test } from 'vitest'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { readColumn, readTable } from '#tests/support/readers'

const open = openPortalForFile()

test('two positions in one security do not share the facts of one', async () => {
	open.rewriteCalls('/v2/account-profile/mtf-details', (json) => {
		const data = json.data as { positions: Record<string, unknown>[] }
		const [position] = data.positions
		// Bought at 250.00 and at 290.00; the price is 300.00.
		data.positions = [
			{ ...position, QTY: 100, BUY_RATE: 250, CLOSE_PRICE: 300, FUNDED: 20_000, CLIENT_MARGIN: 5000 },
			{ ...position, QTY: 10, BUY_RATE: 290, CLOSE_PRICE: 300, FUNDED: 2320, CLIENT_MARGIN: 580 },
		]
	})
	const client = await signedIn(open, 'DEMO01')
	const { html } = await client.visit('/connect/mtf?refresh=1')
	const { head, rows } = readTable(html, 'Funded positions')
	// 100 × 50.00 and 10 × 10.00.
	expect(readColumn(rows, 'MTM', head)).toEqual([5000_00, 100_00])
	expect(rows.map((row) => row[head.indexOf('Margin needed')])).toEqual(['—', '—'])
})

test('marks each month and the total of interest when a day could not be read', async () => {
	open.rewriteCalls('/v1/ours/mtf-interest', (json) => {
		const { days } = json.data as { days: Record<string, unknown>[] }
		Object.assign(days[0] ?? {}, { INTEREST: 'nonsense' })
	})
	const client = await signedIn(open, 'DEMO01')
	const { html } = await client.visit('/connect/mtf?refresh=1')
	const { rows, foot } = readTable(html, 'Interest by month')
	expect(rows.length).toBeGreaterThan(1)
	for (const cells of [...rows, foot]) expect(cells.at(-1)).toMatch(/^[\d,]+\.\d\d \(incomplete\)$/)
})
