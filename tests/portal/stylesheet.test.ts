import { expect, test } from 'vitest'
import { openPortalForFile, Visitor } from '#tests/support/portal'
import { findAttribute, parsePage } from '#tests/support/readers'

/* The first page of a browser contains the stylesheet. Later pages link the file that the first page told the browser to load. */

const open = openPortalForFile()

const readStyle = (html: string) => parsePage(html).querySelector('style')?.text ?? ''
const readFileAddress = (html: string, rel: 'prefetch' | 'stylesheet') => findAttribute(html, `link[rel="${rel}"][as="style"]`, 'href')

test('the first page of a browser contains the stylesheet, and all pages link its file', async () => {
	const person = new Visitor(open.portal)
	const first = await (await person.send('/login')).text()
	expect(readStyle(first).length).toBeGreaterThan(20_000)
	const address = readFileAddress(first, 'prefetch')
	expect(address).toMatch(/^\/assets\/.+\.css$/)

	expect((await person.login()).status).toBe(303)
	const next = await person.send('/dashboard')
	const page = await next.text()
	expect(readStyle(page)).toBe('')
	expect(readFileAddress(page, 'stylesheet')).toBe(address)
	expect(next.headers.getSetCookie().join()).not.toContain('stylesheet')

	const file = await person.send(address)
	expect(file.headers.get('cache-control')).toMatch(/max-age=31536000, immutable/)
	expect(file.headers.get('content-type')).toContain('text/css')
	expect((await file.text()).length).toBeGreaterThan(20_000)
})

test('a page contains the stylesheet again after an upgrade, and with a forged cookie', async () => {
	for (const name of ['app-older.css', 'https://elsewhere.test/x.css', "'}</style><script>", '']) {
		const person = new Visitor(open.portal)
		person.cookies.set('__Host-stylesheet', encodeURIComponent(name))
		const answer = await person.send('/login')
		const page = await answer.text()
		expect(readStyle(page).length, name).toBeGreaterThan(20_000)
		expect(page).not.toContain('elsewhere.test')
		expect(answer.headers.getSetCookie().join(), name).toMatch(/__Host-stylesheet=[\w.-]+\.css;/)
	}
})
