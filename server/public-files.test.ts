import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { checkLogo, PUBLIC_FILES, servePublicFiles } from './public-files'

const folder = mkdtempSync(path.join(os.tmpdir(), 'khata-public-'))
mkdirSync(path.join(folder, 'brand/2026'), { recursive: true })
const TYPES = {
	'/logo.jpg': 'image/jpeg',
	'/logo.jpeg': 'image/jpeg',
	'/brand/logo.webp': 'image/webp',
	'/brand/2026/our-logo.v2.gif': 'image/gif',
	'/brand/logo.avif': 'image/avif',
	'/logo.svg': 'image/svg+xml; charset=utf-8',
}
for (const file of Object.keys(TYPES)) writeFileSync(path.join(folder, file), 'picture')
writeFileSync(path.join(folder, 'notes.md'), 'ours')

const portal = new Hono().use(PUBLIC_FILES, servePublicFiles(path.relative('.', folder))).all('*', (c) => c.text('a page', 404))

test.each(Object.entries(TYPES))('%s is served as %s and kept for an hour, and may be the logo', async (file, type) => {
	const answer = await portal.request(file)
	expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
		200,
		type,
		'public, max-age=3600',
	])
	expect(await answer.text()).toBe('picture')
	await expect(checkLogo(`${file}?v=2`, folder)).resolves.toBeUndefined()
})

test.each(['/logo.png', '/brand/logo.jpg', '/brand', '/notes.md', '/brand/../logo.jpg', '/brand//logo.webp'])(
	'%s is a page of the portal, without a time to keep it, and no logo',
	async (file) => {
		// A browser would shorten `..` before it asks.
		const answer = await portal.request(new Request(`http://portal.test${file.replace('..', '%2e%2e%2f')}`))
		expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, null])
		await expect(checkLogo(file, folder)).rejects.toThrow('BRAND_LOGO: there is no picture at this path')
	},
)

test('a logo at another address is not looked for', async () => {
	await expect(checkLogo('https://pictures.broker.test/logo.png', folder)).resolves.toBeUndefined()
	await expect(checkLogo(undefined, folder)).resolves.toBeUndefined()
})
