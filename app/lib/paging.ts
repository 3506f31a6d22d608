/** Where in the rows of a table a page of it is. The addresses are there where there is such a page. */
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
