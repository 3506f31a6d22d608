import { Hono, type Context } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod/v4'
import { formatMoment } from '#contract/values/moments'
import { Refused } from '#sandbox/api/responses'
import { findConsequence } from '#sandbox/esign/effects'
import { type Esign, findEsign, noteOutcome, signEsign } from '#sandbox/esign/esign'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { buildReturnAddress, renderFacts, layout } from './layout'

const Token = z.string().regex(/^[A-Za-z0-9_-]{43}$/)
const Outcome = z.object({ response: Token, outcome: z.enum(['sign', 'cancel', 'fail']) })

/** The most common reason of a failed Aadhaar e-sign. */
const PROVIDER_FAILED = 'The name on the Aadhaar did not match the account'

const waiting = ({ token, title, reference, client, lines, expiresAt }: Esign) =>
	html`<p>You are signing for account <strong>${client}</strong>, request ${reference}:</p>
		<h2>${title}</h2>
		${renderFacts(lines.map(({ label, value }) => [label, value] as const))}
		<p class="muted">
			Valid until ${formatMoment(expiresAt)}. A real provider asks for your Aadhaar number and an OTP here; the sandbox lets you choose how
			that ends.
		</p>
		<form method="post" action="/esign">
			<input type="hidden" name="response" value="${token}" />
			<button name="outcome" value="sign">Sign</button> <button name="outcome" value="cancel">Cancel</button>
			<button name="outcome" value="fail">Fail</button>
		</form>`

const over = (parts: SandboxParts, esign: Esign) =>
	html`<p>
			${
				esign.status === 'SIGNED'
					? 'This has been signed already.'
					: esign.status === 'WITHDRAWN'
						? 'This request was taken back. There is nothing to sign.'
						: 'This request was not signed in time. There is nothing to sign any more.'
			}
		</p>
		<p><a href="${backTo(parts, esign, esign.status === 'SIGNED' ? 'signed' : 'failed')}">Back to the portal</a></p>`

/**
 * The e-sign provider's page. It stands for another site, which shows the content to sign and sends the client back to the portal. Only
 * this client knows the token in the form, so no other site can post it, and no Origin is required (text browsers send none).
 */
export function esignPage(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	addEsignPage(routes, parts)
	addEsignSignPage(routes, parts)
	addEsignAnswer(routes, parts)
	return routes
}

const backTo = ({ settings }: SandboxParts, { reference }: Esign, status: 'signed' | 'cancelled' | 'failed') =>
	buildReturnAddress(settings.portalUrl, '/esign/return', { ref: reference, status })

async function show(parts: SandboxParts, c: Context<SandboxEnv>) {
	const { settings } = parts

	const token = Token.safeParse(c.req.query('response'))
	const esign = token.success ? await findEsign(parts, { token: token.data }) : undefined
	if (esign === undefined) return c.html(layout(settings.brokerName, 'E-sign', html`<p>This e-sign link is not valid.</p>`), 404)
	return c.html(layout(settings.brokerName, 'E-sign', esign.status === 'WAITING' ? waiting(esign) : over(parts, esign)))
}

/** Signs and returns the result. A request that can no longer take effect has failed, with the broker's reason. */
async function sign(parts: SandboxParts, { token }: Esign): Promise<'signed' | 'failed'> {
	try {
		await signEsign(parts, token, findConsequence)
	} catch (error) {
		if (!(error instanceof Refused)) throw error
		await noteOutcome(parts, token, 'FAILED', error.message)
	}
	return (await findEsign(parts, { token }))?.status === 'SIGNED' ? 'signed' : 'failed'
}

function addEsignPage(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	routes.get('/esign', (c) => show(parts, c))
}

function addEsignSignPage(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	routes.get('/esign/sign', (c) => show(parts, c))
}

function addEsignAnswer(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { settings } = parts
	routes.post('/esign', async (c) => {
		const posted = Outcome.safeParse(await c.req.parseBody())
		const esign = posted.success ? await findEsign(parts, { token: posted.data.response }) : undefined
		if (!posted.success || esign === undefined)
			return c.html(layout(settings.brokerName, 'E-sign', html`<p>This e-sign link is not valid.</p>`), 404)
		const { response, outcome } = posted.data
		if (outcome === 'sign') return c.redirect(backTo(parts, esign, await sign(parts, esign)), 303)
		await noteOutcome(parts, response, outcome === 'cancel' ? 'CANCELLED' : 'FAILED', outcome === 'cancel' ? null : PROVIDER_FAILED)
		return c.redirect(backTo(parts, esign, outcome === 'cancel' ? 'cancelled' : 'failed'), 303)
	})
}
