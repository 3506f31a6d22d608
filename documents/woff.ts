import { inflateSync } from 'node:zlib'

const HEAD = 44
const ENTRY = 20

/**
 * Unpacks a WOFF font to the plain font in it (W3C WOFF 1.0). Throws a TypeError for any other file. With a packed font, pdfkit unpacks a
 * table in JavaScript at every access, which took most of the time of a PDF of one page.
 */
export function unpackWoff(woff: Buffer): Buffer {
	if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new TypeError('This is no WOFF font')
	const count = woff.readUInt16BE(12)
	const tables = Array.from({ length: count }, (_, at) => {
		const entry = HEAD + at * ENTRY
		const [start = 0, packed = 0, length = 0] = [4, 8, 12].map((offset) => woff.readUInt32BE(entry + offset))
		const bytes = woff.subarray(start, start + packed)
		return {
			tag: woff.subarray(entry, entry + 4),
			checksum: woff.subarray(entry + 16, entry + 20),
			length,
			bytes: packed < length ? inflateSync(bytes) : bytes,
		}
	})
	const head = Buffer.alloc(12 + count * 16)
	woff.copy(head, 0, 4, 8)
	head.writeUInt16BE(count, 4)
	const power = Math.floor(Math.log2(count))
	head.writeUInt16BE(16 << power, 6)
	head.writeUInt16BE(power, 8)
	head.writeUInt16BE(count * 16 - (16 << power), 10)
	const parts = [head]
	let start = head.length
	for (const [at, { tag, checksum, length, bytes }] of tables.entries()) {
		const entry = 12 + at * 16
		tag.copy(head, entry)
		checksum.copy(head, entry + 4)
		head.writeUInt32BE(start, entry + 8)
		head.writeUInt32BE(length, entry + 12)
		const padded = Buffer.alloc(Math.ceil(length / 4) * 4)
		bytes.copy(padded)
		parts.push(padded)
		start += padded.length
	}
	return Buffer.concat(parts)
}
