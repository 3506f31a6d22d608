declare module 'subset-font' {
	/** The font with these characters alone. */
	export default function subsetFont(
		font: Buffer,
		characters: string,
		options: { targetFormat: 'woff2'; preserveNameIds: number[] },
	): Promise<Buffer>
}
