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

/** The tables that are wider than the boxes in which they scroll: `Holding: 754 in 734`. */
export async function findCutTables(page: Page): Promise<string[]> {
	await page.evaluate(() => document.fonts.ready)
	return page.evaluate(() =>
		[...document.querySelectorAll('table')].flatMap((table) => {
			const box = table.closest('[role=region]') ?? table
			const isCut = table.checkVisibility() && box.scrollWidth > box.clientWidth
			return isCut ? [`${table.caption?.innerText}: ${box.scrollWidth} in ${box.clientWidth}`] : []
		}),
	)
}
