import { on } from 'node:events'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { type ReadableStream as NodeWebStream } from 'node:stream/web'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { type FormFile } from '~/broker/form-body.server'
import { checkToken } from '~/csrf.server'
import { badForm } from '~/forms.server'
import { log } from '~/log.server'
import { requestIdOf } from '~/session.server'
import { checkFile, UploadProblem, type UploadRule } from '~/upload-checks.server'

export { UploadProblem } from '~/upload-checks.server'

/*
 * Forms with files. Nothing touches the disk and no file is held in memory: a file goes to the broker while it arrives, and a problem
 * that shows only later (too large, protected by a password) cuts the broker's request before it is complete.
 */

/** A file by its field's name, which is its name at the broker too. */
type Rules = Record<string, UploadRule & { /** What is said when it was not selected; left out, it may be missing. */ required?: string }>

type Part = { name: string; filename: string; stream: BusboyFileStream }

export type Uploads = {
	/** What is wrong already: look before asking the broker, so that nothing is sent. */
	problem: UploadProblem | undefined
	/** The files in their order, to be read once. Throws an UploadProblem where one turns out wrong or is missing. */
	files(): AsyncGenerator<FormFile>
}

const BROKEN = 'The selected file could not be uploaded – try again'
const LIMITS = { fieldNameSize: 100, fieldSize: 8192, fields: 60, parts: 70, headerPairs: 20, headerSize: 8192 }

/** No form of ours has more. */
const MOST_FILES = 2

/** For an action that does without the files, whatever they are. */
const NO_FILES: Uploads = { problem: undefined, async *files() {} }

/**
 * Reads a form that may carry files: the fields first, which stand before the files in the page, then, as `work` asks for them, the
 * files. What `work` leaves is read and dropped, so that the browser gets to see the answer. Checks the form's token (403).
 * `isOver`: the form is of a step that is over, whose rules nobody knows any more; then no file is looked at, and `work` says so.
 */
export async function withUploads<Answer>(
	request: Request,
	rules: Rules,
	work: (form: FormData, uploads: Uploads) => Promise<Answer>,
	isOver: (form: FormData) => boolean = () => false,
): Promise<Answer> {
	const type = request.headers.get('content-type') ?? ''
	const most = Object.keys(rules).length || MOST_FILES
	const parser = type.startsWith('multipart/form-data') ? openParser(request, type, most) : undefined
	try {
		const first = await parser?.next()
		const form = parser?.form ?? (await request.formData().catch(badForm))
		await checkToken(form, request)
		form.delete('csrf')
		return await work(form, isOver(form) ? NO_FILES : await openUploads(request, rules, first, async () => parser?.next()))
	} finally {
		await parser?.drain()
	}
}

function openParser(request: Request, type: string, files: number) {
	const busboy = construct(type, files)
	const form = new FormData()
	let isSpoilt = false
	function spoil() {
		isSpoilt = true
		busboy.destroy(new Error('More than a form of ours holds'))
	}
	for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) busboy.on(event, spoil)
	busboy.on('field', (name, value, isNameCut, isCut) => {
		if (isNameCut || isCut) spoil()
		else form.append(name, value)
	})
	// A stream that nobody reads yet would take the process down with its error.
	busboy.on('file', (_, stream) => void stream.on('error', () => {}))
	busboy.on('error', () => {})
	const parts = on(busboy, 'file', { close: ['finish'] })
	const source = Readable.fromWeb((request.body ?? new Blob().stream()) as NodeWebStream)
	source.on('error', (error) => void busboy.destroy(error))
	source.pipe(busboy)

	return {
		form,
		/** The next file that was selected; an input left empty sends a nameless one. */
		async next(): Promise<Part | undefined> {
			for (;;) {
				const { done, value } = await parts.next().catch(badForm)
				if (isSpoilt) return badForm()
				if (done) return undefined
				const [name, stream, filename] = value as [string, BusboyFileStream, string | undefined]
				if (filename) return { name, filename, stream }
				stream.resume()
			}
		},
		async drain() {
			source.unpipe(busboy)
			busboy.destroy()
			source.resume()
			await finished(source).catch(() => {})
		},
	}
}

function construct(type: string, files: number) {
	try {
		return new Busboy({ headers: { 'content-type': type }, limits: { ...LIMITS, files: files + 1 } })
	} catch {
		return badForm()
	}
}

async function openUploads(
	request: Request,
	rules: Rules,
	first: Part | undefined,
	next: () => Promise<Part | undefined>,
): Promise<Uploads> {
	const seen = new Set<string>()

	/** Says once in the log that a file was refused; never its name. */
	function told(error: unknown): unknown {
		if (error instanceof UploadProblem)
			log.info({ event: 'upload_refused', reference: requestIdOf(request), field: error.field, why: error.message }, 'A file was refused')
		return error
	}

	async function open({ name, filename, stream }: Part): Promise<FormFile> {
		const rule = Object.hasOwn(rules, name) && !seen.has(name) ? rules[name] : badForm()
		seen.add(name)
		const { type, extension, body } = await checkFile(name, filename, stream, rule ?? {})
		return { name, filename: `${name}.${extension}`, type, body: wary(name, body) }
	}

	async function* wary(name: string, body: AsyncIterable<Uint8Array>) {
		try {
			yield* body
		} catch (error) {
			// Anything else: the browser left, or sent less than it announced.
			throw told(error instanceof UploadProblem ? error : new UploadProblem(name, BROKEN))
		}
	}

	function missing(): UploadProblem | undefined {
		const [name, rule] = Object.entries(rules).find(([each, { required }]) => required && !seen.has(each)) ?? []
		return name && rule?.required ? new UploadProblem(name, rule.required) : undefined
	}

	let problem: UploadProblem | undefined
	const opened = first
		? await open(first).catch((error: unknown) => {
				if (!(error instanceof UploadProblem)) throw error
				problem = error
				told(error)
				return undefined
			})
		: undefined
	if (!first) problem = missing()

	return {
		problem,
		async *files() {
			if (problem) throw problem
			for (let file = opened; file;) {
				yield file
				const { name } = file
				// One file too many, one twice, or the end missing: the broker's request is cut as for any other fault of a file.
				file = await next()
					.then((part) => part && open(part))
					.catch((error: unknown) => Promise.reject(told(error instanceof UploadProblem ? error : new UploadProblem(name, BROKEN))))
			}
			const lost = missing()
			if (lost) throw lost
		},
	}
}
