import { createInterface } from 'node:readline'

const ENTER = new Set(['\r', '\n'])
const BACKSPACE = new Set(['\b', '\u007F'])
const INTERRUPT = new Set(['\u0003', '\u0004'])

/**
 * Asks for secrets one after the other: hidden on a terminal, otherwise one line of the standard input each; '' when no line is left.
 * Call `close` so that the program can end.
 */
export function openSecrets(input: NodeJS.ReadStream = process.stdin, output: NodeJS.WritableStream = process.stderr) {
	if (input.isTTY) return { read: (what: string) => readHidden(input, output, what), close: () => void input.pause() }
	const reader = createInterface({ input, crlfDelay: Infinity })
	const lines = reader[Symbol.asyncIterator]()
	return {
		async read(_what: string): Promise<string> {
			const { done, value } = (await lines.next()) as IteratorResult<string>
			return done ? '' : value
		},
		close: () => reader.close(),
	}
}

/** Reads one hidden line of a terminal. Ctrl-C and Ctrl-D end the program. */
async function readHidden(input: NodeJS.ReadStream, output: NodeJS.WritableStream, what: string): Promise<string> {
	output.write(`${what}: `)
	input.setRawMode(true)
	input.setEncoding('utf8').resume()
	return new Promise((resolve) => {
		let typed = ''
		const read = (text: string) => {
			for (const key of text) {
				if (ENTER.has(key)) return end()
				if (INTERRUPT.has(key)) {
					end()
					process.exit(130)
				}
				typed = BACKSPACE.has(key) ? typed.slice(0, -1) : typed + key
			}
		}
		const end = () => {
			input.off('data', read).setRawMode(false)
			input.pause()
			output.write('\n')
			resolve(typed)
		}
		input.on('data', read)
	})
}
