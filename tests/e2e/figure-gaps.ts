import { type Page } from '@playwright/test'

/** Returns the figures that stand less than 14 px behind the text of the cell before them, so that both may look like one. */
export function findTouching(page: Page, title: string): Promise<string[]> {
	return page.getByRole('region', { name: `Table: ${title}` }).evaluate((frame) => {
		const range = document.createRange()
		const boxes = [...frame.querySelectorAll('tbody tr, tfoot tr')].flatMap((row) => {
			const cells = [...row.children].filter((cell) => cell.getClientRects().length > 0 && cell.textContent?.trim())
			return cells.map((cell) => {
				range.selectNodeContents(cell)
				return { cell, row, box: range.getBoundingClientRect() }
			})
		})
		return boxes
			.filter(({ cell, row, box }, at) => {
				const before = boxes[at - 1]
				const isBeside = before?.row === row && before.box.bottom > box.top && before.box.top < box.bottom
				return isBeside && before.cell.tagName === 'TD' && cell.classList.contains('figure') && box.left - before.box.right < 14
			})
			.map(({ cell, row }) => `${row.children[0]?.textContent}: ${cell.textContent}`)
	})
}
