import { expect, test } from 'vitest'
import { holdUploads } from './pending-uploads.server'

async function* upload(size: number) {
	async function* body() {
		yield new Uint8Array(size)
	}
	yield { name: 'proof', chosen: 'proof.pdf', filename: 'proof.pdf', type: 'application/pdf', body: body() }
}

// Sizes are rounded up to a kilobyte; 999,001 bytes would be 1000 kB.
test.for([
	[1, '1 kB'],
	[999_000, '999 kB'],
	[999_001, '1.0 MB'],
	[999_500, '1.0 MB'],
	[1_250_001, '1.3 MB'],
] as const)('a file of %d bytes is shown as %s', async ([size, shown]) => {
	const held = await holdUploads('DEMO01', 'sizes', upload(size), 'file')
	expect(held.shown).toEqual({ proof: `proof.pdf, ${shown.replace(' ', '\u00A0')}` })
})
