import { Hono } from 'hono'
import { generateSpecs } from 'hono-openapi'
import { html } from 'hono/html'
import { OPTIONAL_OPERATIONS, REQUIRED_OPERATIONS } from '#contract/operations'
import { listOperations, SECURITY, TAGS } from '#sandbox/api/describe-operation'
import { type SandboxEnv } from '#sandbox/types'
import { layout, wideTable } from './layout'
import { type PageParts } from './page-parts'

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
				tags: [
					{ name: TAGS.required, description: 'A broker must have these.' },
					{ name: TAGS.optional, description: 'Each adds something to pages that work without it.' },
				],
				components: { securitySchemes: SECURITY },
			},
		})
		return c.json(specs)
	})
	routes.get('/docs', (c) => {
		const summaries = new Map(listOperations(describe()).map(({ id, summary }) => [id, summary]))
		const required = REQUIRED_OPERATIONS.map(({ id, method, path, pages }) => writeRow([id, `${method} ${path}`, summaries.get(id), pages]))
		const optional = OPTIONAL_OPERATIONS.map(({ id, method, path, adds, pages }) =>
			writeRow([id, `${method} ${path}`, summaries.get(id), adds, pages]),
		)
		const body = html`<p>
				Every call but the login, the report link and a forgotten password takes the headers <code>auth-token</code> (under
				<code>/edis</code> and <code>/ipo</code> <code>authToken</code>) and <code>client-code</code>; the last call of a forgotten password
				takes <code>pwd-reset-token</code>. Answers are wrapped in <code>status</code>, <code>message</code>, <code>data</code>. Money is
				rupees, credit positive; days are YYYY-MM-DD; a year is the one it starts in. The whole description:
				<a href="/docs/openapi.json">openapi.json</a>.
			</p>
			<h2>Required (${required.length})</h2>
			<p>A broker must have these.</p>
			${wideTable(['Operation', 'Call', 'What', 'Pages'], required)}
			<h2>Optional (${optional.length})</h2>
			<p>The portal works without them. Each adds something for clients; where it is absent, the portal leaves that out.</p>
			${wideTable(['Operation', 'Call', 'What', 'What clients gain', 'Pages'], optional)}`
		return c.html(layout(settings.brokerName, 'API', body))
	})
	return routes
}

/** A table row whose first two cells, name and call, are code. */
function writeRow([id, call, ...rest]: readonly (string | undefined)[]) {
	return html`<tr>
		<td><code>${id}</code></td>
		<td><code>${call}</code></td>
		${rest.map((text) => html`<td>${text}</td>`)}
	</tr>`
}
