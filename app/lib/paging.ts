/** A reader takes in fewer rows at a glance: such a table has no search and no count. */
export const FEW_ROWS = 10

/** The position of a page in the rows of a table. The addresses are set where such a page exists. */
export type Paging = {
	from: number
	to: number
	total: number
	page: number
	pages: number
	first?: string
	previous?: string
	next?: string
	last?: string
}
