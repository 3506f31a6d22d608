import { context, metrics, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

/*
 * What the portal measures of itself. Without a started SDK (server/telemetry.ts) each of these does nothing. No label and no attribute
 * holds a value of a client: routes and paths of the broker are patterns, statuses are numbers, outcomes are words of a fixed list.
 */

const meter = metrics.getMeter('khata')
const tracer = trace.getTracer('khata')

/** Seconds; from a millisecond to half a minute, as answers and broker calls take. */
const SECONDS = { unit: 's', advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] } }

const requests = meter.createHistogram('http.server.request.duration', { description: 'Requests of browsers', ...SECONDS })
const calls = meter.createHistogram('khata.broker.call.duration', { description: 'Calls of the broker, to the first byte', ...SECONDS })
const events = meter.createCounter('khata.audit.events', { description: 'Audit lines: sessions, limits, money' })
const transfers = meter.createUpDownCounter('khata.downloads.active', { description: 'Downloads under way' })
const bytes = meter.createCounter('khata.downloads.bytes', { unit: 'By', description: 'Bytes of files sent on to browsers' })

/** How a call of the broker ended. */
export type Outcome = 'ok' | 'refused' | 'unauthorized' | 'not_found' | 'failed' | 'timeout' | 'left'

/** Answers one request in a span of its own, which continues the trace that the proxy began. */
export async function measureRequest(request: Request, answer: () => Promise<{ status: number; route: string }>): Promise<void> {
	const started = performance.now()
	const parent = propagation.extract(context.active(), request.headers, {
		get: (headers, name) => headers.get(name) ?? undefined,
		keys: (headers) => [...headers.keys()],
	})
	await tracer.startActiveSpan(request.method, { kind: SpanKind.SERVER }, parent, async (span) => {
		try {
			const { status, route } = await answer()
			const attributes = { 'http.request.method': request.method, 'http.route': route, 'http.response.status_code': status }
			requests.record((performance.now() - started) / 1000, attributes)
			span.updateName(`${request.method} ${route}`).setAttributes(attributes)
			if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
		} finally {
			span.end()
		}
	})
}

/** Runs one call of the broker in a span of its own. `judge` says how the call ended, from what it threw. */
export async function measureCall<Answer>(
	method: string,
	path: string,
	send: () => Promise<Answer>,
	judge: (error: unknown) => Outcome,
): Promise<Answer> {
	const started = performance.now()
	return tracer.startActiveSpan(`${method} ${path}`, { kind: SpanKind.CLIENT }, async (span) => {
		let outcome: Outcome = 'ok'
		try {
			return await send()
		} catch (error) {
			outcome = judge(error)
			throw error
		} finally {
			finishCall(span, { method, path, outcome, seconds: (performance.now() - started) / 1000 })
		}
	})
}

/** Writes the trace that is under way into the headers of a call (W3C `traceparent`). */
export function writeTrace(headers: Headers): void {
	propagation.inject(context.active(), headers, { set: (carrier, name, value) => carrier.set(name, value) })
}

function finishCall(span: Span, { method, path, outcome, seconds }: { method: string; path: string; outcome: Outcome; seconds: number }) {
	const attributes = { 'http.request.method': method, 'broker.operation': path, outcome }
	calls.record(seconds, attributes)
	span.setAttributes(attributes)
	if (outcome === 'failed' || outcome === 'timeout') span.setStatus({ code: SpanStatusCode.ERROR })
	span.end()
}

/** Counts an audit line: logins, ended sessions, limits that were hit. */
export function countEvent(event: string): void {
	events.add(1, { event })
}

/** Counts a download until the function that it answers is called; `add` counts bytes that went on to the browser. */
export function countDownload(): { add: (count: number) => void; end: () => void } {
	transfers.add(1)
	return { add: (count) => bytes.add(count), end: () => transfers.add(-1) }
}
