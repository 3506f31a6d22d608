import { type Page } from '@playwright/test'

/** Text of a page that is too small to read on a phone, fields that make a phone zoom, and targets that are too small to press. */
export async function findSmall(page: Page): Promise<string[]> {
	for (const filters of await page.getByRole('checkbox', { name: 'Filters' }).all()) await filters.check({ force: true })
	return await page.locator('main').evaluate((main) => {
		const list = (selector: string) => [...main.querySelectorAll<HTMLElement>(selector)].filter((shown) => shown.checkVisibility())
		const readSize = (shown: Element) => parseFloat(getComputedStyle(shown).fontSize)
		// The total of the debits is above the table, so the text of its cell has 0 px and is not shown.
		const small = list('td, th').filter((cell) => readSize(cell) > 0 && readSize(cell) < 13)
		const zooming = list('input:not([type=checkbox], [type=radio]), select').filter((field) => readSize(field) < 16)
		const low = list('a, button, :is(td, th) summary').filter((target) => target.getBoundingClientRect().height < 24)
		const narrow = list('tbody th > a').filter((target) => target.getBoundingClientRect().width < 24)
		return [...small, ...zooming, ...low, ...narrow].map(({ outerHTML }) => outerHTML.slice(0, 120))
	})
}

/** Words of a page that break inside, each over two lines or more. Only what is longer than a line may. */
export async function findBroken(page: Page): Promise<string[]> {
	return await page.locator('main').evaluate((main) => {
		const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
		const range = document.createRange()
		const broken: string[] = []
		for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null)
			for (const { index, 0: word } of text.data.matchAll(/[^\s/-]+/g)) {
				range.setStart(text, index)
				range.setEnd(text, index + word.length)
				const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)))
				if (lines.size > 1) broken.push(word)
			}
		return broken
	})
}

/** Texts of a page that lie over each other. Only what is shown counts, and no bar or total that stays over what scrolls below it. */
export async function findOverlaps(page: Page): Promise<string[]> {
	return await page.locator('main').evaluate((main) => {
		const isShown = (of: Element): boolean =>
			of.checkVisibility() &&
			!of.matches('.sticky, tfoot, svg, details:not([open]) > :not(summary)') &&
			// Text for screen readers is in a box of one pixel.
			Math.round(of.getBoundingClientRect().width) !== 1 &&
			(of === main || of.parentElement === null || isShown(of.parentElement))
		const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
		const range = document.createRange()
		const lines: { text: Text; box: DOMRect }[] = []
		for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null) {
			if (!text.parentElement || text.parentElement.matches('details:not([open])') || !isShown(text.parentElement)) continue
			range.selectNodeContents(text)
			const parent = text.parentElement
			const ends = ['[class*=line-clamp]', '.scroll'].map((box) => parent.closest(box)?.getBoundingClientRect().bottom ?? Infinity)
			for (const box of range.getClientRects()) if (box.bottom <= Math.min(...ends) + 4) lines.push({ text, box })
		}
		const doOverlap = (one: DOMRect, other: DOMRect) =>
			one.right > other.left + 1 && one.left < other.right - 1 && one.bottom > other.top + 4 && one.top < other.bottom - 4
		return lines.flatMap((one, at) =>
			lines
				.slice(at + 1)
				.filter((other) => other.text.parentElement !== one.text.parentElement && doOverlap(one.box, other.box))
				.map((other) => `${one.text.data} × ${other.text.data}`),
		)
	})
}

/** Cells of tables whose text covers text of the cell behind them, in the same row. */
export async function findCovering(page: Page): Promise<string[]> {
	return await page.locator('main').evaluate((main) => {
		const range = document.createRange()
		const listLines = (cell: Element) => {
			const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
			const lines: DOMRect[] = []
			while (texts.nextNode()) {
				if (!texts.currentNode.parentElement?.checkVisibility() || texts.currentNode.parentElement.closest('.sr-only')) continue
				range.selectNodeContents(texts.currentNode)
				lines.push(...range.getClientRects())
			}
			return lines
		}
		const doCover = (one: DOMRect, other: DOMRect) =>
			one.right > other.left + 1 && one.left < other.right - 1 && one.bottom > other.top + 2 && one.top < other.bottom - 2
		return [...main.querySelectorAll('tr')].flatMap((row) => {
			const cells = [...row.children].map((cell) => ({ cell, lines: listLines(cell) })).filter(({ lines }) => lines.length > 0)
			return cells
				.filter(({ lines }, at) => lines.some((line) => cells[at + 1]?.lines.some((next) => doCover(line, next))))
				.map(({ cell }) => cell.textContent?.trim() ?? '')
		})
	})
}
