import { type FormFile } from '~/broker/form-body.server'
import { findLeavingSignal } from '~/http/client-disconnect.server'
import { audit } from '~/session/audit.server'
import { checkToken } from '~/session/csrf.server'
import { readLastClient } from '~/session/session.server'
import { checkFile, UploadProblem } from './file-type.server'
import { throwBadForm, type FilePart, isMultipart, openMultipart, readFields } from './form-data.server'
import { checkFields } from './form-fields.server'
import { waitForUploadTurn } from './upload-turns.server'

/*
 * Forms with files. Nothing is written to disk, and except for a transfer that is checked first (pending-uploads.server) no file is held in
 * memory: a file is sent to the broker while it arrives. A problem found later (too large, password-protected) aborts the broker's request
 * before it is complete.
 */

/** A file by its field's name, which is also its name at the broker. */
type Rules = Record<string, { /** The message when it was not selected; without it the file is optional. */ required?: string }>

/** `chosen`: the name of the file on the client's disk, for the screen only. */
export type UploadedFile = FormFile & { chosen: string }

export type Uploads = {
	/** Problems known so far: check them before calling the broker, so that nothing is sent. */
	problem: UploadProblem | undefined
	/** The files in their order, to be read once. Throws an UploadProblem for an invalid or missing file. */
	files(): AsyncGenerator<UploadedFile>
}

const BROKEN = 'The selected file could not be uploaded – try again'

/** No form of ours has more. */
const MOST_FILES = 2

/** For an action that ignores the files. */
const NO_FILES: Uploads = { problem: undefined, async *files() {} }

/**
 * Reads a form with files: first the fields, which come before the files in the page, then the files, when `work` asks for them. Files
 * that `work` does not read are dropped. Checks the form's token (403). The page requires its session before it calls this. `isOver`: the
 * form belongs to a step that is over, whose rules are unknown; then no file is checked, and `work` reports it. A client's posts take
 * turns; a post whose browser leaves before its turn is not read (a 400 that no browser gets).
 */
export async function withUploads<Answer>(
	request: Request,
	client: string,
	rules: Rules,
	work: (form: FormData, uploads: Uploads) => Promise<Answer>,
	isOver: (form: FormData) => boolean = () => false,
): Promise<Answer> {
	const leaving = findLeavingSignal(request)
	if (leaving) await waitForUploadTurn(client, leaving)
	// The browser left while the post waited: the part that it sent must not lead to a call to the broker.
	if (leaving?.aborted) throwBadForm()
	const multipart = isMultipart(request) ? openMultipart(request, Object.keys(rules).length || MOST_FILES) : undefined
	try {
		const first = await multipart?.next()
		const form = multipart?.form ?? (await readFields(request))
		if (!checkFields(form)) throwBadForm()
		await checkToken(form, request)
		form.delete('csrf')
		return await work(form, isOver(form) ? NO_FILES : await openUploads(request, rules, first, async () => multipart?.next()))
	} finally {
		multipart?.close()
	}
}

/** The required files that were not sent. */
function findMissing(rules: Rules, seen: ReadonlySet<string>): UploadProblem | undefined {
	const [first, ...others] = Object.entries(rules).flatMap(([name, { required }]) =>
		required && !seen.has(name) ? [new UploadProblem(name, required)] : [],
	)
	return first && new UploadProblem(first.field, first.message, others)
}

async function openUploads(
	request: Request,
	rules: Rules,
	first: FilePart | undefined,
	next: () => Promise<FilePart | undefined>,
): Promise<Uploads> {
	const seen = new Set<string>()

	/** Logs once that a file was refused; never its name. */
	function told(error: unknown): unknown {
		if (error instanceof UploadProblem) {
			const { field, message: why } = error
			void readLastClient(request).then((client) => audit('upload_refused', request, client, { field, why }))
		}
		return error
	}

	async function open({ name, filename, stream }: FilePart): Promise<UploadedFile> {
		if (!Object.hasOwn(rules, name) || seen.has(name)) throwBadForm()
		seen.add(name)
		const { type, extension, body } = await checkFile(name, filename, stream).catch((error: unknown) => {
			// A field after the file may make the form invalid before the file's first bytes are checked.
			throw error instanceof UploadProblem ? error : new UploadProblem(name, BROKEN)
		})
		return { name, chosen: filename, filename: `${name}.${extension}`, type, body: wary(name, body) }
	}

	async function* wary(name: string, body: AsyncIterable<Uint8Array>) {
		try {
			yield* body
		} catch (error) {
			// Any other error: the browser left, or sent less than it announced.
			throw told(error instanceof UploadProblem ? error : new UploadProblem(name, BROKEN))
		}
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
	if (!first) problem = findMissing(rules, seen)

	return {
		problem,
		async *files() {
			if (problem) throw problem
			for (let file = opened; file;) {
				yield file
				const { name } = file
				// One file too many, a duplicate, or a missing end: aborts the broker's request like any other fault of a file.
				file = await next()
					.then((part) => part && open(part))
					.catch((error: unknown) => Promise.reject(told(error instanceof UploadProblem ? error : new UploadProblem(name, BROKEN))))
			}
			const lost = findMissing(rules, seen)
			if (lost) throw lost
		},
	}
}
