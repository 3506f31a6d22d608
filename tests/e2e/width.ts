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
