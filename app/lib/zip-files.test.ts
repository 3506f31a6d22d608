import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { createFileCounter } from './zip-files'

async function zip(names: readonly string[], body: Buffer): Promise<Buffer> {
	const file = new ZipFile()
	for (const name of names) file.addBuffer(body, name, { compress: false })
	file.end()
	return await buffer(file.outputStream)
}

test('counts the files of a pack and not those inside a workbook, however its bytes are cut', async () => {
	const workbook = await zip(['[Content_Types].xml', '_rels/.rels', 'docProps/app.xml', 'xl/workbook.xml'], Buffer.from('<a/>'))
	const pack = await zip(['DEMO01_LEDGER.xlsx', 'contract-notes/DEMO01_1.pdf', 'manifest.csv'], workbook)
	for (const size of [1, 7, 30, 31, 64, pack.length]) {
		const count = createFileCounter()
		let counted = 0
		for (let at = 0; at < pack.length; at += size) counted = count(pack.subarray(at, at + size))
		expect(counted, `chunks of ${size}`).toBe(3)
	}
})
