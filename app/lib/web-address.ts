/** A broker's link is shown only when it is a web address. */
export function webAddress(url: string | null): string | undefined {
	return url && URL.canParse(url) && new URL(url).protocol === 'https:' ? url : undefined
}
