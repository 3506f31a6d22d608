import { isDownload, ownPath } from '~/lib/own-path'

/**
 * The path of the portal's page that has the link, from the Referer. The Referer's host is compared with the host of this request and
 * then dropped. The path is never a download: a failed download would redirect to itself for ever.
 */
export function cameFrom(request: Request, fallback: string): string {
	const referer = request.headers.get('referer')
	if (!referer || !URL.canParse(referer)) return fallback
	const { host, pathname, search } = new URL(referer)
	const isPage = host === request.headers.get('host') && !isDownload(pathname)
	return isPage ? ownPath(pathname + search, fallback) : fallback
}
