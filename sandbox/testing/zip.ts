import { inflateRawSync } from 'node:zlib'

/** The text of one file of a zip. Throws when the file is not in it. */
export function unzip(zip: Buffer, name: string): string {
	const end = zip.lastIndexOf(Buffer.from('504b0506', 'hex'))
	for (let at = zip.readUInt32LE(end + 16); zip.readUInt32LE(at) === 0x02014b50;) {
		const [nameLength, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [number, number, number]
		if (zip.toString('utf8', at + 46, at + 46 + nameLength) === name) {
			const local = zip.readUInt32LE(at + 42)
			const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
			return inflateRawSync(zip.subarray(start, start + zip.readUInt32LE(at + 20))).toString('utf8')
		}
		at += 46 + nameLength + extra + comment
	}
	throw new Error(`${name} is not in the zip`)
}
