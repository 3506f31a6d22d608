/** The header of a file in a zip: a signature of four bytes, 26 more bytes, then the name. */
const SIGNATURE = 'PK\u0003\u0004'
const NAME_AT = 26
/** Bytes kept from the end of a chunk: the length of a header before its name, because a header may continue in the next chunk. */
const KEPT = SIGNATURE.length + NAME_AT

/**
 * Counts the files of a zip while it arrives: a function that takes the next bytes and returns how many files have begun. A workbook is a
 * zip too, whose own files do not count: their names begin with `[`, `_`, `d` (docProps) or `x` (xl).
 */
export function createFileCounter(): (bytes: Uint8Array) => number {
	const decoder = new TextDecoder('latin1')
	let rest = ''
	let count = 0
	return (bytes) => {
		const text = rest + decoder.decode(bytes)
		const heads = text.split(SIGNATURE).slice(1)
		count += heads.filter((head) => head.length > NAME_AT && !'[_dx'.includes(head.charAt(NAME_AT))).length
		rest = text.slice(-KEPT)
		return count
	}
}
