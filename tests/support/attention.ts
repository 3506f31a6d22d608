import { expect } from 'vitest'
import { readText } from './account'
import { type Visitor } from './portal'
import { parsePage } from './readers'

/** The text of the dashboard when the attention list is empty. */
export const NOTHING = 'Nothing needs your attention.'

type Line = { state: string; words: string; href: string }

/** The list as shown on the dashboard: the urgency, the text and the link of each. */
export async function readAttention(visitor: Visitor): Promise<Line[]> {
	const { html } = await visitor.visit('/dashboard')
	const list = parsePage(html).querySelector('ul.attention')
	if (!list) {
		// A new client has first steps to do, so the text is not shown.
		if (!readText(html).includes('First steps')) expect(readText(html)).toContain(NOTHING)
		return []
	}
	return list.querySelectorAll('li').map((line) => ({
		state: readText(line.querySelector('p') ?? ''),
		words: readText(line.querySelector('.what') ?? ''),
		href: line.querySelector('a')?.getAttribute('href') ?? '',
	}))
}
