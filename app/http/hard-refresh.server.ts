/** True when `Refresh` was pressed: the broker computes again (header hard-refresh), and no cached reply is used. */
export function isRefresh(request: Request): boolean {
	return new URL(request.url).searchParams.has('refresh')
}
