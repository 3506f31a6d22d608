declare module 'subset-font' {
	/** Returns the font with only these characters. */
	export default function subsetFont(
		font: Buffer,
		characters: string,
		options: { targetFormat: 'woff2'; preserveNameIds: number[] },
	): Promise<Buffer>
}
