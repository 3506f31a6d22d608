const MARKER = 0xff
/** Markers without a length. */
const isLone = (code: number) => code === 0x01 || (code >= 0xd0 && code <= 0xd8)
/** Start of frame, for any coding: ITU T.81, table B.1. */
const isFrame = (code: number) => code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc

/**
 * Reads the size of a JPEG while its bytes pass. Each call takes the next bytes and returns the longer side in pixels once it is known. The
 * size comes after segments of any length (previews, colour profiles). Bytes between segments are skipped, as decoders do.
 */
export function createJpegReader(): (bytes: Uint8Array) => number | undefined {
	let rest: Uint8Array = new Uint8Array()
	let toSkip = 0
	let longest: number | undefined

	return (bytes) => {
		if (longest !== undefined) return longest
		const skipped = Math.min(toSkip, bytes.length)
		toSkip -= skipped
		const data = Buffer.concat([rest, bytes.subarray(skipped)])
		let at = 0
		while (at + 1 < data.length) {
			const code = data[at + 1] ?? 0
			if (data[at] !== MARKER || code === MARKER || code === 0 || isLone(code)) {
				at += data[at] === MARKER && code !== MARKER ? 2 : 1
				continue
			}
			// Marker, length, precision, height and width: nine bytes.
			if (at + 9 > data.length) break
			if (isFrame(code)) return (longest = Math.max(data.readUInt16BE(at + 5), data.readUInt16BE(at + 7)))
			at += 2 + data.readUInt16BE(at + 2)
		}
		toSkip = Math.max(0, at - data.length)
		rest = data.subarray(Math.min(at, data.length))
		return longest
	}
}
