declare module 'subset-font' {
	/** The font with only these characters. */
	export default function subsetFont(
		font: Buffer,
		characters: string,
		options: { targetFormat: 'woff2'; preserveNameIds: number[] },
	): Promise<Buffer>
}
