import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { instance } from '@viz-js/viz'

/*
 * Draws docs/pictures/NAME.dot as SVG, once for light and once for dark pages. Graphviz runs as WebAssembly, so no browser and no other
 * program is needed.
 */

const PALETTES = {
	light: { TEXT: '#1a1f28', MUTED: '#566070', LINE: '#8b95a7', BOX: '#f5f7fb', ACCENT: '#dfe9ff' },
	dark: { TEXT: '#e6e9ef', MUTED: '#a9b0bd', LINE: '#6d7789', BOX: '#1d232e', ACCENT: '#24365c' },
} as const

/** Returns the SVG of a picture in one palette. Its text stays text. */
export async function drawPicture(dot: string, palette: keyof typeof PALETTES): Promise<string> {
	const coloured = Object.entries(PALETTES[palette]).reduce(
		(text, [name, colour]) => text.replaceAll(new RegExp(`=${name}\\b`, 'g'), `="${colour}"`),
		dot,
	)
	const svg = (await instance()).renderString(coloured, { format: 'svg' })
	return svg.slice(svg.indexOf('<svg'))
}

const [name] = process.argv.slice(2)
if (name && import.meta.url === `file://${process.argv[1]}`) {
	const folder = 'docs/pictures'
	mkdirSync(folder, { recursive: true })
	const dot = readFileSync(`${folder}/${name}.dot`, 'utf8')
	for (const palette of ['light', 'dark'] as const) writeFileSync(`${folder}/${name}-${palette}.svg`, await drawPicture(dot, palette))
}
