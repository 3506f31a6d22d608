import { parse, serialize } from 'hono/utils/cookie'
import { z } from 'zod/v4'
import { type Broker } from '~/broker/client.server'
import { ClosureScope, Depository } from '~/broker/contract/closure'
import { cookieName, cookieOptions, seal, unseal } from '~/seal.server'

/* The closing form between its pages: sealed, for this client alone, and gone with the browser or after a day. */

const COOKIE = cookieName('closure')
const LIFE_MS = 86_400_000

const Draft = z.object({
	client: z.string(),
	reason: z.string(),
	clouser_for: ClosureScope,
	withTransfer: z.boolean(),
	/** Of a transfer whose files the broker has: where to, and the e-sign response that waits. */
	sent: z.object({ account_type: Depository, bo_id: z.string(), files: z.array(z.string()), response: z.string() }).optional(),
	at: z.number(),
})
type Draft = z.infer<typeof Draft>
export type NewDraft = Omit<Draft, 'client' | 'at'>

/** The draft of this client in this browser, or undefined. */
export async function readDraft(request: Request, { clientCode }: Broker): Promise<Draft | undefined> {
	const sealed = parse(request.headers.get('cookie') ?? '')[COOKIE]
	const text = sealed && (await unseal('closure', sealed))
	if (!text) return undefined
	const draft = Draft.parse(JSON.parse(text))
	return draft.client === clientCode && Date.now() - draft.at < LIFE_MS ? draft : undefined
}

/** The Set-Cookie that keeps a draft. */
export async function keepDraft({ clientCode }: Broker, draft: NewDraft): Promise<string> {
	const text = JSON.stringify({ ...draft, client: clientCode, at: Date.now() } satisfies Draft)
	return serialize(COOKIE, await seal('closure', text), { ...cookieOptions, sameSite: 'Lax' })
}

/** The Set-Cookie that forgets it. */
export function forgetDraft(): string {
	return serialize(COOKIE, '', { ...cookieOptions, sameSite: 'Lax', maxAge: 0, expires: new Date(0) })
}
