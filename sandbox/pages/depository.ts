import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod/v4'
import { formatMoment } from '#contract/values/moments'
import { formatRupees } from '#contract/values/money'
import { confirmPledge, findPledge, notePledgeOutcome, type StoredPledgeRequest } from '#sandbox/depository/pledge-requests'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { buildReturnAddress, layout, wideTable } from './layout'

const Token = z.string().regex(/^[A-Za-z0-9_-]{43}$/)
const Outcome = z.object({ response: Token, outcome: z.enum(['confirm', 'cancel', 'fail']) })

/** The most common reason of a failed confirmation at a depository. */
const DEPOSITORY_FAILED = 'The depository did not take the OTP'

const grouped = new Intl.NumberFormat('en-IN')

const TITLE = 'Depository'

const waiting = ({ token, client, reference, action, purpose, lines, confirmBy }: StoredPledgeRequest) =>
	html`<p>
			Account <strong>${client}</strong>, request ${reference}:
			${action === 'pledge' ? `pledge in favour of the broker, for margin${purpose === 'MTF' ? ' funding' : ''}` : 'release from the pledge in favour of the broker'}
		</p>
		${wideTable(
			['Security', 'ISIN', 'Quantity', 'Margin'],
			lines.map(
				({ isin, name, qty, margin }) =>
					html`<tr>
						<th scope="row">${name}</th>
						<td>${isin}</td>
						<td>${grouped.format(qty)}</td>
						<td>${formatRupees(margin)}</td>
					</tr>`,
			),
		)}
		<p class="muted">
			Confirm by ${formatMoment(confirmBy)}. A real depository sends you an OTP here; the sandbox lets you choose how that ends.
		</p>
		<form method="post" action="/depository">
			<input type="hidden" name="response" value="${token}" />
			<button name="outcome" value="confirm">Confirm</button> <button name="outcome" value="cancel">Cancel</button>
			<button name="outcome" value="fail">Fail</button>
		</form>`

const over = (parts: SandboxParts, order: StoredPledgeRequest) =>
	html`<p>
			${order.status === 'CONFIRMED' ? 'This has been confirmed already.' : 'This was not confirmed in time. There is nothing to confirm any more.'}
		</p>
		<p><a href="${backTo(parts, order, order.status === 'CONFIRMED' ? 'confirmed' : 'failed')}">Back to the portal</a></p>`

const invalid = ({ settings }: SandboxParts, c: Context<SandboxEnv>) =>
	c.html(layout(settings.brokerName, TITLE, html`<p>This link to the depository is not valid.</p>`), 404)

/**
 * The depository's page. It stands for another site, where the client confirms a pledge before returning to the portal. Only this client
 * knows the token in the form, so no other site can post it.
 */
export function depositoryPage(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	addRedirectFromEsign(routes, parts)
	addDepositoryPage(routes, parts)
	addDepositoryAnswer(routes, parts)
	return routes
}

const backTo = ({ settings }: SandboxParts, { reference }: StoredPledgeRequest, status: 'confirmed' | 'cancelled' | 'failed') =>
	buildReturnAddress(settings.portalUrl, '/dpprocess/pledge/return', { ref: reference, status })

async function findOrder(parts: SandboxParts, response: string | undefined): Promise<StoredPledgeRequest | undefined> {
	const token = Token.safeParse(response)
	return token.success ? await findPledge(parts, token.data) : undefined
}

function addRedirectFromEsign(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	// A portal opens a response that is only a token at its one configured address. When the token is not an e-sign's, this redirects it
	// to the depository's page.
	routes.get('/esign', async (c, next) => {
		const order = await findOrder(parts, c.req.query('response'))
		return order ? c.redirect(`/depository?response=${order.token}`, 303) : await next()
	})
}

function addDepositoryPage(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { settings } = parts
	routes.get('/depository', async (c) => {
		const order = await findOrder(parts, c.req.query('response'))
		if (order === undefined) return invalid(parts, c)
		return c.html(layout(settings.brokerName, TITLE, order.status === 'WAITING' ? waiting(order) : over(parts, order)))
	})
}

function addDepositoryAnswer(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	routes.post('/depository', async (c) => {
		const posted = Outcome.safeParse(await c.req.parseBody())
		const order = posted.success ? await findOrder(parts, posted.data.response) : undefined
		if (!posted.success || order === undefined) return invalid(parts, c)
		const { response, outcome } = posted.data
		if (outcome !== 'confirm') {
			await notePledgeOutcome(
				parts,
				response,
				outcome === 'cancel' ? 'CANCELLED' : 'FAILED',
				outcome === 'cancel' ? null : DEPOSITORY_FAILED,
			)
			return c.redirect(backTo(parts, order, outcome === 'cancel' ? 'cancelled' : 'failed'), 303)
		}
		await confirmPledge(parts, response)
		const isConfirmed = (await findPledge(parts, response))?.status === 'CONFIRMED'
		return c.redirect(backTo(parts, order, isConfirmed ? 'confirmed' : 'failed'), 303)
	})
}
