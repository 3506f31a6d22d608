import postcss, { type ChildNode, type Container } from 'postcss'
import parseSelector, { type Node, type Selector } from 'postcss-selector-parser'

/** A part of a stylesheet: text that every page needs, a rule with a choice of selectors, or a group such as `@media`. */
type Part = Statement | { choices: Choice[]; body: Statement[] } | { opening: string; parts: Part[] }
/** A declaration, or an at-rule that is taken as a whole. `sets` is the custom property that it sets or registers. */
type Statement = { text: string; reads: string[]; sets?: string }
/** A selector, and sets of names: without all names of one set in the page it matches no element. */
type Choice = { selector: string; needs: string[][] }
export type Rules = readonly Part[]

/**
 * Reads a stylesheet whose rules are not nested in each other, as the build writes it. Leaves out what is for paper: a page that is
 * printed has the file of all rules.
 */
export function readRules(stylesheet: string): Rules {
	return readParts(postcss.parse(stylesheet))
}

function readParts(container: Container<ChildNode>): Part[] {
	return (container.nodes ?? []).flatMap((node): Part[] => {
		if (node.type === 'rule') {
			const choices = parseSelector()
				.astSync(node.selector)
				.map((selector) => ({ selector: String(selector).trim(), needs: findNeeds(selector) }))
			return [{ choices, body: node.nodes.map((each) => readStatement(String(each), each.type === 'decl' ? each.prop : '')) }]
		}
		if (node.type !== 'atrule') return [readStatement(String(node))]
		if (node.name === 'media' && node.params === 'print') return []
		if (node.nodes && /^(layer|media|supports|container|starting-style)$/.test(node.name))
			return [{ opening: `@${node.name} ${node.params}{`, parts: readParts(node) }]
		return [readStatement(node.nodes ? String(node) : `${String(node)};`, node.name === 'property' ? node.params : '')]
	})
}

function readStatement(text: string, name = ''): Statement {
	const reads = [...text.matchAll(/var\((--[\w-]+)/g)].flatMap(([, read]) => read ?? [])
	return name.startsWith('--') ? { text, reads, sets: name } : { text, reads }
}

/** These match when one of the selectors in their brackets does. Others, such as `:not(.x)`, may need none of what they name. */
const ONE_OF = /^:(is|where|has)$/
/** A person can change this attribute before the scripts run. */
const OPEN = 'open'

/** Names are written as in a selector: `.class`, `element`, `[attribute]` or `[attribute=value]`. */
function findNeeds(selector: Selector): string[][] {
	return selector.nodes.reduce<string[][]>(
		(sets, node) => {
			const choices = findChoices(node)
			return sets.flatMap((set) => choices.map((names) => [...set, ...names]))
		},
		[[]],
	)
}

function findChoices(node: Node): string[][] {
	if (node.type === 'class') return [[`.${node.value}`]]
	if (node.type === 'tag') return [[node.value.toLowerCase()]]
	if (node.type === 'attribute' && node.attribute !== OPEN)
		return [[node.operator === '=' ? `[${node.attribute}=${node.value ?? ''}]` : `[${node.attribute}]`]]
	return node.type === 'pseudo' && ONE_OF.test(node.value) ? node.nodes.flatMap(findNeeds) : [[]]
}

/** Returns the rules that can match elements of a page of React, in their order, without custom properties that none of them reads. */
export function takeUsedRules(rules: Rules, html: string): string {
	const parts = takeParts(rules, readNames(html))
	const read = new Set<string>()
	findReads(parts, read)
	return writeParts(parts, read)
}

/** The elements, classes and attributes of a page. Most cells of a table begin with equal tags, so each different tag is read once. */
function readNames(html: string): ReadonlySet<string> {
	const names = new Set<string>()
	for (const tag of new Set(html.match(/<[a-z][^>]*/gi))) {
		names.add(/\w+/.exec(tag)?.[0].toLowerCase() ?? '')
		for (const [, name = '', escaped = ''] of tag.matchAll(/ ([\w-]+)="([^"]*)"/g)) {
			// React writes `autoComplete`.
			const [attribute, value] = [name.toLowerCase(), readEntities(escaped)]
			names.add(`[${attribute}]`).add(`[${attribute}=${value}]`)
			if (attribute === 'class') for (const each of value.split(' ')) names.add(`.${each}`)
		}
	}
	return names
}

/** The characters that React escapes. */
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" }
const readEntities = (text: string) => text.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity)

function takeParts(parts: readonly Part[], names: ReadonlySet<string>): Part[] {
	return parts.flatMap((part): Part[] => {
		if ('parts' in part) {
			const inside = takeParts(part.parts, names)
			// The order of layers is the order in which they first stand.
			return inside.length > 0 || part.opening.startsWith('@layer') ? [{ ...part, parts: inside }] : []
		}
		if ('text' in part) return [part]
		const choices = part.choices.filter(({ needs }) => needs.some((set) => set.every((name) => names.has(name))))
		return choices.length > 0 ? [{ ...part, choices }] : []
	})
}

function findReads(parts: readonly Part[], read: Set<string>) {
	for (const part of parts)
		if ('parts' in part) findReads(part.parts, read)
		else for (const { reads } of 'text' in part ? [part] : part.body) for (const name of reads) read.add(name)
}

function writeParts(parts: readonly Part[], read: ReadonlySet<string>): string {
	const isUseful = ({ sets }: Statement) => sets === undefined || read.has(sets)
	let written = ''
	for (const part of parts) {
		if ('parts' in part) written += `${part.opening}${writeParts(part.parts, read)}}`
		else if ('text' in part) written += isUseful(part) ? part.text : ''
		else {
			const body = part.body.filter(isUseful)
			if (body.length > 0) written += `${part.choices.map(({ selector }) => selector).join(',')}{${body.map(({ text }) => text).join(';')}}`
		}
	}
	return written
}
