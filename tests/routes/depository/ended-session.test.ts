import { expect, test } from 'vitest'
import { hidden, readText } from '#tests/support/account'
import { PLEDGE, readFormRows, rowWith, VERIFY } from '#tests/support/depository'
import { openPortalForFile, signedIn } from '#tests/support/portal'

const opened = openPortalForFile()

test.for<[page: string, fields: Record<string, string>]>([
	[VERIFY, { trade_type: 'PRE' }],
	[PLEDGE, { action: 'pledge' }],
])('a session that ends before the form of %s is sent keeps its quantities for the same client', async ([page, fields]) => {
	const visitor = await signedIn(opened, 'DEMO01')
	const { isin } = await rowWith(visitor, page, 'Free')
	const { html } = await visitor.visit(page)
	opened.breakBroker(() => Response.json({ status: 'error', message: 'Token expired' }, { status: 401 }))
	const ended = await visitor.postRaw(page, { csrf: hidden(html, 'csrf'), ...fields, isin, [`qty.${isin}`]: '7' })
	opened.breakBroker(undefined)
	expect(ended.headers.get('location')).toBe(`/login?redirectTo=${encodeURIComponent(page)}`)

	const back = await visitor.login('DEMO01', 'Demo@1234', page)
	const filled = await visitor.visit(back.headers.get('location') ?? '')
	expect(readText(filled.html)).toContain('What you typed is still here; nothing was changed.')
	const row = readFormRows(filled.html).find((each) => each.isin === isin)
	expect([row?.typed, row?.isChosen]).toEqual(['7', page === VERIFY])
	expect(readText((await visitor.visit(page)).html)).not.toContain('What you typed is still here')
})
