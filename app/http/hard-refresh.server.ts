/** `hardRefresh` when `Refresh` was pressed: the broker computes again (header hard-refresh), and no cached reply is used. */
export function readRefresh({ url }: { url: string | URL }): { hardRefresh: boolean } {
	return { hardRefresh: new URL(url).searchParams.has('refresh') }
}
