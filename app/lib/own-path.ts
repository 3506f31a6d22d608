import { safeRedirect } from 'remix-utils/safe-redirect'

const LONGEST = 2000

/** A path of this portal, or the fallback: never another site, whatever slashes, schemes or control characters the query contains. */
export function ownPath(wanted: unknown, fallback = '/dashboard'): string {
	if (typeof wanted !== 'string' || wanted.length > LONGEST) return fallback
	// Browsers drop tabs and newlines from addresses, and the rest may be another site.
	if (/[\p{Cc} \\]|%5c|%0[0-9a-f]/iu.test(wanted)) return fallback
	const path = safeRedirect(wanted, fallback)
	const { origin, pathname, search } = new URL(path, 'http://portal.invalid')
	if (origin !== 'http://portal.invalid' || pathname.startsWith('//')) return fallback
	// The data of a page, which scripts load.
	if (pathname.endsWith('.data')) return fallback
	return pathname + search
}

/** True for the path of a file, which is no page to return to. */
export const isDownload = (pathname: string) => /^\/(client\/)?downloads\//.test(pathname)

/**
 * The path to open after login: a path of the portal, and the dashboard in place of the login and logout pages. A file is offered by the
 * page of downloads: itself it would leave the login form on the screen, or an empty page.
 */
export function pathAfterLogin(wanted: unknown): string {
	const path = ownPath(wanted)
	if (isDownload(path)) return `/reports/downloads?${new URLSearchParams({ file: path })}`
	return /^\/(login|logout)\b/.test(path) ? '/dashboard' : path
}
