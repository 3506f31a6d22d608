/** The text of a table in which a search found nothing. */
export function tellNoMatch(q: string): string {
	return `No entries match “${q}”.`
}
