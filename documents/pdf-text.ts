import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type PdfDocument from 'pdfkit'
import { unpackWoff } from './woff'

/*
 * pdfkit lays out every string again (kerning, features, wrapping). For a long ledger this takes minutes, in which the sandbox is
 * blocked. Here each character is laid out once per document; a line of text is then one lookup per character. pdfkit also reads its
 * fonts again for every document; here each font is read once, and later documents reuse it.
 */

const resolve = createRequire(import.meta.url).resolve

/** Latin and latin-ext are separate files; ₹ is in the second. Poppins has no tabular digits, Figtree has. */
const FACES = {
	text: ['poppins', 400],
	strong: ['poppins', 600],
	figure: ['figtree', 400],
	strongFigure: ['figtree', 600],
} as const
export type Face = keyof typeof FACES

/**
 * The parts of pdfkit's embedded font that are used here. `encode` returns the glyphs of a text by their numbers in the file, and their
 * widths.
 */
type ReadFont = { hasGlyphForCodePoint(code: number): boolean }
type EmbeddedFont = {
	id: string
	encode(text: string, features: string[]): [string[], { advanceWidth: number }[]]
	ref(): unknown
	/** The characters of each glyph, by the glyph's number in the file. Without them a text can be seen but not copied. */
	unicode: number[][]
	font: ReadFont
}

/**
 * The font that was last set on a document. pdfkit has no public way to read it, so its properties are checked. Throws a TypeError when
 * pdfkit has changed them.
 */
function readChosenFont(doc: InstanceType<typeof PdfDocument>): EmbeddedFont {
	const font: unknown = Reflect.get(doc, '_font')
	if (!isEmbedded(font)) throw new TypeError('This version of pdfkit keeps its font in another way')
	return font
}

function isEmbedded(font: unknown): font is EmbeddedFont {
	const has = (name: keyof EmbeddedFont, type: string) =>
		typeof font === 'object' && font !== null && typeof Reflect.get(font, name) === type
	return has('id', 'string') && has('encode', 'function') && has('ref', 'function') && has('unicode', 'object') && has('font', 'object')
}

type Glyph = { font: EmbeddedFont; hex: string; width: number }

/** Text set glyph by glyph on the pages of one document. Coordinates are points from the top left. */
export type TextWriter = {
	measureWidth(text: string, face: Face, size: number): number
	/** Writes one line whose baseline is `y`; right-aligned text ends at `x`. */
	write(text: string, x: number, y: number, options: { face: Face; size: number; align?: 'left' | 'right'; gray?: number }): void
	/** The text cut to a width, with an ellipsis when something is missing. */
	fit(text: string, width: number, face: Face, size: number): string
	/** The text in lines of at most this width, broken between words. A word that is longer than a line is broken inside. */
	wrap(text: string, width: number, face: Face, size: number): string[]
	rule(x: number, y: number, width: number, gray: number): void
}

const readFonts = new Map<string, ReadFont>()

/** Sets a font file on a document: the font read before, or else the bytes of the file. */
function embed(doc: InstanceType<typeof PdfDocument>, file: string): EmbeddedFont {
	const known = readFonts.get(file) ?? unpackWoff(readFileSync(resolve(file)))
	// pdfkit also accepts a font that it has read, but its types allow only bytes.
	doc.font(known as Buffer)
	const font = readChosenFont(doc)
	readFonts.set(file, font.font)
	return font
}

