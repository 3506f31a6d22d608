import { Hono } from 'hono'
import { html } from 'hono/html'
import { readLastTradeDay } from '#sandbox/book/read-profile'
import { findClient } from '#sandbox/clients'
import { type SandboxEnv, type SandboxParts } from '#sandbox/env'
import { REKYC_ITEMS, rekycReason } from '#sandbox/rekyc'
import { layout } from './layout'

const ITEM_WORDS: Record<(typeof REKYC_ITEMS)[number], string> = {
	PAN: 'PAN card',
	ADDRESS_PROOF: 'Proof of address, not older than three months',
	INCOME_PROOF: 'Proof of income, such as a bank statement of six months',
	ESIGN: 'Your signature, by Aadhaar e-sign',
}

/** Where a dormant client's "Start re-KYC" leads: says what is asked for. Nothing personal is shown, since nobody has signed in here. */
export function rekycPage({ books, settings }: SandboxParts) {
	const routes = new Hono<SandboxEnv>()

	routes.get('/rekyc/:client', async (c) => {
		const client = await findClient(books, c.req.param('client').toUpperCase())
		if (client === undefined || !client.isDormant) {
			const body = html`<p>No re-KYC is due for this account. <a href="/">Back to the sandbox</a></p>`
			return c.html(layout(settings.brokerName, 'Re-KYC', body), 404)
		}
		const reason = rekycReason(await readLastTradeDay(books, client.code))
		const body = html`<p>Account ${client.code}: ${reason}. Under exchange rules it opens again once these have been given anew:</p>
			<ol>
				${REKYC_ITEMS.map((item) => html`<li>${ITEM_WORDS[item]}</li>`)}
			</ol>
			<p>At a real broker the re-KYC site begins here. The sandbox does not take documents, so the account stays as it is.</p>`
		return c.html(layout(settings.brokerName, 'Re-KYC', body))
	})
	return routes
}
