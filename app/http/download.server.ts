import { type LoaderFunctionArgs } from '@remix-run/node'
import { type Broker, BrokerRefusal, readFailure } from '~/broker/client.server'
import { type FileKind as BrokersFileKind, FILE_KINDS } from '~/broker/file-kinds.server'
import { openTransfer } from '~/broker/transfers.server'
import { getSession, requireBroker, touchHeaders } from '~/session/session.server'
import { redirectWithToast } from '~/session/toast.server'
import { cameFrom } from './came-from.server'
import { findDisconnectSignal } from './client-disconnect.server'

export type FileKind = BrokersFileKind | 'csv'

/** `isOwn`: the portal has made it, and not the broker. A CSV always is. */
type OpenedFile = { name: string; kind: FileKind; body: ReadableStream<Uint8Array>; isOwn?: boolean }

export type FileAsked = { broker: Broker; url: URL; params: LoaderFunctionArgs['params']; request: Request }

type ServeOptions = {
	/** A page fetches the file by itself: a failure leads to `page` and to no other, which would fetch and fail again for ever. */
	isFetchedByPage?: boolean
}

/** A loader that sends a file to its client. When the file fails, a plain link leads to `page`, unless another page has the link. */
export function serveFile(
	page: string | ((asked: FileAsked) => string),
	open: (asked: FileAsked) => Promise<OpenedFile>,
	{ isFetchedByPage = false }: ServeOptions = {},
) {
	return async ({ request, params }: LoaderFunctionArgs): Promise<Response> => {
		const asked = { broker: await requireBroker(request), url: new URL(request.url), params, request }
		try {
			return await sendFile(request, await open(asked))
		} catch (error) {
			const fallback = typeof page === 'string' ? page : page(asked)
			return await (isFetchedByPage ? failed : failedFile)(request, error, fallback)
		}
	}
}

/** For an address that names no file. This failure has no JSON, so it becomes a page even when a download fails with it. */
export const createNoFile = () => new Response('There is no such file.', { status: 404 })

/**
 * Streams a file under the portal's name for it, whatever name the broker used. `no-transform` stops proxies from compressing the file,
 * because a proxy holds the file for that. The cookies of the login session, or of the given report link, are sent with it. The portal's
 * own file counts as a download of the client; other files are counted where they are opened. Throws a BrokerRefusal with status 429 when
 * too many downloads run.
 */
export async function sendFile(
	request: Request,
	{ name, kind, body, isOwn = kind === 'csv' }: OpenedFile,
	link?: { clientCode: string; headers: Headers },
): Promise<Response> {
	const headers = link?.headers ?? (await touchHeaders(request))
	const owner = isOwn ? (link?.clientCode ?? (await getSession(request))?.clientCode) : undefined
	const counted = owner ? await countTransfer(request, owner, body) : body
	const safe = `${name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 80)}.${kind}`
	headers.set('content-type', kind === 'csv' ? 'text/csv; charset=utf-8' : FILE_KINDS[kind].type)
	headers.set('content-disposition', `attachment; filename="${safe}"; filename*=UTF-8''${encodeURIComponent(safe)}`)
	headers.set('cache-control', 'private, no-store, no-transform')
	return new Response(counted, { headers })
}

/** Our own files hold their rows in memory, so their number is limited too. */
async function countTransfer(request: Request, owner: string, body: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
	try {
		return await openTransfer(owner, findDisconnectSignal(request), async () => body)
	} catch (error) {
		await body.cancel()
		throw error
	}
}

/**
 * A failed download must never be saved as an error page. A script's request (`x-download: fetch`) gets the message; a plain link leads
 * back to its page, where the message is shown.
 */
export function failedFile(request: Request, error: unknown, fallback: string): Promise<Response> {
	return failed(request, error, cameFrom(request, fallback))
}

async function failed(request: Request, error: unknown, to: string): Promise<Response> {
	const { status, message } = await explainFailure(error)
	if (request.headers.get('x-download') === 'fetch') return Response.json({ message }, { status })
	return await redirectWithToast(to, { kind: 'error', message })
}

async function explainFailure(error: unknown): Promise<{ status: number; message: string }> {
	if (error instanceof BrokerRefusal) return { status: error.status === 429 ? 429 : 422, message: error.message }
	const failure = await readFailure(error)
	if (!failure) throw error
	return failure
}
