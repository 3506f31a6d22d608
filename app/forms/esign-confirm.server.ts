import { redirect } from '@remix-run/node'
import { z } from 'zod/v4'
import { type Broker } from '~/broker/client.server'
import { esignAddress } from '~/http/external-redirect.server'
import { ownPath } from '~/lib/own-path'
import { audit } from '~/session/audit.server'
import { createDraft } from '~/session/drafts.server'
import { openFor, sealFor } from '~/session/sealed-cookie.server'

/* The redirect to the e-sign provider and back. The details to sign are sealed for this client, and are valid as long as the request. */

/** Unsigned requests are valid for a day. */
const LIFE_MS = 86_400_000
/** Must fit one cookie: the broker's value may have 2,048 bytes, and sealing turns three bytes into four. */
const ROOM = 2500

/** The label of the line with what is registered today. `subject` names it: `mobile number`. */
export const labelNow = (subject: string | undefined) => (subject ? `Current ${subject}` : 'Now')
const isNow = (label: string) => /^(Now$|Current )/.test(label)

const Signing = z.object({
	/** The broker's e-sign response. */
	response: z.string(),
	title: z.string(),
	lines: z.array(z.object({ label: z.string(), value: z.string(), note: z.string().optional() })),
	/** The page where the change was requested: a path of ours. */
	back: z.string(),
})
export type Signing = z.infer<typeof Signing>

/** Some telephones close the browser while the provider's pages are open, so this outlives the browser. */
const signings = createDraft('esign', 'esign', Signing, { outlivesBrowser: true })

/** Lines that do not fit are not shown, but are still signed. What is registered now goes first, because it is not signed. */
function fitLines(signing: Signing): Signing {
	const fits = (lines: Signing['lines']) => Buffer.byteLength(JSON.stringify({ ...signing, lines })) <= ROOM
	if (fits(signing.lines)) return signing
	const lines = signing.lines.filter(({ label }) => !isNow(label))
	while (!fits(lines) && lines.length > 0) lines.pop()
	return { ...signing, lines }
}

/** Seals a signing, so that a form can carry it. */
export function sealSigning({ clientCode }: Broker, signing: Signing): Promise<string> {
	return sealFor('esign', clientCode, fitLines(signing), Date.now() + LIFE_MS)
}

/** The sealed signing, if it was sealed for this client less than a day ago. */
export function openSigning({ clientCode }: Broker, sealed: string): Promise<Signing | undefined> {
	return openFor(Signing, 'esign', clientCode, sealed)
}

/** The sealed text of the last signing of this browser, or ''. */
export const readLastSigning = signings.readSealed

function keepSigning({ clientCode }: Broker, signing: Signing, headers?: Headers): Promise<Headers> {
	return signings.keep(clientCode, fitLines(signing), Date.now() + LIFE_MS, headers)
}

/** The Set-Cookie headers that delete the last signing, appended to those given. */
export const forgetSigning = signings.forget

/**
 * After a change that needs a signature: redirects to the page that shows what will be signed. `response` is the broker's e-sign response.
 * `lines` are shown to the client. Mask private values. Show in full what the client has just typed, so that a typing error is seen.
 * `back` is a path of ours. The redirect has the headers given.
 */
export async function redirectToConfirm(broker: Broker, signing: Signing, headers: Headers): Promise<Response> {
	const kept = await keepSigning(broker, { ...signing, back: ownPath(signing.back, '/myaccount') }, headers)
	return redirect('/esign', { status: 303, headers: kept })
}

/** The message when `redirectToSign` returns undefined. */
export const UNAPPROVED = 'We cannot open the e-sign page because its address is not approved. Nothing has been signed.'

/**
 * Redirects to the provider from a page that has already shown what is signed, with the headers given. Undefined when the broker names an
 * address that is not allowed.
 */
export async function redirectToSign(request: Request, broker: Broker, signing: Signing, headers?: Headers): Promise<Response | undefined> {
	const address = esignAddress(broker, signing.response)
	if (!address) return undefined
	audit('esign_opened', request, broker.clientCode)
	return redirect(address, { status: 303, headers: await keepSigning(broker, signing, headers) })
}
