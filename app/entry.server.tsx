import { text } from 'node:stream/consumers'
import { type AppLoadContext, type EntryContext, type HandleErrorFunction } from '@remix-run/node'
import { isRouteErrorResponse, RemixServer } from '@remix-run/react'
import { renderToString } from 'react-dom/server'
import ChangePasswordDialog from '~/components/change-password-dialog'
import { giveChangePassword } from '~/components/change-password-later'
import { HELD, isOnlyRead } from '~/components/late-scripts'
import { brandColours } from '~/config/brand-colours.server'
import { log } from '~/config/logger.server'
import { DocumentContext } from '~/http/document-context'
import { readRequestId } from '~/http/request-id.server'
import { readRules, takeUsedRules } from '~/http/used-rules.server'
import { redact } from '~/lib/redact'
import { noteStylesheet } from '~/session/preferences.server'
import stylesheet from './app.css?inline'
import stylesheetUrl from './app.css?url'
import fonts from './styles/fonts.css?inline'

export { trackLeaving } from '~/http/client-disconnect.server'
/** For tests that load the built portal and connect another broker to it. */
export { forgetOperations } from '~/broker/config.server'

declare module '@remix-run/node' {
	interface Future {
		v3_singleFetch: true
	}
	interface AppLoadContext {
		/** The nonce of this response's Content-Security-Policy. */
		nonce: string
	}
}

/** The place of the used rules in a page that is not ready. */
const RULES_HERE = '/* rules */'
const rules = readRules(stylesheet)
giveChangePassword(ChangePasswordDialog)

/**
 * Sends the whole page at once. Streaming has no use: without JavaScript, a part that arrives late cannot move to its place. The first
 * page of a browser contains the rules that it uses, which saves a round trip before the first paint, and loads the stylesheet's file
 * after that. Later pages link the file (docs/decisions/032).
 */
export default async function handleRequest(
	request: Request,
	status: number,
	headers: Headers,
	remixContext: EntryContext,
	{ nonce }: AppLoadContext,
) {
	const noted = noteStylesheet(request, stylesheetUrl)
	const isFirstPage = import.meta.env.PROD && !noted.isLoaded
	if (!noted.isLoaded) headers.append('set-cookie', noted.cookie)
	const { matches } = remixContext.staticHandlerContext
	// A font that comes late makes the browser lay out all text twice, and is not used (docs/decisions/034).
	const hasFonts = !isFirstPage || !matches.some(({ route }) => route.id === 'routes/shell')
	const styles = (hasFonts ? fonts : '') + brandColours + (isFirstPage ? RULES_HERE : '')
	const { serverHandoffStream, ...context } = ofThisPage(remixContext)
	const data = serverHandoffStream ? await text(serverHandoffStream) : ''
	const html = renderToString(
		<DocumentContext.Provider value={{ nonce, styles, hasFonts, isFirstPage }}>
			<RemixServer context={context} url={request.url} nonce={nonce} />
		</DocumentContext.Provider>,
	)
	if (!html.endsWith(END)) throw new Error('The root does not end the document')
	const handles = matches.map(({ route }): unknown => route.handle)
	headers.set('content-type', 'text/html; charset=utf-8')
	const page = isOnlyRead(handles, new URL(request.url).search) ? holdScripts(html) : html
	const handoff = context.renderMeta?.didRenderScripts ? passOn(data, nonce) : ''
	const whole = `<!DOCTYPE html>${page.slice(0, -END.length)}${handoff}`
	return new Response(`${isFirstPage ? addUsedRules(whole) : whole}${END}`, { status, headers })
}

/**
 * Puts the rules that the page uses into it, and the link to all rules at its end, where it does not delay the first paint. The
 * scripts of the page wait for that file (app/entry.client.tsx), so they can use every class.
 */
function addUsedRules(page: string): string {
	return `${page.replace(RULES_HERE, () => takeUsedRules(rules, page))}<link rel="stylesheet" href="${stylesheetUrl}"/>`
}

const END = '</body></html>'

/** The scripts that give the loaders' data to Remix in the browser, as its own component for streams writes them. */
function passOn(data: string, nonce: string): string {
	const literal = JSON.stringify(data).replaceAll(/[&<>\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
	// remix-serve has no nonce.
	const open = nonce ? `<script nonce="${nonce}">` : '<script>'
	const controller = 'window.__remixContext.streamController'
	return `${open}${controller}.enqueue(${literal});</script>${open}${controller}.close();</script>`
}

/**
 * The context with only the routes of this page and of the home page, which a browser must always be able to reach. The browser requests
 * other routes when needed. With the whole site map, Remix builds, flattens and ranks it three times per page, which takes a tenth of the
 * page's time.
 */
function ofThisPage(context: EntryContext): EntryContext {
	const ids = new Set(['home', 'routes/shell', ...context.staticHandlerContext.matches.map(({ route }) => route.id)])
	const routes = Object.fromEntries(Object.entries(context.manifest.routes).filter(([id]) => ids.has(id)))
	return { ...context, manifest: { ...context.manifest, routes } }
}

const MODULE = ' type="module"'

/**
 * Marks the elements that load the page's scripts, so that a browser does not load them before LateScripts does. React hydrates these
 * elements whatever values these attributes have.
 */
function holdScripts(page: string): string {
	const from = page.indexOf('<link rel="modulepreload"')
	const module = page.indexOf(MODULE, from)
	if (from < 0 || module < 0) return page
	const preloads = page.slice(from, module).replaceAll('rel="modulepreload"', `rel="${HELD.rel}"`)
	return `${page.slice(0, from)}${preloads} type="${HELD.type}"${page.slice(module + MODULE.length)}`
}

/**
 * Thrown Responses, and Remix's own about wrong addresses and methods, are replies and not faults. Every other error is ours to fix, and
 * is logged under the reference that the page shows.
 */
export const handleError: HandleErrorFunction = (error, { request }) => {
	if (request.signal.aborted || isRouteErrorResponse(error)) return
	const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
	// What Remix says about a request that no page of ours sends.
	if (/does not match the request|should not be making \?_data requests/.test(message)) return
	log.error(
		{
			event: 'page_failed',
			reference: readRequestId(request),
			error: redact(`${name}: ${message}`),
			stack: stack?.split('\n').slice(1, 4).join(' ').slice(0, 500),
		},
		'A page failed',
	)
}
