/** The id of this visit, shown in the log and as the reference of errors. The server in front of Remix sets it on each request. */
export function readRequestId(request: Request): string {
	return request.headers.get('x-request-id') ?? 'unknown'
}

/** The visitor's address, from the proxy when it is trusted. The same server sets it. */
export function readVisitor(request: Request): string {
	return request.headers.get('x-visitor-address') ?? 'unknown'
}
