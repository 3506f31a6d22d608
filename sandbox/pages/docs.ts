import { Hono } from 'hono'
import { generateSpecs } from 'hono-openapi'
import { html } from 'hono/html'
import { listOperations } from '#sandbox/api/describe-operation'
import { type SandboxEnv } from '#sandbox/types'
import { layout, wideTable } from './layout'
import { type PageParts } from './pages'

/** The description of the API: for machines, and for people. */
export function docs({ settings, describe }: PageParts) {
	const routes = new Hono<SandboxEnv>()

	routes.get('/docs/openapi.json', async (c) => {
		const specs = await generateSpecs(describe(), {
			documentation: {
				openapi: '3.1.0',
				info: {
					title: `API of ${settings.brokerName}`,
					version: '1.0.0',
					description: 'Made from the schemas that the portal reads answers with.',
				},
				components: { securitySchemes: { authToken: { type: 'apiKey', in: 'header', name: 'auth-token' } } },
			},
		})
		return c.json(specs)
	})
	routes.get('/docs', (c) => {
		const rows = listOperations(describe()).map(
			({ id, method, path, summary }) =>
				html`<tr>
					<td><code>${id}</code></td>
					<td><code>${method} ${path}</code></td>
					<td>${summary}</td>
				</tr>`,
		)
		const body = html`<p>
				Every call but the login and the report link takes the headers <code>auth-token</code> (or <code>authToken</code>) and
				<code>client-code</code>. Answers are wrapped in <code>status</code>, <code>message</code>, <code>data</code>. Money is rupees,
				credit positive; days are YYYY-MM-DD; a year is the one it starts in. The whole description:
				<a href="/docs/openapi.json">openapi.json</a>.
			</p>
			${wideTable(['Operation', 'Call', 'What'], rows)}`
		return c.html(layout(settings.brokerName, 'API', body))
	})
	return routes
}
