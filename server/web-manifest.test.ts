import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createWebManifest } from './web-manifest'

test('a phone installs the portal under the broker’s name, with icons that exist', () => {
	const { name, short_name, start_url, theme_color, icons } = createWebManifest({ BRAND_NAME: 'Sample Broking' })
	expect([name, short_name, start_url]).toEqual(['Sample Broking', 'Sample Broking', '/dashboard'])
	expect(theme_color).toBe('#3157a8')
	expect(icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']))
	for (const { src } of icons) expect(existsSync(`public${src}`), src).toBe(true)
})
