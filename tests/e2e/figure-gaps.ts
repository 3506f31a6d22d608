import { type Page } from '@playwright/test'

/** Returns the figures that stand less than 14 px behind a line of the cell before them, so that both may look like one. */
export function findTouching(page: Page, title: string): Promise<string[]> {
	return page.getByRole('region', { name: `Table: ${title}` }).evaluate((frame) => {
		const range = document.createRange()
		const listLines = (cell: Element) => {
			const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
			const lines: DOMRect[] = []
			while (texts.nextNode()) {
				range.selectNodeContents(texts.currentNode)
				lines.push(...range.getClientRects())
			}
			return lines
		}
		const cells = [...frame.querySelectorAll('tbody tr, tfoot tr')].flatMap((row) =>
			[...row.children].filter((cell) => cell.getClientRects().length > 0 && cell.textContent?.trim()),
		)
		return cells
			.filter((cell, at) => {
				const before = cells[at - 1]
				if (before?.parentElement !== cell.parentElement || before?.tagName !== 'TD' || !cell.classList.contains('figure')) return false
				return listLines(cell).some((figure) =>
					listLines(before).some((line) => line.bottom > figure.top && line.top < figure.bottom && figure.left - line.right < 14),
				)
			})
			.map((cell) => `${cell.parentElement?.children[0]?.textContent}: ${cell.textContent}`)
	})
}