/** The glyphs of one document, each read once. */
function createGlyphs(doc: InstanceType<typeof PdfDocument>) {
	const fonts = new Map<Face, EmbeddedFont[]>()
	const glyphs: Record<Face, Map<string, Glyph>> = { text: new Map(), strong: new Map(), figure: new Map(), strongFigure: new Map() }

	function loadFonts(face: Face): EmbeddedFont[] {
		let found = fonts.get(face)
		if (found === undefined) {
			const [family, weight] = FACES[face]
			found = ['latin', 'latin-ext'].map((subset) => embed(doc, `@fontsource/${family}/files/${family}-${subset}-${weight}-normal.woff`))
			fonts.set(face, found)
		}
		return found
	}

	function findGlyph(character: string, face: Face): Glyph {
		let glyph = glyphs[face].get(character)
		if (glyph === undefined) {
			const code = character.codePointAt(0) ?? 0
			const font = loadFonts(face).find((each) => each.font.hasGlyphForCodePoint(code))
			if (font === undefined) return findGlyph(simplify(character), face)
			const [[hex = '0000'], [position]] = font.encode(character, ['tnum'])
			// A shared font keeps the characters that an earlier document stored for a glyph: a part of é, or none.
			const meanings = [...glyphs[face].values()].filter((each) => each.font === font).map((each) => each.hex)
			if (!meanings.includes(hex)) font.unicode[Number.parseInt(hex, 16)] = [code]
			glyph = { font, hex, width: position?.advanceWidth ?? 0 }
			glyphs[face].set(character, glyph)
		}
		return glyph
	}
	return findGlyph
}

/** A letter without its marks (ṇ is n), or ? for one of another script: the fonts of a document are Latin only (decision 026). */
function simplify(character: string): string {
	const [letter = '?'] = character.normalize('NFD')
	return letter === character ? '?' : letter
}

/** Width of a text in points. */
type Measure = (text: string) => number

function fitText(text: string, width: number, measure: Measure): string {
	if (measure(text) <= width) return text
	let fitting = ''
	for (const character of text) {
		if (measure(`${fitting}${character}…`) > width) break
		fitting += character
	}
	return `${fitting.trimEnd()}…`
}

function wrapText(text: string, width: number, measure: Measure): string[] {
	const lines: string[] = []
	let line = ''
	for (const word of text.split(' ')) {
		const longer = line === '' ? word : `${line} ${word}`
		if (measure(longer) <= width) {
			line = longer
			continue
		}
		if (line !== '') lines.push(line)
		line = ''
		for (const character of word) {
			if (line !== '' && measure(line + character) > width) {
				lines.push(line)
				line = ''
			}
			line += character
		}
	}
	return [...lines, line]
}

export function createTextWriter(doc: InstanceType<typeof PdfDocument>): TextWriter {
	const findGlyph = createGlyphs(doc)

	function measureWidth(text: string, face: Face, size: number): number {
		let width = 0
		for (const character of text) width += findGlyph(character, face).width
		return (width * size) / 1000
	}

	return {
		measureWidth,
		write(text, x, y, { face, size, align = 'left', gray = 0.13 }) {
			let runs = ''
			let hex = ''
			let font: EmbeddedFont | undefined
			const endRun = () => {
				if (font && hex !== '') runs += `/${font.id} ${size} Tf <${hex}> Tj `
				hex = ''
			}
			for (const character of text) {
				const glyph = findGlyph(character, face)
				if (glyph.font !== font) {
					endRun()
					font = glyph.font
					const used = doc.page.fonts as Record<string, unknown>
					used[font.id] ??= font.ref()
				}
				hex += glyph.hex
			}
			endRun()
			const left = align === 'right' ? x - measureWidth(text, face, size) : x
			// pdfkit turns the page so that `y` counts from the top. This matrix turns the text upright again.
			doc.addContent(`BT ${gray} g 1 0 0 -1 ${left.toFixed(2)} ${y.toFixed(2)} Tm ${runs}ET`)
		},
		fit: (text, width, face, size) => fitText(text, width, (part) => measureWidth(part, face, size)),
		wrap: (text, width, face, size) => wrapText(text, width, (part) => measureWidth(part, face, size)),
		rule(x, y, width, gray) {
			doc.addContent(`${gray} g ${x.toFixed(2)} ${y.toFixed(2)} ${width.toFixed(2)} 0.6 re f`)
		},
	}
}
