const SPECIAL = /[\\\n\r\t]/
const EVERY_SPECIAL = /[\\\n\r\t]/g
const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

type Cell = string | number | boolean | null | undefined

function writeCell(cell: Cell): string {
	if (typeof cell === 'string') return SPECIAL.test(cell) ? cell.replace(EVERY_SPECIAL, (found) => escapes[found] ?? found) : cell
	if (cell === null || cell === undefined) return '\\N'
	return String(cell)
}

/** Rows in the text format of PostgreSQL's COPY: tabs between cells, `\N` for NULL. */
export function writeCopyText(rows: readonly (readonly Cell[])[]): string {
	let text = ''
	for (const row of rows) {
		for (let at = 0; at < row.length; at++) text += at === 0 ? writeCell(row[at]) : `\t${writeCell(row[at])}`
		text += '\n'
	}
	return text
}

/** The rows in chunks, so that no string or statement grows without limit. */
export function* chunkRows<Row>(rows: readonly Row[], size: number): Generator<readonly Row[]> {
	for (let from = 0; from < rows.length; from += size) yield from === 0 && rows.length <= size ? rows : rows.slice(from, from + size)
}
