import { type Context } from 'hono'
import { type SandboxSettings } from '#sandbox/settings'

/** The address of a page of the sandbox, as browsers reach it: `/pay` with a token. */
export function formatOwnAddress(c: Context, { url }: SandboxSettings, path: string, query: Record<string, string>): string {
	const address = new URL(path, url ?? new URL(c.req.url).origin)
	for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
	return address.href
}
