/** The id of this visit, as the log and every error's reference show it. The server in front of Remix sets it on each request. */
export function readRequestId(request: Request): string {
	return request.headers.get('x-request-id') ?? 'unknown'
}
