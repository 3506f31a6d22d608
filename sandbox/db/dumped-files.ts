import { MemoryFS } from '@electric-sql/pglite'

/** Where PGlite keeps its data directory. */
const DATA_FOLDER = '/pglite/data'
const BLOCK = 512

/**
 * A file system in memory that starts with the files of an uncompressed tar, as `dumpDataDir('none')` writes it. PGlite's own `loadDataDir`
 * copies each file several times, which takes longer than PostgreSQL's whole start; here the files are views of the tar. The database
 * writes into those views, so one tar belongs to one database.
 */
export class DumpedFiles extends MemoryFS {
	constructor(private readonly tar: Uint8Array) {
		super()
	}

	override async initialSyncFs(): Promise<void> {
		const files = this.pg?.Module.FS
		if (!files) throw new Error('The database has no file system yet')
		for (const { name, isFolder, bytes } of readTar(this.tar)) {
			if (isFolder) files.mkdirTree(DATA_FOLDER + name)
			else files.writeFile(DATA_FOLDER + name, bytes, { canOwn: true })
		}
	}
}

type Entry = { name: string; isFolder: boolean; bytes: Uint8Array }

/** The entries of a tar, each folder before its files. */
function* readTar(tar: Uint8Array): Generator<Entry> {
	const readText = (start: number, length: number) => {
		const text = Buffer.from(tar.buffer, tar.byteOffset + start, length).toString('latin1')
		return text.slice(0, (text.indexOf('\0') + 1 || text.length + 1) - 1)
	}
	for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0;) {
		const size = Number.parseInt(readText(at + 124, 12), 8) || 0
		const name = `/${readText(at, 100)}`.replace('//', '/').replace(/\/$/, '')
		const start = at + BLOCK
		yield { name, isFolder: readText(at + 156, 1) === '5', bytes: tar.subarray(start, start + size) }
		at = start + Math.ceil(size / BLOCK) * BLOCK
	}
}
