/* Contrast of colours such as #1a5fb4, as WCAG 2.2 defines it. */

/**
 * The backgrounds on which links stand, in sRGB: pages and cards (base-200 and base-100 of app.css), and the tinted one that is nearest
 * to an accent: a row with a difference in the light palette, the banner of a warning in the dark one.
 */
export const BACKGROUNDS = { light: ['#f8fafc', '#ffffff', '#f0eae3'], dark: ['#0c0f15', '#15181f', '#382f20'] } as const
export type Palette = keyof typeof BACKGROUNDS

/** The share of the accent in the background of the current menu entry. */
const TINT = 0.09
/** The contrast that text needs (WCAG 1.4.3). */
const ENOUGH = 4.5

const readChannels = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)

function findLuminance(channels: readonly number[]): number {
	const [red = 0, green = 0, blue = 0] = channels.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function findContrast(one: readonly number[], other: readonly number[]): number {
	const [darker = 0, lighter = 0] = [findLuminance(one), findLuminance(other)].sort((a, b) => a - b)
	return (lighter + 0.05) / (darker + 0.05)
}

/** True when text of this colour can be read on pages, on cards, and where either is tinted with it. */
export function isReadable(colour: string, palette: Palette): boolean {
	const accent = readChannels(colour)
	return BACKGROUNDS[palette].map(readChannels).every((plain) => {
		const tinted = plain.map((value, at) => value * (1 - TINT) + (accent[at] ?? 0) * TINT)
		return Math.min(findContrast(accent, plain), findContrast(accent, tinted)) >= ENOUGH
	})
}

/** Returns black or white, whichever is easier to read on this colour. */
export function chooseInk(colour: string): '#000' | '#fff' {
	const background = readChannels(colour)
	return findContrast(background, [0, 0, 0]) > findContrast(background, [1, 1, 1]) ? '#000' : '#fff'
}
