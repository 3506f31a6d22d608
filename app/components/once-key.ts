/** The key for a form that is shown again: the one that its answer names, where there is one; else the page's own. */
export function keyOf(sent: object | undefined, own: string): string {
	return sent && 'key' in sent && typeof sent.key === 'string' ? sent.key : own
}
