import { stat } from 'node:fs/promises'
import path from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { type MiddlewareHandler } from 'hono'

/* The files of public/, which the build copies to build/client: icons, and a broker's logo. */

const NAME = '.+\\.(?:ico|svg|png|jpe?g|webp|avif|gif|txt|webmanifest)'

/** The pattern of their addresses, also in folders. */
export const PUBLIC_FILES = `/:file{${NAME}}`

/** Their names have no hash of the content, so a browser keeps a file for an hour only. Passes on what is no file. */
export function servePublicFiles(clientFiles: string): MiddlewareHandler {
	const serve = serveStatic({ root: clientFiles })
	return async (c, next) => {
		const file = await serve(c, async () => {})
		if (!file) return next()
		file.headers.set('cache-control', 'public, max-age=3600')
		return file
	}
}

/** Throws when the setting is a path of a file that the portal does not serve. An https address is not checked. */
export async function checkLogo(logo: string | undefined, clientFiles: string): Promise<void> {
	if (!logo?.startsWith('/')) return
	const [name = ''] = logo.split(/[?#]/)
	const isNamed = new RegExp(`^/${NAME}$`).test(name) && !/%|\\|\/[./]/.test(name)
	const isFile = isNamed && (await stat(path.join(clientFiles, name)).catch(() => undefined))?.isFile()
	if (!isFile)
		throw new Error(
			'The portal cannot start with these settings:\n  BRAND_LOGO: there is no picture at this path: put the file into public/ and build again, or use an https address',
		)
}
