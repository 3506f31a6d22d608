import { Hono } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod/v4'
import { findRekyc, finishRekyc, REKYC_ITEMS, findRekycReason } from '#sandbox/auth/rekyc'
import { readLastTradeDay } from '#sandbox/book/read-profile'
import { type Client } from '#sandbox/clients/clients'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { layout } from './layout'

const ITEM_WORDS: Record<(typeof REKYC_ITEMS)[number], string> = {
	PAN: 'PAN card',
	ADDRESS_PROOF: 'Proof of address, not older than three months',
	INCOME_PROOF: 'Proof of income, such as a bank statement of six months',
	ESIGN: 'Your signature, by Aadhaar e-sign',
}

const Posted = z.object({
	outcome: z.enum(['complete', 'cancel', 'fail']),
	given: z.preprocess((given) => (Array.isArray(given) ? given : given === undefined ? [] : [given]), z.array(z.enum(REKYC_ITEMS))),
})

/**
 * The re-KYC site, which opens when a dormant client selects "Start re-KYC". It stands for another site, which sends the client back to
 * the portal. Only this client knows the token in its address, so no login is needed and no other site can post.
 */
export function rekycPage(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	const { books, settings } = parts

	const backTo = (status: 'done' | 'cancelled' | 'failed') => `${settings.portalUrl}/rekyc?status=${status}`
	const notDue = () =>
		layout(settings.brokerName, 'Re-KYC', html`<p>No re-KYC is due here. <a href="${settings.portalUrl}/">Back to the portal</a></p>`)

	async function page(client: Client, token: string, missing: readonly (typeof REKYC_ITEMS)[number][] = []) {
		const reason = findRekycReason(await readLastTradeDay(books, client.code))
		const problem =
			missing.length === 0
				? ''
				: html`<div role="alert">
						<h2>There is a problem</h2>
						<ul>
							${missing.map((item) => html`<li><a href="#${item}">Give this: ${ITEM_WORDS[item]}</a></li>`)}
						</ul>
					</div>`
		const body = html`${problem}
			<p>Account ${client.code}: ${reason}. Under exchange rules it opens again once these have been given anew:</p>
			<form method="post" action="/rekyc/${token}">
				${REKYC_ITEMS.map(
					(item) =>
						html`<label for="${item}"><input type="checkbox" id="${item}" name="given" value="${item}" />${ITEM_WORDS[item]}</label>`,
				)}
				<p class="muted">A real re-KYC site takes the documents here; the sandbox takes your word for it.</p>
				<button name="outcome" value="complete">Complete re-KYC</button> <button name="outcome" value="cancel">Save and leave</button>
				<button name="outcome" value="fail">Fail</button>
			</form>`
		return layout(settings.brokerName, 'Re-KYC', body)
	}

	routes.get('/rekyc/:token', async (c) => {
		const token = c.req.param('token')
		const client = await findRekyc(parts, token)
		return client === undefined ? c.html(notDue(), 404) : c.html(await page(client, token))
	})

	routes.post('/rekyc/:token', async (c) => {
		const token = c.req.param('token')
		const [client, posted] = [await findRekyc(parts, token), Posted.safeParse(await c.req.parseBody({ all: true }))]
		if (client === undefined || !posted.success) return c.html(notDue(), 404)
		const { outcome, given } = posted.data
		if (outcome !== 'complete') return c.redirect(backTo(outcome === 'cancel' ? 'cancelled' : 'failed'), 303)
		const missing = REKYC_ITEMS.filter((item) => !given.includes(item))
		if (missing.length > 0) return c.html(await page(client, token, missing), 422)
		await finishRekyc(parts, client)
		return c.redirect(backTo('done'), 303)
	})
	return routes
}
