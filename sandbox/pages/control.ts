import { Hono } from 'hono'
import { csrf } from 'hono/csrf'
import { createMiddleware } from 'hono/factory'
import { html } from 'hono/html'
import { z } from 'zod/v4'
import { formatMoment } from '#contract/values/moments'
import { listOperations } from '#sandbox/api/describe-operation'
import { sendData, sendRefusal, parseBody, Refused } from '#sandbox/api/responses'
import { revokeSessions } from '#sandbox/auth/sessions'
import { FaultRequest } from '#sandbox/faults/faults'
import { type SandboxEnv } from '#sandbox/types'
import { type Html, layout } from './layout'
import { type PageParts } from './page-parts'

const Named = z.object({
	client: z
		.string()
		.trim()
		.toUpperCase()
		.regex(/^[A-Z0-9]{3,12}$/),
})

/** How far to move the clock ahead. It never goes back, because past events have happened. */
const Ahead = z.object({
	days: z.coerce.number().int().min(0).max(400).default(0),
	minutes: z.coerce.number().int().min(0).max(100_000).default(0),
})
const toMs = ({ days, minutes }: z.output<typeof Ahead>) => days * 86_400_000 + minutes * 60_000

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Allows the JSON calls only under a loopback name, because a page of another site can point its own name at this machine (DNS
 * rebinding). A body must be declared as JSON: a browser sends that to another site only after a preflight.
 */
const requireLocalJson = createMiddleware<SandboxEnv>(async (c, next) => {
	if (c.req.path === '/control') return await next()
	const { hostname } = new URL(c.req.url)
	if (!LOOPBACK.test(hostname)) return sendRefusal(c, new Refused(403, 'Control calls are answered at a loopback address only'))
	const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
	if (c.req.method === 'POST' && type !== 'application/json') return sendRefusal(c, new Refused(415, 'Send application/json'))
	return await next()
})

/**
 * Controls of the sandbox: makes calls fail on purpose, ends sessions, and shows the calls made. JSON for tests, one page for people.
 */
export function control(parts: PageParts) {
	const routes = new Hono<SandboxEnv>()
	const { faults, requests, settings, clock, advanceClock } = parts

	routes.use('/control/*', requireLocalJson)
	routes.get('/control/faults', (c) => sendData(c, 'Faults', faults.list()))
	routes.post('/control/faults', async (c) => sendData(c, 'Fault added', faults.add(await parseBody(c, FaultRequest))))
	routes.delete('/control/faults', (c) => {
		faults.clear()
		return sendData(c, 'Faults cleared', null)
	})
	routes.delete('/control/faults/:id', (c) => {
		faults.remove(Number(c.req.param('id')))
		return sendData(c, 'Fault cleared', null)
	})
	routes.post('/control/expire', async (c) => {
		const { client } = await parseBody(c, Named)
		return sendData(c, 'Sessions ended', { ended: await revokeSessions(parts, client) })
	})
	routes.get('/control/clock', (c) => sendData(c, 'Clock', { now: clock.now().toISOString() }))
	routes.post('/control/clock', async (c) => {
		await advanceClock(toMs(await parseBody(c, Ahead)))
		return sendData(c, 'Clock moved ahead', { now: clock.now().toISOString() })
	})
	routes.get('/control/log', (c) => sendData(c, 'Requests, oldest first', requests.list()))
	routes.delete('/control/log', (c) => {
		requests.clear()
		return sendData(c, 'Log cleared', null)
	})

	routes.get('/control', (c) => c.html(layout(settings.brokerName, 'Control', controlPage(parts))))
	routes.post('/control', csrf(), async (c) => {
		const form = Object.fromEntries(Object.entries(await c.req.parseBody()).filter(([, value]) => value !== ''))
		if (form.intent === 'clear_faults') faults.clear()
		if (form.intent === 'remove_fault') faults.remove(Number(form.id))
		const asked = FaultRequest.safeParse(form)
		if (form.intent === 'add_fault' && asked.success) faults.add(asked.data)
		const named = Named.safeParse(form)
		if (form.intent === 'expire_sessions' && named.success) await revokeSessions(parts, named.data.client)
		const ahead = Ahead.safeParse(form)
		if (form.intent === 'advance_clock' && ahead.success) await advanceClock(toMs(ahead.data))
		return c.redirect('/control', 303)
	})
	return routes
}

