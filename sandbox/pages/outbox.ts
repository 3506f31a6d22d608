import { Hono } from 'hono'
import { html } from 'hono/html'
import { formatMoment } from '#contract/values/moments'
import { listMessages } from '#sandbox/messages/outbox'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { layout, wideTable } from './layout'

/** Every message that a real broker would have sent, newest first. */
export function outboxPage(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()

	routes.get('/outbox', async (c) => {
		const client = c.req.query('client')?.trim().toUpperCase() ?? ''
		const messages = await listMessages(parts, client === '' ? undefined : client)
		const rows = messages.map(
			(message) =>
				html`<tr>
					<td>${formatMoment(message.sent_at)}</td>
					<td><a href="/outbox?client=${encodeURIComponent(message.client)}">${message.client}</a></td>
					<td>${message.channel === 'SMS' ? 'SMS' : 'E-mail'} to ${message.recipient}</td>
					<td><strong>${message.subject}</strong><br />${message.body}</td>
				</tr>`,
		)
		const table = wideTable(['Sent', 'Client', 'To', 'Message'], rows)
		const body = html`<form method="get" action="/outbox">
				<label for="client">Client</label>
				<input id="client" name="client" value="${client}" size="12" maxlength="12" /> <button>Show</button>
			</form>
			${messages.length === 0 ? html`<p>No messages yet.</p>` : table}`
		return c.html(layout(parts.settings.brokerName, 'Outbox', body))
	})
	return routes
}
