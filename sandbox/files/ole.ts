const SECTOR = 512
const END = 0xfffffffe
const FAT = 0xfffffffd
const FREE = 0xffffffff
/** Bytes. Smaller streams belong in another table, so ours are padded to this size. */
const SMALLEST = 4096
/** The number of allocation table sectors that fit into the header: streams of about 7 MB. */
const MOST_FAT_SECTORS = 109

const sectorsFor = (bytes: number) => Math.ceil(bytes / SECTOR)

function writeEntry(name: string, type: number, child: number, start: number, size: number): Buffer {
	const entry = Buffer.alloc(128)
	entry.write(name, 0, 'utf16le')
	entry.writeUInt16LE(name === '' ? 0 : (name.length + 1) * 2, 64)
	entry[66] = type
	entry[67] = 1
	entry.writeUInt32LE(FREE, 68)
	entry.writeUInt32LE(FREE, 72)
	entry.writeUInt32LE(child, 76)
	entry.writeUInt32LE(start, 116)
	entry.writeUInt32LE(size, 120)
	return entry
}

function writeHeader(fatSectors: number, directoryAt: number): Buffer {
	const header = Buffer.alloc(SECTOR)
	header.write('d0cf11e0a1b11ae1', 0, 'hex')
	header.writeUInt16LE(0x3e, 24)
	header.writeUInt16LE(3, 26)
	header.writeUInt16LE(0xfffe, 28)
	header.writeUInt16LE(9, 30)
	header.writeUInt16LE(6, 32)
	header.writeUInt32LE(fatSectors, 44)
	header.writeUInt32LE(directoryAt, 48)
	header.writeUInt32LE(SMALLEST, 56)
	header.writeUInt32LE(END, 60)
	header.writeUInt32LE(END, 68)
	for (let at = 0; at < MOST_FAT_SECTORS; at++) header.writeUInt32LE(at < fatSectors ? at : FREE, 76 + at * 4)
	return header
}

/**
 * One stream in an OLE2 compound file (MS-CFB, version 3), the container of Office 97 to 2003. Throws RangeError above about 7 MB: a
 * larger file needs more tables, and no statement is that large.
 */
export function writeCompoundFile(name: string, stream: Buffer): Buffer {
	const padded = Buffer.concat([stream, Buffer.alloc(Math.max(SMALLEST, sectorsFor(stream.length) * SECTOR) - stream.length)])
	const streamSectors = padded.length / SECTOR
	let fatSectors = 1
	while (fatSectors * (SECTOR / 4) < fatSectors + 1 + streamSectors) fatSectors++
	if (fatSectors > MOST_FAT_SECTORS) throw new RangeError(`${stream.length} bytes are too many for one .xls`)
	const directoryAt = fatSectors
	const streamAt = directoryAt + 1
	const fat = Buffer.alloc(fatSectors * SECTOR, 0xff)
	for (let at = 0; at < fatSectors; at++) fat.writeUInt32LE(FAT, at * 4)
	fat.writeUInt32LE(END, directoryAt * 4)
	for (let at = 0; at < streamSectors; at++) {
		fat.writeUInt32LE(at === streamSectors - 1 ? END : streamAt + at + 1, (streamAt + at) * 4)
	}
	const unused = () => writeEntry('', 0, FREE, 0, 0)
	const directory = [writeEntry('Root Entry', 5, 1, END, 0), writeEntry(name, 2, FREE, streamAt, padded.length), unused(), unused()]
	return Buffer.concat([writeHeader(fatSectors, directoryAt), fat, ...directory, padded])
}
