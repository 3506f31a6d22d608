import { expect, test } from 'vitest'
import { openPortalForFile, Visitor } from '#tests/support/portal'
import { findAttribute, parsePage } from '#tests/support/readers'

/*
 * The first page of a browser contains the rules that it uses, and links the file of all rules at its end. Later pages link the file in
 * the head.
 */

const open = openPortalForFile()

const readStyle = (html: string) => parsePage(html).querySelector('style')?.text ?? ''
const readHeadFile = (html: string, rel: 'dns-prefetch' | 'stylesheet') =>
	findAttribute(html, `head link[rel="${rel}"][as="style"]`, 'href')
const listFonts = (html: string) => {
	const count = (rel: string) => parsePage(html).querySelectorAll(`head link[rel="${rel}"][as="font"]`).length
	return { declared: readStyle(html).split('@font-face').length - 1, preloaded: count('preload'), prefetched: count('prefetch') }
}
const countEndFiles = (html: string) => parsePage(html).querySelectorAll('body > link[rel="stylesheet"]').length

test('the first page of a browser contains the rules that it uses, and all pages link the file of all rules', async () => {
	const person = new Visitor(open.portal)
	const first = await (await person.send('/login')).text()
	const address = readHeadFile(first, 'dns-prefetch')
	expect(address).toMatch(/^\/assets\/.+\.css$/)
	expect(findAttribute(first, 'body > link[rel="stylesheet"]:last-child', 'href')).toBe(address)

	expect((await person.login()).status).toBe(303)
	const next = await person.send('/dashboard')
	const page = await next.text()
	expect(readHeadFile(page, 'stylesheet')).toBe(address)
	expect(countEndFiles(page)).toBe(0)
	expect(next.headers.getSetCookie().join()).not.toContain('stylesheet')

	const file = await person.send(address)
	expect(file.headers.get('cache-control')).toMatch(/max-age=31536000, immutable/)
	expect(file.headers.get('content-type')).toContain('text/css')
	const rules = await file.text()
	// The login page has a button and no table of a report.
	for (const name of ['.btn{', '.report{']) expect(rules).toContain(name)
	expect(readStyle(first)).toContain('.btn{')
	expect(readStyle(first)).not.toContain('.report{')
	// The fonts stand in the pages and not in the file: a browser that reads them twice changes the font of a drawn page.
	for (const html of [first, page]) expect(listFonts(html)).toEqual({ declared: 4, preloaded: 4, prefetched: 0 })
	expect(readStyle(page)).not.toContain('.btn')
	expect(rules).not.toContain('@font-face')
})

test('the first page of a browser whose client is signed in only fetches the fonts for the next page', async () => {
	const person = new Visitor(open.portal)
	await person.login()
	person.cookies.delete('__Host-stylesheet')
	const first = await (await person.send('/dashboard')).text()
	expect(readStyle(first)).toContain('.btn{')
	expect(listFonts(first)).toEqual({ declared: 0, preloaded: 0, prefetched: 4 })
	expect(listFonts(await (await person.send('/dashboard')).text())).toEqual({ declared: 4, preloaded: 4, prefetched: 0 })
})

test('a page contains its rules again after an upgrade, and with a forged cookie', async () => {
	for (const name of ['app-older.css', 'https://elsewhere.test/x.css', "'}</style><script>", '']) {
		const person = new Visitor(open.portal)
		person.cookies.set('__Host-stylesheet', encodeURIComponent(name))
		const answer = await person.send('/login')
		const page = await answer.text()
		expect(readStyle(page), name).toContain('.btn{')
		expect(countEndFiles(page), name).toBe(1)
		expect(page).not.toContain('elsewhere.test')
		expect(answer.headers.getSetCookie().join(), name).toMatch(/__Host-stylesheet=[\w.-]+\.css;/)
	}
})
