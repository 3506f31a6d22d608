import postcss, { type ChildNode, type Container } from 'postcss'

/** A part of a stylesheet: text that every page needs, a rule with a choice of selectors, or a group such as `@media`. */
type Part = { text: string } | { choices: Choice[]; body: string } | { opening: string; parts: Part[] }
/** A selector, and the classes without which it matches no element. */
type Choice = { selector: string; classes: string[] }
export type Rules = readonly Part[]

/** Reads a stylesheet whose rules are not nested in each other, as the build writes it. */
export function readRules(stylesheet: string): Rules {
	return readParts(postcss.parse(stylesheet))
}

function readParts(container: Container<ChildNode>): Part[] {
	return (container.nodes ?? []).map((node): Part => {
		if (node.type === 'rule') {
			const choices = node.selectors.map((selector) => ({ selector, classes: findNeededClasses(selector) }))
			return { choices, body: `{${node.nodes.map(String).join(';')}}` }
		}
		const isGroup = node.type === 'atrule' && /^(layer|media|supports|container|starting-style)$/.test(node.name) && node.nodes
		return isGroup ? { opening: `@${node.name} ${node.params}{`, parts: readParts(node) } : { text: closeStatement(node) }
	})
}

const closeStatement = (node: ChildNode) => (node.type === 'atrule' && !node.nodes ? `${String(node)};` : String(node))

/** The name of a class, or something that has no name to find: an escaped character, an attribute, a bracket. */
const TOKEN = /\.((?:\\[\da-f]{1,6}\s?|\\.|[\w-])+)|\\.|\[(?:"[^"]*"|[^\]])*\]|[()]/gi

/** Leaves out classes in brackets, such as `:not(.x)` and `:is(.x, .y)`, which an element may not need. */
function findNeededClasses(selector: string): string[] {
	const found: string[] = []
	let depth = 0
	for (const [token, name] of selector.matchAll(TOKEN)) {
		if (token === '(') depth++
		else if (token === ')') depth--
		else if (name && depth === 0) found.push(unescapeName(name))
	}
	return found
}

const unescapeName = (name: string) =>
	name.replaceAll(/\\(?:([\da-f]{1,6})\s?|(.))/gi, (_, code: string | undefined, character: string) =>
		code ? String.fromCodePoint(Number.parseInt(code, 16)) : character,
	)

/** Returns the rules that can match elements of a page of React, in their order. */
export function takeUsedRules(rules: Rules, html: string): string {
	const used = new Set<string>()
	for (const [, names = ''] of html.matchAll(/ class="([^"]*)"/g)) for (const name of names.split(' ')) used.add(readEntities(name))
	return writeParts(rules, used)
}

/** The characters that React escapes. */
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" }
const readEntities = (name: string) => name.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity)

function writeParts(parts: readonly Part[], used: ReadonlySet<string>): string {
	let written = ''
	for (const part of parts) {
		if ('text' in part) written += part.text
		else if ('parts' in part) {
			const inside = writeParts(part.parts, used)
			// The order of layers is the order in which they first stand.
			if (inside || part.opening.startsWith('@layer')) written += `${part.opening}${inside}}`
		} else {
			const matching = part.choices.filter(({ classes }) => classes.every((name) => used.has(name)))
			if (matching.length > 0) written += matching.map(({ selector }) => selector).join(',') + part.body
		}
	}
	return written
}
