import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { readCsv } from './readers'

const run = promisify(execFile)

/*
 * The programs that clients use to open files, and programs that validate files. `npm test` installs them on Debian. When one is missing,
 * its test fails and says so.
 */
async function use(program: string, args: string[]): Promise<string> {
	try {
		// LibreOffice writes figures and days as the language of the machine does: 3.743,91 in Turkish.
		return (await run(program, args, { maxBuffer: 1e8, env: { ...process.env, LC_ALL: 'C.UTF-8' } })).stdout
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT')
			throw new Error(`${program} is not installed: see README, Test it`, { cause: error })
		throw error
	}
}

async function inFolder<Value>(work: (folder: string) => Promise<Value>): Promise<Value> {
	const folder = await mkdtemp(path.join(tmpdir(), 'khata-office-'))
	try {
		return await work(folder)
	} finally {
		await rm(folder, { recursive: true })
	}
}

/** The text of a PDF that qpdf accepts. */
export async function readPdf(pdf: Uint8Array): Promise<string> {
	return await inFolder(async (folder) => {
		const file = path.join(folder, 'file.pdf')
		await writeFile(file, pdf)
		// qpdf exits with 2 for an error and 3 for a warning. Both throw.
		await use('qpdf', ['--check', file])
		return await use('pdftotext', ['-layout', '-enc', 'UTF-8', file, '-'])
	})
}

type PrintedWord = { text: string; left: number; right: number }
/** A printed page: its size in points, and its words with their positions. */
export type PrintedPage = { width: number; height: number; words: PrintedWord[] }

/**
 * Converts workbooks in a folder: the results of the first one have names that begin with `w0`. LibreOffice starts once for all, because
 * the start takes a second.
 */
async function convert(folder: string, files: ReadonlyMap<string, Uint8Array>, filter: string): Promise<void> {
	const made = [...files].map(async ([name, bytes], at) => {
		const file = path.join(folder, `w${at}${path.extname(name)}`)
		await writeFile(file, bytes)
		return file
	})
	const profile = `-env:UserInstallation=file://${path.join(folder, 'profile')}`
	await use('soffice', [profile, '--headless', '--convert-to', filter, '--outdir', folder, ...(await Promise.all(made))])
}

/** The pages of workbooks as LibreOffice prints them. */
export async function printWorkbooks(files: ReadonlyMap<string, Uint8Array>): Promise<Map<string, PrintedPage[]>> {
	return await inFolder(async (folder) => {
		await convert(folder, files, 'pdf')
		const printed = [...files.keys()].map(async (name, at): Promise<[string, PrintedPage[]]> => {
			const text = await use('pdftotext', ['-bbox', path.join(folder, `w${at}.pdf`), '-'])
			const pages = [...text.matchAll(/<page width="([\d.]+)" height="([\d.]+)">(.*?)<\/page>/gs)].map(([, width, height, words = '']) => ({
				width: Number(width),
				height: Number(height),
				words: [...words.matchAll(/<word xMin="([\d.]+)"[^>]*xMax="([\d.]+)"[^>]*>([^<]*)</g)].map(([, left, right, word = '']) => ({
					text: word,
					left: Number(left),
					right: Number(right),
				})),
			}))
			return [name, pages]
		})
		return new Map(await Promise.all(printed))
	})
}

/** The files of a zip that unzip accepts, in order. */
export async function readZip(zip: Uint8Array): Promise<Map<string, Buffer>> {
	return await inFolder(async (folder) => {
		const file = path.join(folder, 'file.zip')
		await writeFile(file, zip)
		await use('unzip', ['-t', file])
		await use('unzip', ['-q', file, '-d', path.join(folder, 'files')])
		const names = (await use('unzip', ['-Z1', file])).trim().split('\n')
		const read = names.map(async (name): Promise<[string, Buffer]> => [name, await readFile(path.join(folder, 'files', name))])
		return new Map(await Promise.all(read))
	})
}

/** `rows` begin with the heads; `title` is above them. */
export type Workbook = { sheet: string; title: string[]; rows: string[][] }[]

/** Every sheet of the workbooks as LibreOffice shows it, as lists of rows. */
export async function readWorkbooks(files: ReadonlyMap<string, Uint8Array>): Promise<Map<string, Workbook>> {
	return await inFolder(async (folder) => {
		// Comma, quotes, UTF-8, cells as shown (with the file's number formats), and one file for each sheet.
		await convert(folder, files, 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,true,false,false,-1')
		const written = await readdir(folder)
		const workbooks = [...files.keys()].map(async (name, at): Promise<[string, Workbook]> => {
			const sheets = written.filter((file) => file.startsWith(`w${at}-`) && file.endsWith('.csv'))
			const read = sheets.map(async (file) => {
				const rows = readCsv(await readFile(path.join(folder, file), 'utf8'))
				const empty = rows.findIndex((row) => row.every((cell) => cell === ''))
				const title = rows.slice(0, empty).map(([line = '']) => line)
				return { sheet: file.slice(`w${at}-`.length, -'.csv'.length), title, rows: rows.slice(empty + 1) }
			})
			return [name, await Promise.all(read)]
		})
		return new Map(await Promise.all(workbooks))
	})
}
