import { readFileSync } from 'node:fs'
import axe from 'axe-core'
import { expect, test } from 'vitest'
import { BACKGROUNDS, chooseInk, isReadable } from './palette-contrast'

type Colour = { parseString: (css: string) => void; toHexString: () => string }
// Not in the package's types.
const { Color } = (axe.commons as unknown as { color: { Color: new () => Colour } }).color

test('the backgrounds are those of the stylesheet', () => {
	const css = readFileSync('app/app.css', 'utf8')
	for (const [palette, [page, card]] of Object.entries(BACKGROUNDS)) {
		const theme = css.split("@plugin 'daisyui/theme'").find((part) => part.includes(`name: '${palette}'`)) ?? ''
		const read = (name: string) => {
			const colour = new Color()
			colour.parseString(new RegExp(`--color-${name}: ([^;]+);`).exec(theme)?.[1] ?? '')
			return colour.toHexString()
		}
		expect([palette, read('base-200'), read('base-100')]).toEqual([palette, page, card])
	}
})

// On white (luminance 1) the contrast of #b3261e is 1.05 / (0.1110 + 0.05) = 6.52. White on white has 1.
test.for([
	['#b3261e', 'light', true],
	['#1a5fb4', 'light', true],
	// 4.54 on a white card, but 4.34 on the page.
	['#767676', 'light', false],
	// 4.60 on a white card and 4.40 on the page.
	['#1976d2', 'light', false],
	['#ffcc00', 'light', false],
	['#ffffff', 'light', false],
	['#ffb4ab', 'dark', true],
	['#b3261e', 'dark', false],
	// 5.1 on a dark card and 3.8 on the banner of a warning.
	['#8a8a8a', 'dark', false],
	['#000000', 'dark', false],
] as const)('%s in the %s palette can be read: %s', ([colour, palette, is]) => {
	expect(isReadable(colour, palette)).toBe(is)
})

test.for([
	['#b3261e', '#fff'],
	['#ffb4ab', '#000'],
	['#000000', '#fff'],
	['#ffffff', '#000'],
	// Luminance 0.1791, where black and white are equal, lies between these two greys.
	['#757575', '#fff'],
	['#767676', '#000'],
] as const)('the text on %s is %s', ([colour, ink]) => {
	expect(chooseInk(colour)).toBe(ink)
})
