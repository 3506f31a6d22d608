import { redirect } from '@remix-run/node'
import { z } from 'zod/v4'
import { type Broker } from '~/broker/client.server'
import { esignAddress } from '~/http/external-redirect.server'
import { ownPath } from '~/lib/own-path'
import { audit } from '~/session/audit.server'
import { createDraft, openFor, sealFor } from '~/session/sealed-cookie.server'

/* The way to the e-sign provider and back: what is to be signed is sealed, for this client alone, and lives as long as the request. */

/** Unsigned requests live a day. */
const LIFE_MS = 86_400_000
/** One cookie takes it: the broker's value may be 2,048 bytes long, and sealing makes three bytes four. */
const ROOM = 2500

const Signing = z.object({
	/** The broker's e-sign response. */
	response: z.string(),
	title: z.string(),
	lines: z.array(z.object({ label: z.string(), value: z.string() })),
	/** Where the change was asked for: a path of ours. */
	back: z.string(),
})
export type Signing = z.infer<typeof Signing>

/** The way leads through the provider's pages, where some telephones end the browser. */
const signings = createDraft('esign', 'esign', Signing, { outlivesBrowser: true })

/** Lines that do not fit are left out of what is shown, never out of what is signed. */
function fitLines(signing: Signing): Signing {
	const lines = [...signing.lines]
	while (Buffer.byteLength(JSON.stringify({ ...signing, lines })) > ROOM && lines.length > 0) lines.pop()
	return { ...signing, lines }
}

/** Seals what is to be signed, for a form. */
export function sealSigning({ clientCode }: Broker, signing: Signing): Promise<string> {
	return sealFor('esign', clientCode, fitLines(signing), Date.now() + LIFE_MS)
}

/** What was sealed, if it was sealed for this client less than a day ago. */
export function openSigning({ clientCode }: Broker, sealed: string): Promise<Signing | undefined> {
	return openFor(Signing, 'esign', clientCode, sealed)
}

/** The sealed text of the signing that this browser was last asked for, or ''. */
export const readLastSigning = signings.readSealed

function keepSigning({ clientCode }: Broker, signing: Signing, headers?: Headers): Promise<Headers> {
	return signings.keep(clientCode, fitLines(signing), Date.now() + LIFE_MS, headers)
}

/** The Set-Cookie headers that forget the last signing, appended to those given. */
export const forgetSigning = signings.forget

/**
 * After a change that has to be signed: the page that says what is about to be signed. `response` is the broker's answer;
 * `lines` are shown to the client, so mask what should not be read over a shoulder; `back` is a path of ours.
 */
export async function redirectToConfirm(broker: Broker, signing: Signing): Promise<Response> {
	const headers = await keepSigning(broker, { ...signing, back: ownPath(signing.back, '/myaccount') })
	return redirect('/esign', { status: 303, headers })
}

/**
 * To the provider at once, from a page that has shown what is signed, with the headers given. Undefined when the broker names a place
 * we send nobody to.
 */
export async function redirectToSign(request: Request, broker: Broker, signing: Signing, headers?: Headers): Promise<Response | undefined> {
	const address = esignAddress(request, signing.response)
	if (!address) return undefined
	audit('esign_opened', request, broker.clientCode)
	return redirect(address, { status: 303, headers: await keepSigning(broker, signing, headers) })
}
