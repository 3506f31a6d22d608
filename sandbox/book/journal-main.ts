import { createWriteStream, mkdirSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type ReadableStream as NodeWebStream } from 'node:stream/web'
import { parseArgs } from 'node:util'
import { openMadeBooks, takePort } from '#sandbox/db/made-books'
import { readSettings } from '#sandbox/settings'
import { writeJournal } from './journal'

/*
 * `npm run sandbox:journal`: the sandbox's book as an hledger journal, into a file or (`--out -`) to standard output. Only the process
 * that has the sandbox's port can use its books. So a running sandbox is asked for the journal; else this process opens the books, and
 * makes them when there are none.
 */

const { values } = parseArgs({ options: { client: { type: 'string' }, out: { type: 'string', default: '.data/sandbox.journal' } } })
const settings = readSettings({ ...process.env, LOG_LEVEL: 'silent' })
const client = values.client?.toUpperCase()

async function* askSandbox(): AsyncGenerator<Uint8Array> {
	const address = new URL(`http://127.0.0.1:${settings.port}/journal`)
	if (client !== undefined) address.searchParams.set('client', client)
	const answer = await fetch(address)
	if (!answer.ok || answer.body === null) throw new Error(`The sandbox at port ${settings.port} answered ${answer.status}`)
	yield* answer.body as NodeWebStream<Uint8Array>
}

async function* readOwnBooks(): AsyncGenerator<string> {
	const books = await openMadeBooks(settings)
	try {
		yield* writeJournal(books, client)
	} finally {
		await books.close()
	}
}

const holder = await takePort(settings)
try {
	const journal = Readable.from(holder === undefined ? askSandbox() : readOwnBooks())
	if (values.out === '-') {
		// A reader such as `head` may close the output early.
		process.stdout.once('error', () => process.exit(0))
		await pipeline(journal, process.stdout, { end: false })
	} else {
		mkdirSync(path.dirname(values.out), { recursive: true })
		await pipeline(journal, createWriteStream(values.out))
		process.stdout.write(`The journal is in ${values.out}. To check it: hledger -f ${values.out} check\n`)
	}
} finally {
	holder?.close()
}
