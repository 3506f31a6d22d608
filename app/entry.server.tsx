import { Writable } from 'node:stream'
import { type AppLoadContext, type EntryContext, type HandleErrorFunction } from '@remix-run/node'
import { isRouteErrorResponse, RemixServer } from '@remix-run/react'
import { renderToPipeableStream } from 'react-dom/server'
import { HELD, isOnlyRead } from '~/components/late-scripts'
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
export { forgetOperations } from '~/session/session.server'

declare module '@remix-run/node' {
	interface Future {
		v3_singleFetch: true
	}
	interface AppLoadContext {
		/** The nonce of this response's Content-Security-Policy. */
		nonce: string
		/** The visitor's address, from the proxy when it is trusted. */
		address: string
	}
}

/** The place of the used rules in a page that is not ready. */
const RULES_HERE = '/* rules */'
const rules = readRules(stylesheet)

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
	const html = await new Promise<Buffer<ArrayBuffer>>((resolve, reject) => {
		let failure: unknown
		const { pipe } = renderToPipeableStream(
			<DocumentContext.Provider value={{ nonce, styles: isFirstPage ? fonts + RULES_HERE : fonts, isFirstPage }}>
				<RemixServer context={ofThisPage(remixContext)} url={request.url} nonce={nonce} />
			</DocumentContext.Provider>,
			{
				nonce,
				onAllReady: () => (failure ? reject(failure) : pipe(collect(resolve))),
				onShellError: reject,
				onError: (error) => void (failure ??= error),
			},
		)
	})
	const { matches } = remixContext.staticHandlerContext
	const handles = matches.map(({ route }): unknown => route.handle)
	headers.set('content-type', 'text/html; charset=utf-8')
	const page = isOnlyRead(handles, new URL(request.url).search) ? holdScripts(html) : html
	return new Response(isFirstPage ? addUsedRules(page) : page, { status, headers })
}

/**
 * Puts the rules that the page uses into it, and the link to all rules at its end, where it does not delay the first paint. The
 * scripts of the page wait for that file, or are six times longer, so they can use every class.
 */
function addUsedRules(page: Buffer<ArrayBuffer>): string {
	const html = page.toString()
	const end = html.lastIndexOf(END)
	return `${html.slice(0, end).replace(RULES_HERE, () => takeUsedRules(rules, html))}<link rel="stylesheet" href="${stylesheetUrl}"/>${END}`
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

/**
 * Joins React's chunks (`buffer()` of node:stream/consumers goes through a Blob, a twentieth of a page's time). React 18 sends its
 * 2,048-byte chunks whole even when the last character, such as ₹, did not fit: one or two zero bytes then remain in the page, and a text
 * browser shows them.
 */
function collect(done: (whole: Buffer<ArrayBuffer>) => void): Writable {
	const pieces: Uint8Array[] = []
	return new Writable({
		write(piece: Uint8Array, _, next) {
			let end = piece.length
			while (end > 0 && piece[end - 1] === 0) end--
			pieces.push(piece.subarray(0, end))
			next()
		},
		final(next) {
			done(closeDocument(Buffer.concat(pieces)))
			next()
		},
	})
}

const END = '</body></html>'

/**
 * Remix writes the page's data after the end of the document, which HTML does not allow. Moves the data to the end of the body, as
 * browsers do.
 */
function closeDocument(page: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
	const at = page.lastIndexOf(END)
	if (at < 0) return page
	return Buffer.concat([page.subarray(0, at), page.subarray(at + END.length), Buffer.from(END)])
}

const PRELOAD = Buffer.from('<link rel="modulepreload"')
const MODULE = Buffer.from(' type="module"')

/**
 * Marks the elements that load the page's scripts, so that a browser does not load them before LateScripts does. React hydrates these
 * elements whatever values these attributes have.
 */
function holdScripts(page: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
	const from = page.indexOf(PRELOAD)
	const module = page.indexOf(MODULE, from)
	if (from < 0 || module < 0) return page
	const preloads = page.toString('utf8', from, module).replaceAll('rel="modulepreload"', `rel="${HELD.rel}"`)
	return Buffer.concat([page.subarray(0, from), Buffer.from(`${preloads} type="${HELD.type}"`), page.subarray(module + MODULE.length)])
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
