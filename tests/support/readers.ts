import { HTMLElement, type Node, parse, TextNode } from 'node-html-parser'
import { type Paise, toPaise } from '#contract/values/money'

/*
 * How the tests read the portal: pages, tables, CSV and figures. One reader for each, so that tests compare a figure on a page and in a
 * file as amounts, not as strings.
 */

/** Parsed pages. A test reads a page several times (its token, a table, its text), and parsing was 5 % of the time of all tests. */
const lastParsed = { html: '', page: parse('') }

/** A parsed page, whose elements are found by CSS selectors. Do not change it: the next reader of the same page gets the same object. */
export function parsePage(html: string): HTMLElement {
	if (lastParsed.html !== html) Object.assign(lastParsed, { html, page: parse(html.replace(/^<!doctype html>/i, '')) })
	return lastParsed.page
}

/** The visible text of a page or of a part of it: no tags, no scripts, one space between elements. */
export function readText(page: string | HTMLElement): string {
	const words: string[] = []
	const read = (node: HTMLElement | Node) => {
		// React separates the texts of a sentence by comments, which the parser leaves out.
		if (node instanceof TextNode) words.push(node.text)
		if (!(node instanceof HTMLElement) || /^(script|style|wbr)$/i.test(node.rawTagName ?? '')) return
		words.push(' ')
		node.childNodes.forEach(read)
		words.push(' ')
	}
	read(typeof page === 'string' ? parsePage(page) : page)
	return words.join('').replace(/\s+/g, ' ').trim()
}

/** The attribute's value of the first element that has it; empty when there is none. */
export const findAttribute = (html: string, selector: string, name: string): string =>
	parsePage(html)
		.querySelectorAll(selector)
		.find((element) => element.hasAttribute(name))
		?.getAttribute(name) ?? ''

/** The texts of all elements that the selector finds, in the order of the page. */
export const readAll = (html: string, selector: string): string[] =>
	parsePage(html)
		.querySelectorAll(selector)
		.map((element) => readText(element))

/** The attribute's decoded values of all elements that the selector finds and that have it. */
export const listAttributes = (html: string, selector: string, name: string): string[] =>
	parsePage(html)
		.querySelectorAll(selector)
		.flatMap((element) => element.getAttribute(name) ?? [])

/** The radio buttons of a question, as a screen reader names and describes them. */
export function listRadios(page: HTMLElement, name: string): [label: string, description: string][] {
	const readAt = (selector: string) => readText(page.querySelector(selector) ?? '')
	return page
		.querySelectorAll(`input[type=radio][name="${name}"]`)
		.map(({ attributes }) => [readAt(`label[for="${attributes.id}"]`), readAt(`[id="${attributes['aria-describedby']}"]`)])
}

/** The page's heading. Throws unless there is exactly one. */
export function readHeading(html: string): string {
	const headings = readAll(html, 'h1')
	if (headings.length !== 1) throw new Error(`There are ${headings.length} headings: ${headings.join(', ')}`)
	return headings.join()
}

/** The document's title, which the tab shows and a screen reader reads first. Empty when there is none. */
export const readTitle = (html: string): string => readText(parsePage(html).querySelector('head > title') ?? '')

/** The value of the first field of that name; empty when it has none. */
export const hidden = (html: string, name: string): string => findAttribute(html, `[name="${name}"]`, 'value')

/** The first option of a select field that has a value; empty when there is none. */
export const firstOption = (html: string, field: string): string =>
	findAttribute(html, `select[name="${field}"] option:not([value=""])`, 'value')

/** The address of the first link that begins with this text; empty when there is none. */
export const firstLink = (html: string, start: string): string => findAttribute(html, `a[href^="${start}"]`, 'href')

/** The hidden fields of every idempotent form: CSRF token, one-time key, and the answers of a page that only shows them. */
export function readKeys(html: string) {
	const asked = hidden(html, 'asked')
	return { csrf: hidden(html, 'csrf'), idempotency_key: hidden(html, 'idempotency_key'), ...(asked && { asked }) }
}

/** Heads without their unit, as in a CSV: `Debit`, not `Debit (₹)`. */
const withoutUnit = (head: string) => head.replace(/ \(₹\)$/, '')

export type ReadTable = { head: string[]; rows: string[][]; foot: string[] }

/** The table with this caption. Throws when it is missing, so that no test passes without rows. */
export function readTable(html: string, caption: string): ReadTable {
	const table = parsePage(html)
		.querySelectorAll('table')
		.find((each) => readText(each.querySelector('caption') ?? '') === caption)
	if (!table) throw new Error(`There is no table ${caption}`)
	const rowsIn = (part: string) =>
		table.querySelectorAll(`${part} > tr`).map((row) => row.querySelectorAll('> th, > td').map((cell) => readText(cell)))
	return { head: (rowsIn('thead')[0] ?? []).map(withoutUnit), rows: rowsIn('tbody'), foot: rowsIn('tfoot').at(-1) ?? [] }
}

/** The name under which a browser saves a file. */
export const readFileName = (file: Response): string | undefined =>
	/filename="([^"]+)"/.exec(file.headers.get('content-disposition') ?? '')?.[1]

/** The rows of a CSV; the first row is the heads. */
export function readCsv(csv: string): string[][] {
	const text = csv.replace(/^\uFEFF/, '')
	const rows: string[][] = [[]]
	for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
		rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
		if (end === '') break
		if (end !== ',') rows.push([])
	}
	// A file ends with a line break.
	return rows.filter((row) => row.length > 1 || row[0] !== '')
}

/**
 * A figure in paise, however it is written: `₹ 4,41,242.14 Cr` and `+₹ 12.00` are positive, `… Dr`, `−₹ 12.00` and `-12.00` negative. A
 * dash or an empty cell gives 0.
 */
export function paiseIn(text: string | undefined): Paise {
	const figure = text?.trim()
	if (figure === '' || figure === '—') return 0
	const found = /^([+−-]?)\s*(?:₹ ?)?([\d,]+(?:\.\d+)?)(?: (Cr|Dr))?$/.exec(figure ?? '')
	if (!found) throw new Error(`${text ?? 'Nothing'} is no figure`)
	const paise = toPaise(Number(found[2]?.replaceAll(',', '')))
	return paise !== 0 && (found[3] === 'Dr' || found[1] === '−' || found[1] === '-') ? -paise : paise
}

/** The figure after a label in a page's text. The label may be a pattern. */
export function paiseAfter(text: string, label: string): Paise {
	const found = new RegExp(`${label} ?([+−]?₹ [\\d,]+\\.\\d\\d(?: (?:Cr|Dr))?)`).exec(text)
	if (!found) throw new Error(`There is no figure behind ${label}`)
	return paiseIn(found[1])
}

/** Figures of one column in paise. The first row is the heads unless they are given. */
export function readColumn(rows: readonly string[][], head: string, heads = rows[0] ?? []): Paise[] {
	const at = heads.indexOf(head)
	if (at < 0) throw new Error(`There is no column ${head} in ${heads.join(', ')}`)
	return (heads === rows[0] ? rows.slice(1) : rows).map((row) => paiseIn(row[at]))
}

export const sum = (figures: readonly number[]): number => figures.reduce((total, figure) => total + figure, 0)
