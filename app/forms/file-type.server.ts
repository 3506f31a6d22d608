import { createJpegReader } from './jpeg-size.server'

/* Finds a file's type by its content. Its name and the browser's type prove nothing. */

/** Why a file was refused, for the field it was selected in. `others` are the same for other fields of the form. */
export class UploadProblem extends Error {
	override name = 'UploadProblem'
	constructor(
		readonly field: string,
		message: string,
		readonly others: readonly UploadProblem[] = [],
	) {
		super(message)
	}
}

/** The first bytes of each kind of file, in latin1, and its file name extensions. */
const KINDS = {
	'application/pdf': { beginning: '%PDF-', extensions: ['pdf'] },
	'image/jpeg': { beginning: '\u00FF\u00D8\u00FF', extensions: ['jpg', 'jpeg'] },
	'image/png': { beginning: '\u0089PNG\r\n\u001A\n', extensions: ['png'] },
} as const

type UploadType = keyof typeof KINDS
const UPLOAD_TYPES = Object.keys(KINDS) as UploadType[]

const MOST_MEGABYTES = 5
const MEGABYTE = 1_048_576
/** Enough for the longest signature, and for a PNG's width and height. */
const HEAD = 24
/** A picture with more pixels on one side could exhaust the memory of a program that opens it. */
const MAX_PIXELS = 10_000
/**
 * The trailer entry of a PDF that says how it is encrypted, in a text trailer or in a stream's dictionary. Any letter of a name may be
 * written as `#` and its hexadecimal code.
 */
const ENCRYPTED = /\/(?:E|#45)(?:n|#6[Ee])(?:c|#63)(?:r|#72)(?:y|#79)(?:p|#70)(?:t|#74)[^\w#.-]/
/** The longest form of that entry without its last character: it may begin in one chunk of a file and end in the next. */
const ENCRYPTED_LENGTH = '/#45#6E#63#72#79#70#74'.length
const TOO_MANY_PIXELS = 'The selected picture must be at most 10,000 pixels wide and high'

/**
 * Checks that a file begins as a PDF, JPEG or PNG, and that its name has no extension or one of these kinds. Throws an UploadProblem.
 * `body` throws an UploadProblem for a problem found later: too large, too many pixels, or a PDF with a password.
 */
export async function checkFile(
	field: string,
	filename: string,
	stream: AsyncIterable<Uint8Array>,
): Promise<{ type: UploadType; extension: string; body: AsyncIterable<Uint8Array> }> {
	const chunks = stream[Symbol.asyncIterator]()
	let head = Buffer.alloc(0)
	while (head.length < HEAD) {
		const { done, value } = await chunks.next()
		if (done) break
		head = Buffer.concat([head, value])
	}
	if (head.length === 0) throw new UploadProblem(field, 'The selected file is empty')
	const type = UPLOAD_TYPES.find((each) => head.toString('latin1', 0, 8).startsWith(KINDS[each].beginning))
	const ending = /\.([^.]*)$/.exec(filename)?.[1]?.toLowerCase()
	const isNamedSo = ending === undefined || UPLOAD_TYPES.some((each) => (KINDS[each].extensions as readonly string[]).includes(ending))
	if (!type || !isNamedSo || filename.includes('\0')) throw new UploadProblem(field, 'The selected file must be a PDF, JPG or PNG')
	if (type === 'image/png' && (head.length < HEAD || Math.max(head.readUInt32BE(16), head.readUInt32BE(20)) > MAX_PIXELS))
		throw new UploadProblem(field, TOO_MANY_PIXELS)

	async function* body() {
		let size = 0
		let seam = ''
		const jpeg = type === 'image/jpeg' ? createJpegReader() : undefined
		for (let value: Uint8Array | undefined = head; value; value = (await chunks.next()).value as Uint8Array | undefined) {
			size += value.length
			if (size > MOST_MEGABYTES * MEGABYTE) throw new UploadProblem(field, `The selected file must be smaller than ${MOST_MEGABYTES}MB`)
			if ((jpeg?.(value) ?? 0) > MAX_PIXELS) throw new UploadProblem(field, TOO_MANY_PIXELS)
			if (type === 'application/pdf') {
				const text = seam + Buffer.from(value.buffer, value.byteOffset, value.length).toString('latin1')
				if (ENCRYPTED.test(text))
					throw new UploadProblem(field, 'The selected file is password protected. Remove the password and try again')
				seam = text.slice(-ENCRYPTED_LENGTH)
			}
			yield value
		}
	}
	return { type, extension: KINDS[type].extensions[0], body: body() }
}
