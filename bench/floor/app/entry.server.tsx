import { PassThrough } from 'node:stream'
import { createReadableStreamFromReadable, type EntryContext } from '@remix-run/node'
import { RemixServer } from '@remix-run/react'
import { renderToPipeableStream } from 'react-dom/server'

export default function handleRequest(request: Request, status: number, headers: Headers, context: EntryContext) {
	return new Promise<Response>((resolve, reject) => {
		const { pipe } = renderToPipeableStream(<RemixServer context={context} url={request.url} />, {
			onShellReady() {
				headers.set('content-type', 'text/html')
				resolve(new Response(createReadableStreamFromReadable(pipe(new PassThrough())), { status, headers }))
			},
			onShellError: reject,
		})
	})
}
