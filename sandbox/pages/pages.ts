import { Hono } from 'hono'
import { html } from 'hono/html'
import { formatDay, toIndianDay } from '#contract/values/dates'
import { type SandboxEnv } from '#sandbox/types'
import { control } from './control'
import { depositoryPage } from './depository'
import { docs } from './docs'
import { esignPage } from './esign'
import { journalPage } from './journal'
import { layout, STYLESHEET, wideTable } from './layout'
import { outboxPage } from './outbox'
import { type PageParts } from './page-parts'
import { payPages } from './pay'
import { rekycPage } from './rekyc'
import { reportLinkPage } from './report-link'
import { upiPage } from './upi'

const PAGE_PATHS = [
	'/',
	'/sandbox.css',
	'/outbox',
	'/journal',
	'/docs/*',
	'/esign/*',
	'/depository/*',
	'/rekyc/*',
	'/report-link',
	'/upi/*',
	'/pay',
	'/mandate',
	'/control/*',
]
/**
 * The content security policy of pages. The portal's address must be listed as a form target: Chromium refuses the redirect of a form
 * post to another origin that is not listed, and pages return to the portal that way.
 */
const formatPolicy = (portalUrl: string) =>
	`default-src 'none'; style-src 'self'; img-src data:; form-action 'self' ${portalUrl}; base-uri 'none'; frame-ancestors 'none'`

/** The sandbox's pages for people. */
export function pages(parts: PageParts) {
	const routes = new Hono<SandboxEnv>()
	const { settings, clock, personas = [] } = parts

	for (const path of PAGE_PATHS) {
		routes.use(path, async (c, next) => {
			await next()
			c.header('content-security-policy', formatPolicy(settings.portalUrl))
			c.header('x-content-type-options', 'nosniff')
			c.header('cache-control', 'no-store')
		})
	}
	routes.get('/sandbox.css', (c) => c.body(STYLESHEET, 200, { 'content-type': 'text/css; charset=utf-8' }))
	routes.get('/', (c) => {
		const body = html`<p>
				This is the sandbox broker that the portal talks to when no real broker is configured. Its clients, trades and money are made up;
				its accounting is not. Its clock says ${formatDay(toIndianDay(clock.now()))}.
			</p>
			<ul>
				<li><a href="/outbox">Outbox</a>: every SMS and e-mail it would have sent, codes included</li>
				<li><a href="/upi">UPI app</a>: the IPO mandates that wait for their client</li>
				<li><a href="/control">Control</a>: make its calls slow, fail or answer nonsense</li>
				<li><a href="/report-link">Report link</a>: open a client's reports without a login, as another product would</li>
				<li><a href="/journal">Journal</a>: its whole book, for hledger</li>
				<li><a href="/docs">API</a>: the calls it answers</li>
			</ul>
			<h2>Clients</h2>
			${wideTable(
				['Code', 'Password', 'Shows'],
				personas.map(
					({ code, password, shows }) =>
						html`<tr>
							<td><code>${code}</code></td>
							<td><code>${password}</code></td>
							<td>${shows}</td>
						</tr>`,
				),
			)}`
		return c.html(layout(settings.brokerName, 'Sandbox broker', body))
	})
	// First, because its rule for /control/* also covers the report links.
	routes.route('/', control(parts))
	routes.route('/', outboxPage(parts))
	routes.route('/', journalPage(parts))
	routes.route('/', rekycPage(parts))
	routes.route('/', depositoryPage(parts))
	routes.route('/', esignPage(parts))
	routes.route('/', reportLinkPage(parts))
	routes.route('/', upiPage(parts))
	routes.route('/', payPages(parts))
	routes.route('/', docs(parts))
	return routes
}
