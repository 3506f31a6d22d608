import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { BrokerRefusal } from '~/broker/client.server'
import { log } from '~/config/logger.server'
import { type ManifestEntry, type Open, type YearFile } from '~/reports/year-file.server'

type Entry = ManifestEntry & { isIncomplete?: boolean }

/** After this many consecutive failures, the other files are not requested from the broker. */
const FAILED_ENOUGH = 5

/**
 * Returns one zip of all parts. The parts are streamed and hashed one after the other while the browser reads, so that only one chunk is
 * in memory. A part that fails is left out, and the manifest, which comes last, says why. When the client leaves, the current part is
 * cancelled and no other part is requested.
 */
export function streamZip(
	parts: readonly YearFile[],
	createManifest: (entries: readonly Entry[]) => Promise<ReadableStream<Uint8Array>>,
	reference: string,
): ReadableStream<Uint8Array> {
	const zip = new ZipFile()
	const output = zip.outputStream as Readable
	const entries: Entry[] = []
	let current: Readable | undefined
	output.once('close', () => current?.destroy())
	// The reader below gets the error too, unless it has not started to read.
	output.on('error', () => {})

	/** Adds a file and returns what was written, once the zip has taken all of it. */
	async function add(file: string, body: ReadableStream<Uint8Array>) {
		const written = { bytes: 0, sha256: '', problem: '' }
		const hash = createHash('sha256')
		current = Readable.from(
			hashBytes(body, hash, written, (error) => explainFailure(error, file, reference)),
			{ objectMode: false },
		)
		zip.addReadStream(current, file, { compress: !file.endsWith('.xlsx') && !file.endsWith('.pdf') })
		await finished(current).catch(() => {})
		return { ...written, sha256: hash.digest('hex') }
	}

	async function addPart(part: YearFile, open: Open): Promise<Entry> {
		const { file, statement, figure, missing } = part
		try {
			const written = await add(file, await open())
			const left = written.problem ? undefined : await missing?.().catch(() => undefined)
			// Incomplete rows have no figure, because it would differ from the figure of the statement.
			if (left) return { file, statement, ...written, problem: `Incomplete: ${left}`, isIncomplete: true }
			return { file, statement, ...written, figure: await figure?.().catch(() => undefined) }
		} catch (error) {
			return leaveOut(part, await explainFailure(error, file, reference))
		}
	}

	async function fill() {
		let failed = 0
		for (const part of parts) {
			if (output.destroyed) return
			const { open } = part
			if ('absent' in open) {
				entries.push(leaveOut(part, open.absent))
				continue
			}
			const entry = failed < FAILED_ENOUGH ? await addPart(part, open) : leaveOut(part, 'Skipped, because the files before it failed.')
			failed = entry.problem && !entry.isIncomplete ? failed + 1 : 0
			entries.push(entry)
		}
		if (output.destroyed) return
		await add('manifest.csv', await createManifest(entries))
		zip.end()
	}

	fill().catch((error: unknown) => output.destroy(error instanceof Error ? error : new Error('year pack')))
	return readAsAsked(output)
}

/** Returns the line of a file that is not in the zip. */
function leaveOut({ file, statement }: YearFile, problem: string): Entry {
	return { file, statement, bytes: 0, sha256: '', problem }
}

/** Returns a Node stream as a web stream that reads one chunk at a time. */
function readAsAsked(output: Readable): ReadableStream<Uint8Array> {
	const chunks = output[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				const { done, value } = await chunks.next()
				if (done) controller.close()
				else controller.enqueue(value)
			},
			cancel: () => void output.destroy(),
		},
		{ highWaterMark: 0 },
	)
}

/** Yields the bytes of a body, and hashes and counts them. When the body fails, `written.problem` says why. */
async function* hashBytes(
	body: ReadableStream<Uint8Array>,
	hash: Hash,
	written: { bytes: number; problem: string },
	explain: (error: unknown) => Promise<string>,
) {
	const reader = body.getReader()
	try {
		for (let read = await reader.read(); !read.done; read = await reader.read()) {
			hash.update(read.value)
			written.bytes += read.value.byteLength
			yield read.value
		}
	} catch (error) {
		written.problem = `Not whole: ${await explain(error)}`
	} finally {
		reader.cancel().catch(() => {})
	}
}

/** Returns why a file is missing, for the manifest, and logs it. */
async function explainFailure(error: unknown, file: string, reference: string): Promise<string> {
	const message = await findMessage(error)
	log.warn({ event: 'year_pack_part', reference, file, error: error instanceof Error ? error.name : undefined }, message)
	return message
}

async function findMessage(error: unknown): Promise<string> {
	if (error instanceof BrokerRefusal) return error.message
	if (!(error instanceof Response)) return 'This file was interrupted.'
	if (error.status < 404) return 'Your session ended while the pack was being made.'
	const said = (await error
		.clone()
		.json()
		.catch(() => ({}))) as { message?: string }
	return said.message ?? 'The file could not be loaded.'
}
