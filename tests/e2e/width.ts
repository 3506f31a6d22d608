import { type Page } from '@playwright/test'

/** The elements that make the page scroll sideways; elements inside a scrolling box do not count. */
export function tooWide(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const { clientWidth, scrollWidth } = document.documentElement
		if (scrollWidth <= clientWidth) return []
		const isBoxed = (element: Element | null): boolean =>
			element !== null &&
			element !== document.body &&
			(['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(element).overflowX) || isBoxed(element.parentElement))
		const culprits = [...document.body.querySelectorAll('*')].filter(
			(element) => element.getBoundingClientRect().right > clientWidth + 1 && !isBoxed(element.parentElement),
		)
		return [
			`${scrollWidth} > ${clientWidth}`,
			...culprits.slice(0, 5).map((element) => `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`),
		]
	})
}

/** How many tables are visible, and those that are wider than the boxes around them: `Holding: 754 in 734`. */
export async function findCutTables(page: Page): Promise<{ count: number; cut: string[] }> {
	await page.evaluate(() => document.fonts.ready)
	return page.evaluate(() => {
		const tables = [...document.querySelectorAll('table')].filter((table) => table.checkVisibility())
		const cut = tables.flatMap((table) => {
			const box = table.closest('[role=region]') ?? table.parentElement ?? table
			return box.scrollWidth > box.clientWidth ? [`${table.caption?.innerText}: ${box.scrollWidth} in ${box.clientWidth}`] : []
		})
		return { count: tables.length, cut }
	})
}
