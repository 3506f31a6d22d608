import { type MiddlewareHandler } from 'hono'
import { type Settings } from '~/config/parse-settings.server'
import { type Env, REPORT_PATH } from './guard'

/** Set on every response. A Cache-Control set elsewhere (hashed assets, downloads) is kept. */
export function securityHeaders(settings: Settings): MiddlewareHandler<Env> {
	const logos = [settings.BRAND_LOGO, settings.BRAND_LOGO_DARK].flatMap((url) => (url?.startsWith('https:') ? [new URL(url).origin] : []))
	// Chromium refuses the redirect of a form post to another origin unless it is listed here.
	const forms = [
		"'self'",
		...settings.REDIRECT_ORIGINS,
		...[settings.ESIGN_URL, settings.REKYC_URL].flatMap((url) => (url ? [new URL(url).origin] : [])),
	]
	const policy = (nonce: string) =>
		[
			"default-src 'none'",
			`script-src 'self' 'nonce-${nonce}'`,
			`style-src 'self' 'nonce-${nonce}'`,
			`img-src ${["'self'", 'data:', ...new Set(logos)].join(' ')}`,
			"font-src 'self'",
			"connect-src 'self'",
			"manifest-src 'self'",
			`form-action ${[...new Set(forms)].join(' ')}`,
			"frame-ancestors 'none'",
			"base-uri 'none'",
			`report-uri ${REPORT_PATH}`,
			...(settings.isSecure ? ['upgrade-insecure-requests'] : []),
		].join('; ')

	return async (c, next) => {
		await next()
		const { headers } = c.res
		headers.set('content-security-policy', policy(c.var.nonce))
		headers.set('x-content-type-options', 'nosniff')
		headers.set('x-frame-options', 'DENY')
		headers.set('referrer-policy', 'same-origin')
		headers.set('cross-origin-opener-policy', 'same-origin')
		headers.set('cross-origin-resource-policy', 'same-origin')
		headers.set('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
		headers.set('x-request-id', c.var.requestId)
		if (settings.isSecure) headers.set('strict-transport-security', 'max-age=63072000; includeSubDomains')
		if (!headers.has('cache-control')) headers.set('cache-control', 'private, no-store')
	}
}
