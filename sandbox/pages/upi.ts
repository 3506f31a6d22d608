import { Hono } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod/v4'
import { formatDay } from '#contract/values/dates'
import { formatRupees } from '#contract/values/money'
import { answerMandate, listWaitingMandates } from '#sandbox/ipo/mandate'
import { TIMES } from '#sandbox/rules/ipo'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { layout, wideTable } from './layout'

const Posted = z.object({ outcome: z.enum(['approve', 'decline', 'other_account']) })

/**
 * A UPI app for all clients: the waiting mandates of IPO bids, with their buttons. It stands for a phone, so it has no links to other
 * pages.
 */
export function upiPage(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	const { books, settings } = parts

	routes.get('/upi', async (c) => {
		const waiting = await listWaitingMandates(books.db)
		const rows = waiting.map(
			({ token, client, upi_id, amount, application_no, name, close_date }) =>
				html`<tr>
					<td>
						<strong>${formatRupees(amount)}</strong> for ${name}<br /><small
							>${client}, ${upi_id}<br />${application_no}, until ${formatDay(close_date)} ${TIMES.mandate}</small
						>
					</td>
					<td>
						<form method="post" action="/upi/${token}">
							<button name="outcome" value="approve">Approve</button>
							<button name="outcome" value="decline">Decline</button>
							<button name="outcome" value="other_account">Approve from somebody else’s bank</button>
						</form>
					</td>
				</tr>`,
		)
		const body = html`<p>What the clients' UPI apps ask them to approve. The broker learns of it when it asks the exchange.</p>
			${waiting.length === 0 ? html`<p>No mandate waits.</p>` : wideTable(['Mandate', 'Answer'], rows)}`
		return c.html(layout(settings.brokerName, 'UPI app', body))
	})

	routes.post('/upi/:token', async (c) => {
		const posted = Posted.safeParse(await c.req.parseBody())
		const isDone = posted.success && (await answerMandate(parts, c.req.param('token'), posted.data.outcome))
		if (isDone) return c.redirect('/upi', 303)
		const body = html`<p>This mandate does not wait any more. <a href="/upi">Those that do</a></p>`
		return c.html(layout(settings.brokerName, 'UPI app', body), 409)
	})
	return routes
}
