/** The text of a table in which a search found nothing. */
export function tellNoMatch(q: string): string {
	return `No entries match “${q}”.`
}

/** The same with a link to the table without the search. */
export function offerAll(q: string, href: string) {
	return { text: tellNoMatch(q), action: { href, label: 'Show all' } }
}
