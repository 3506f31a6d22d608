import { expect, test } from 'vitest'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { readText } from '#tests/support/readers'

const opened = openPortalForFile()

/** The form after a press of a button that changes only the form. */
async function addTo(shares: readonly string[]) {
	const visitor = await signedIn(opened, 'CASH01')
	const fields = Object.fromEntries(shares.map((share, at) => [`nominees[${at}].share`, share]))
	const add = { ...fields, __intent__: JSON.stringify({ type: 'insert', payload: { name: 'nominees', defaultValue: {} } }) }
	return readText(await (await visitor.post('/myaccount/nominee', '/myaccount/nominee', add)).text())
}

test('the form of nominees shows the sum of their shares', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	expect(readText((await visitor.visit('/myaccount/nominee')).html)).toContain('Total 100 % ')
	expect(await addTo(['33.33', '33.33'])).toMatch(/Total 66\.66 % ?: 33\.34 % is still to be shared out/)
	expect(await addTo(['60', '50'])).toMatch(/Total 110 % ?: 10 % too much/)
	expect(await addTo(['', 'half'])).not.toContain('Total ')
})
