// Makes app/fonts from the npm packages. Run it again (npx tsx scripts/fonts.ts) when a font package changes, and commit the result.
// Poppins has no tabular figures, and its latin subset has no rupee sign. The figures come from Figtree, which has the same geometry and
// `tnum`.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import subsetFont from 'subset-font'

const FIGURES = '0123456789 \u00a0.,-\u2212+%()/:₹'
const WHOLE = { 400: '400Regular/Figtree_400Regular', 600: '600SemiBold/Figtree_600SemiBold' }

await mkdir('app/fonts', { recursive: true })
for (const weight of [400, 600] as const) {
	await copyFile(`node_modules/@fontsource/poppins/files/poppins-latin-${weight}-normal.woff2`, `app/fonts/poppins-${weight}.woff2`)
	// The parts of @fontsource/figtree have the digits in one file and the rupee sign in another.
	const font = await readFile(`node_modules/@expo-google-fonts/figtree/${WHOLE[weight]}.ttf`)
	await writeFile(`app/fonts/figures-${weight}.woff2`, await subsetFont(font, FIGURES, { targetFormat: 'woff2', preserveNameIds: [] }))
}