function controlPage({ faults, requests, describe, clock }: PageParts): Html {
	const operations = ['*', ...listOperations(describe()).map(({ id }) => id)]
	const options = (names: readonly string[]) => names.map((name) => html`<option>${name}</option>`)
	const active = drawFaults(faults)
	return html`<h2>Faults</h2>
		${
			active.length === 0
				? html`<p>None: every call answers as it should.</p>`
				: html`<table>
						<tbody>
							${active}
						</tbody>
					</table>`
		}
		<form method="post" action="/control">
			<label for="operation">Call</label
			><select id="operation" name="operation">
				${options(operations)}
			</select>
			<label for="kind">What happens</label
			><select id="kind" name="kind">
				${options(FaultRequest.shape.kind.options)}
			</select>
			<label for="only">Only for client</label><input id="only" name="client" size="12" maxlength="12" />
			<label for="count">How many times (empty: until cleared)</label><input id="count" name="count" inputmode="numeric" size="6" />
			<label for="ms">Milliseconds, for slow</label><input id="ms" name="ms" inputmode="numeric" size="8" />
			<label for="mb">Megabytes, for huge</label><input id="mb" name="mb" inputmode="numeric" size="6" />
			<p><button name="intent" value="add_fault">Add fault</button> <button name="intent" value="clear_faults">Clear all faults</button></p>
		</form>
		<h2>End a client's sessions</h2>
		<form method="post" action="/control">
			<label for="client">Client</label><input id="client" name="client" size="12" maxlength="12" required />
			<button name="intent" value="expire_sessions">Expire tokens</button>
		</form>
		<h2>Clock</h2>
		<p>
			It is ${formatMoment(clock.now())} here. What has come due by then happens at once for clients who are signed in, for others at their
			next call.
		</p>
		<form method="post" action="/control">
			<label for="days">Days</label><input id="days" name="days" inputmode="numeric" size="4" /> <label for="minutes">Minutes</label
			><input id="minutes" name="minutes" inputmode="numeric" size="6" />
			<button name="intent" value="advance_clock">Move ahead</button>
		</form>
		<h2>Last requests</h2>
		<p class="muted">All of them: <a href="/control/log">/control/log</a></p>
		<div class="wide">
			<table>
				<tbody>
					${drawRequests(requests)}
				</tbody>
			</table>
		</div>`
}

function drawFaults(faults: PageParts['faults']): Html[] {
	return faults.list().map(
		(fault) =>
			html`<tr>
				<td>${fault.operation}</td>
				<td>${fault.kind}${fault.kind === 'slow' ? ` ${fault.ms} ms` : ''}${fault.kind === 'huge' ? ` ${fault.mb} MB` : ''}</td>
				<td>${fault.client ?? 'every client'}</td>
				<td>${fault.count === undefined ? 'until cleared' : `${fault.count} more`}</td>
				<td>
					<form method="post" action="/control">
						<input type="hidden" name="id" value="${fault.id}" /><button name="intent" value="remove_fault">Remove</button>
					</form>
				</td>
			</tr>`,
	)
}

/** The last thirty requests, newest first. */
function drawRequests(requests: PageParts['requests']): Html[] {
	const lately = [...requests.list()].slice(-30).reverse()
	return lately.map(
		(entry) =>
			html`<tr>
				<td>${entry.time.slice(11, 23)}</td>
				<td>${entry.operation ?? '-'}</td>
				<td><code>${entry.method} ${entry.path}</code></td>
				<td>${entry.status ?? '…'}${entry.aborted ? ' (aborted)' : ''}</td>
				<td>${entry.took_ms ?? ''}</td>
			</tr>`,
	)
}
