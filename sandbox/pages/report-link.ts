import { Hono } from 'hono'
import { csrf } from 'hono/csrf'
import { html } from 'hono/html'
import { z } from 'zod/v4'
import { sendData, parseBody } from '#sandbox/api/responses'
import { createReportLink } from '#sandbox/auth/report-links'
import { findClient } from '#sandbox/clients/clients'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { layout } from './layout'

const LinkRequest = z.object({
	client: z
		.string()
		.trim()
		.toUpperCase()
		.regex(/^[A-Z0-9]{4,12}$/),
	/** How many minutes it is valid; 0 makes an expired link. */
	minutes: z.coerce.number().int().min(0).max(1440).default(30),
	/** The portal's address; without it, that of the settings. */
	portal: z.url({ protocol: /^https?$/ }).optional(),
})

/** Makes links to reports without a login, as another product of the broker does. JSON for tests at /control/report-links. */
export function reportLinkPage(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	const { books, settings, personas = [] } = parts

	async function linkFor({ client, minutes, portal = settings.portalUrl }: z.output<typeof LinkRequest>): Promise<URL | undefined> {
		if ((await findClient(books, client)) === undefined) return undefined
		const link = new URL('/client/reports', portal)
		for (const [name, value] of Object.entries(await createReportLink(parts, client, minutes * 60_000))) link.searchParams.set(name, value)
		return link
	}

	routes.post('/control/report-links', async (c) => {
		const link = await linkFor(await parseBody(c, LinkRequest))
		return sendData(c, 'Link made', link && { url: link.href, ...Object.fromEntries(link.searchParams) })
	})

	const page = (made?: URL | 'unknown') => {
		const options = personas.map(({ code }) => html`<option>${code}</option>`)
		const result =
			made === undefined
				? ''
				: made === 'unknown'
					? html`<p role="alert">There is no such client.</p>`
					: html`<p>
							The link: <a href="${made.href}"><code>${made.href}</code></a>
						</p>`
		const body = html`<p>Another product of the broker may send its client straight to a report. This makes such a link.</p>
			${result}
			<form method="post" action="/report-link">
				<label for="client">Client</label>${
					personas.length === 0
						? html`<input id="client" name="client" size="12" maxlength="12" required />`
						: html`<select id="client" name="client">
								${options}
							</select>`
				} <label for="minutes">Good for how many minutes (0: expired at once)</label
				><input id="minutes" name="minutes" inputmode="numeric" size="6" value="30" /> <label for="portal">Address of the portal</label
				><input id="portal" name="portal" size="40" value="${settings.portalUrl}" />
				<p><button>Make the link</button></p>
			</form>`
		return layout(settings.brokerName, 'Report link', body)
	}

	routes.get('/report-link', (c) => c.html(page()))
	routes.post('/report-link', csrf(), async (c) => {
		const asked = LinkRequest.safeParse(await c.req.parseBody())
		const made = asked.success ? await linkFor(asked.data) : undefined
		return c.html(page(made ?? 'unknown'), made === undefined ? 422 : 200)
	})
	return routes
}
