/** True when `Refresh` was pressed: the broker is then asked to compute afresh (header hard-refresh), and nothing kept is shown. */
export function isRefresh(request: Request): boolean {
	return new URL(request.url).searchParams.has('refresh')
}
