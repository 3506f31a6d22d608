import { parse, serialize } from 'hono/utils/cookie'
import { redirect } from '@remix-run/node'
import { z } from 'zod/v4'
import { type Broker } from '~/broker/client.server'
import { ownPath } from '~/lib/own-path'
import { log } from '~/log.server'
import { esignAddress } from '~/redirects.server'
import { cookieName, cookieOptions, seal, unseal } from '~/seal.server'
import { requestIdOf } from '~/session.server'

/* The way to the e-sign provider and back: what is to be signed is sealed, for this client alone, and lives as long as the request. */

const COOKIE = cookieName('esign')
/** Unsigned requests live a day. */
const LIFE_MS = 86_400_000
/** A browser keeps 4,096 bytes a cookie; the broker's value may take 2,048 of them and sealing makes three bytes four. */
const ROOM = 2700

const Signing = z.object({
	client: z.string(),
	/** The broker's e-sign response. */
	response: z.string(),
	title: z.string(),
	lines: z.array(z.object({ label: z.string(), value: z.string() })),
	/** Where the change was asked for: a path of ours. */
	back: z.string(),
	at: z.number(),
})
type Signing = z.infer<typeof Signing>

export type NewSigning = Omit<Signing, 'client' | 'at'>

/** Seals what is to be signed, for a form or the cookie. Lines that do not fit are left out of what is shown, never out of what is signed. */
export async function sealSigning({ clientCode }: Broker, signing: NewSigning): Promise<string> {
	const lines = [...signing.lines]
	const text = () => JSON.stringify({ ...signing, lines, client: clientCode, at: Date.now() } satisfies Signing)
	while (Buffer.byteLength(text()) > ROOM && lines.length > 0) lines.pop()
	return seal('esign', text())
}

/** What was sealed, if it was sealed for this client less than a day ago. */
export async function openSigning({ clientCode }: Broker, sealed: string): Promise<Signing | undefined> {
	const text = sealed && (await unseal('esign', sealed))
	if (!text) return undefined
	const signing = Signing.parse(JSON.parse(text))
	return signing.client === clientCode && Date.now() - signing.at < LIFE_MS ? signing : undefined
}

/** The sealed text of the signing that this browser was last asked for, or ''. */
export function lastSigning(request: Request): string {
	return parse(request.headers.get('cookie') ?? '')[COOKIE] ?? ''
}

function cookieOf(sealed: string): string {
	return serialize(COOKIE, sealed, { ...cookieOptions, sameSite: 'Lax', maxAge: LIFE_MS / 1000 })
}

/** The Set-Cookie that forgets the last signing. */
export function forgetSigning(): string {
	return serialize(COOKIE, '', { ...cookieOptions, sameSite: 'Lax', maxAge: 0, expires: new Date(0) })
}

/**
 * After a change that has to be signed: the page that says what is about to be signed. `response` is the broker's answer;
 * `lines` are shown to the client, so mask what should not be read over a shoulder; `back` is a path of ours.
 */
export async function handOver(broker: Broker, signing: NewSigning): Promise<Response> {
	const headers = { 'set-cookie': cookieOf(await sealSigning(broker, { ...signing, back: ownPath(signing.back, '/myaccount') })) }
	return redirect('/esign', { status: 303, headers })
}

/** To the provider at once, from a page that has shown what is signed. Undefined when the broker names a place we send nobody to. */
export async function leaveToSign(request: Request, broker: Broker, signing: NewSigning): Promise<Response | undefined> {
	const address = esignAddress(request, signing.response)
	if (!address) return undefined
	log.info({ event: 'esign_opened', reference: requestIdOf(request) }, 'A client went to sign')
	return redirect(address, { status: 303, headers: { 'set-cookie': cookieOf(await sealSigning(broker, signing)) } })
}
