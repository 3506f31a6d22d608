import { type Report } from './declaration'

/** An amount, price or number of units as a cell shows it or as a client types it: `30,579.36`, `30579.36 Cr`, `−₹ 12.00`, `750`. */
const FIGURE = /^[+−-]?\s*(?:₹\s*)?([\d,]+(?:\.\d+)?)(?:\s*[cd]r)?$/i

/**
 * Returns whether a row has the searched words, or a figure equal to the searched one in a column that shows figures. Without its paise a
 * figure finds every amount of these rupees. The figures of a row are made only when a figure is searched and the words do not match.
 */
export function createSearch<Row>({ words, columns }: Pick<Report<Row>, 'words' | 'columns'>, searched: string): (row: Row) => boolean {
	const text = searched.toLowerCase()
	const typed = FIGURE.exec(searched)?.[1]?.replaceAll(',', '')
	const wanted = Number(typed ?? 0)
	if (wanted === 0) return (row) => words(row).toLowerCase().includes(text)
	const isWhole = !typed?.includes('.')
	const figures = columns.filter(({ align }) => align === 'right')
	const equals = (plain: string) => {
		const value = Math.abs(Number(plain))
		return (isWhole ? Math.trunc(value) : value) === wanted
	}
	return (row) => words(row).toLowerCase().includes(text) || figures.some(({ plain }) => equals(plain(row)))
}
