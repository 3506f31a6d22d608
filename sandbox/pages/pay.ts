import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod/v4'
import { formatRupees } from '#contract/values/money'
import { maskAccount } from '#sandbox/clients/masks'
import { endMandate, findMandate, type MandateRow } from '#sandbox/funds/mandates'
import { endPayin, findPayin, type Payin, PAYIN_LIFE_MS } from '#sandbox/funds/payins'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { buildReturnAddress, renderFacts, type Html, layout } from './layout'

const Token = z.string().regex(/^[A-Za-z0-9_-]{43}$/)
const PayOutcome = z.object({ token: Token, outcome: z.enum(['pay', 'wait', 'fail', 'cancel', 'other']) })
const MandateOutcome = z.object({ token: Token, outcome: z.enum(['confirm', 'refuse', 'cancel']) })

const show = ({ settings }: SandboxParts, c: Context<SandboxEnv>, title: string, body: Html, status: 200 | 404 = 200) =>
	c.html(layout(settings.brokerName, title, body), status)

const unknown = (parts: SandboxParts, c: Context<SandboxEnv>) =>
	show(parts, c, 'Payment', html`<p>This payment link is not valid.</p>`, 404)

/** True when the pay-in is open and in time. An expired page accepts no money. */
const isPayable = ({ clock }: SandboxParts, { status, waits_since, asked_at }: Payin) =>
	status === 'PENDING' && waits_since === null && clock.now().getTime() - asked_at.getTime() < PAYIN_LIFE_MS

const confirmation = ({ settings }: SandboxParts, { token, amount, bank_name, bank_acno, channel, frequency, reference }: MandateRow) =>
	html`${renderFacts([
			['At most, each time', formatRupees(amount)],
			['For', settings.brokerName],
			['From', `${bank_name} ${maskAccount(bank_acno)}`],
			['Frequency', frequency],
			['Confirmed by', { netbanking: 'Net banking', debitcard: 'Debit card', aadhaar: 'Aadhaar' }[channel] ?? channel],
			['Reference', reference],
		])}
		<p class="muted">A real bank asks who you are here; the sandbox lets you choose how that ends.</p>
		<form method="post" action="/mandate">
			<input type="hidden" name="token" value="${token}" />
			<button name="outcome" value="confirm">Confirm</button> <button name="outcome" value="refuse">Fail</button>
			<button name="outcome" value="cancel">Cancel</button>
		</form>`

/**
 * The payment gateway's page and the bank's mandate page. They stand for other sites: the portal sends the client there, and they send
 * the client back. Only this client knows the token in each form, so no other site can post it.
 */
export function payPages(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	addPayPage(routes, parts)
	addPayAnswer(routes, parts)
	addMandatePage(routes, parts)
	addMandateAnswer(routes, parts)
	return routes
}

const backTo = ({ settings }: SandboxParts, path: string, ref: string) => buildReturnAddress(settings.portalUrl, path, { ref })

function addPayPage(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { books, settings } = parts
	routes.get('/pay', async (c) => {
		const token = Token.safeParse(c.req.query('token'))
		const payin = token.success ? await findPayin(books.db, token.data) : undefined
		if (payin === undefined) return unknown(parts, c)
		const back = backTo(parts, '/funds/return', payin.request_id)
		if (!isPayable(parts, payin))
			return show(
				parts,
				c,
				'Payment',
				html`<p>This payment is over.</p>
					<p><a href="${back}">Back to the portal</a></p>`,
			)
		const { amount, mode, bank_name, bank_acno, upi_id, client, request_id } = payin
		const body = html`${renderFacts([
				['Amount', formatRupees(amount)],
				['To', `${settings.brokerName}, account ${client}`],
				['From', mode === 'UPI' ? (upi_id ?? '') : `${bank_name} ${maskAccount(bank_acno)}`],
				['Mode', mode === 'UPI' ? 'UPI' : 'Net banking'],
				['Reference', request_id],
			])}
			<p class="muted">A real gateway takes you to your bank here; the sandbox lets you choose how that ends.</p>
			<form method="post" action="/pay">
				<input type="hidden" name="token" value="${payin.token}" />
				<button name="outcome" value="pay">Pay</button> <button name="outcome" value="wait">Pay, bank answers later</button>
				<button name="outcome" value="fail">Fail</button> <button name="outcome" value="cancel">Cancel</button>
				<button name="outcome" value="other">Pay from another account</button>
			</form>`
		return show(parts, c, 'Payment', body)
	})
}

function addPayAnswer(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { books } = parts
	routes.post('/pay', async (c) => {
		const posted = PayOutcome.safeParse(await c.req.parseBody())
		const payin = posted.success ? await findPayin(books.db, posted.data.token) : undefined
		if (!posted.success || payin === undefined) return unknown(parts, c)
		await endPayin(parts, payin.token, posted.data.outcome)
		return c.redirect(backTo(parts, '/funds/return', payin.request_id), 303)
	})
}

function addMandatePage(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { books } = parts
	routes.get('/mandate', async (c) => {
		const token = Token.safeParse(c.req.query('token'))
		const mandate = token.success ? await findMandate(books.db, token.data) : undefined
		if (mandate === undefined) return unknown(parts, c)
		const back = backTo(parts, '/funds/e-mandate', mandate.reference)
		if (mandate.status !== 'STARTED')
			return show(
				parts,
				c,
				'Mandate',
				html`<p>There is nothing to confirm any more.</p>
					<p><a href="${back}">Back to the portal</a></p>`,
			)
		return show(parts, c, 'Mandate', confirmation(parts, mandate))
	})
}

function addMandateAnswer(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { books } = parts
	routes.post('/mandate', async (c) => {
		const posted = MandateOutcome.safeParse(await c.req.parseBody())
		const mandate = posted.success ? await findMandate(books.db, posted.data.token) : undefined
		if (!posted.success || mandate === undefined) return unknown(parts, c)
		await endMandate(parts, mandate.token, posted.data.outcome)
		return c.redirect(backTo(parts, '/funds/e-mandate', mandate.reference), 303)
	})
}
