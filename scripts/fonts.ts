// Makes app/fonts from the npm packages. Run it again (npx tsx scripts/fonts.ts) when a font package changes; the result is committed.
// Poppins has no tabular figures and its latin subset no rupee sign: figures come from Figtree, which has the same geometry and `tnum`.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import subsetFont from 'subset-font'

const FIGURES = '0123456789 \u00a0.,-\u2212+%()/:'
const RUPEE = '₹'

await mkdir('app/fonts', { recursive: true })
for (const weight of ['400', '600']) {
	await copyFile(`node_modules/@fontsource/poppins/files/poppins-latin-${weight}-normal.woff2`, `app/fonts/poppins-${weight}.woff2`)
	await subset('latin', weight, FIGURES, 'figures')
	await subset('latin-ext', weight, RUPEE, 'rupee')
}

async function subset(part: string, weight: string, characters: string, name: string): Promise<void> {
	const font = await readFile(`node_modules/@fontsource/figtree/files/figtree-${part}-${weight}-normal.woff2`)
	const made = await subsetFont(font, characters, { targetFormat: 'woff2', preserveNameIds: [] })
	await writeFile(`app/fonts/${name}-${weight}.woff2`, made)
}
