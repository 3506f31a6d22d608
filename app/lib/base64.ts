/** A multiple of four letters, so that each piece decodes by itself. */
const LETTERS_A_PIECE = 64 * 1024

/** The file in base64 text, decoded piece by piece as it is read; undefined when its first bytes do not match. */
export function decodeBase64File(text: string, magic: string): ReadableStream<Uint8Array> | undefined {
	const start = Buffer.from(text.slice(0, 4 * magic.length), 'base64').toString('latin1')
	if (text.length % 4 !== 0 || !start.startsWith(magic)) return undefined
	let at = 0
	return new ReadableStream<Uint8Array>(
		{
			pull(controller) {
				if (at >= text.length) return controller.close()
				controller.enqueue(Buffer.from(text.slice(at, (at += LETTERS_A_PIECE)), 'base64'))
			},
		},
		{ highWaterMark: 0 },
	)
}
