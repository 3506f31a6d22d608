import { context, metrics, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

/*
 * Metrics and traces of the portal. Without a started SDK (server/telemetry.ts) these functions do nothing. No label or attribute holds a
 * client's value: routes and broker paths are patterns, statuses are numbers, outcomes are words of a fixed list.
 */

const meter = metrics.getMeter('khata')
const tracer = trace.getTracer('khata')

/** Buckets in seconds, from 5 ms to 30 s: the range of replies and broker calls. */
const SECONDS = { unit: 's', advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] } }

const requests = meter.createHistogram('http.server.request.duration', { description: 'Requests of browsers', ...SECONDS })
const calls = meter.createHistogram('khata.broker.call.duration', { description: 'Calls of the broker, to the first byte', ...SECONDS })
const events = meter.createCounter('khata.audit.events', { description: 'Audit lines: sessions, limits, money' })
const failures = meter.createCounter('khata.redis.failures', { description: 'Lost connections of Redis, and commands that it did not run' })
const transfers = meter.createUpDownCounter('khata.downloads.active', { description: 'Downloads under way' })
const bytes = meter.createCounter('khata.downloads.bytes', { unit: 'By', description: 'Bytes of files sent on to browsers' })

/** The outcome of a broker call. */
export type Outcome = 'ok' | 'refused' | 'unauthorized' | 'not_found' | 'failed' | 'timeout' | 'left'

/** The header of the proxy's trace. Its other headers (`tracestate`, `baggage`) may be the visitor's, and would be sent to the broker. */
const TRACE = 'traceparent'

/** Handles one request in its own span, which continues the proxy's trace. */
export async function measureRequest(request: Request, answer: () => Promise<{ status: number; route: string }>): Promise<void> {
	const started = performance.now()
	const parent = propagation.extract(context.active(), request.headers, {
		get: (headers, name) => (name === TRACE ? (headers.get(name) ?? undefined) : undefined),
		keys: () => [TRACE],
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

/** Runs one broker call in its own span. `judge` returns the outcome for the error that the call threw. */
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

/** Writes the current trace into the headers of a call (W3C `traceparent`). */
export function writeTrace(headers: Record<string, string>): void {
	propagation.inject(context.active(), headers, { set: (carrier, name, value) => void (carrier[name] = value) })
}

function finishCall(span: Span, { method, path, outcome, seconds }: { method: string; path: string; outcome: Outcome; seconds: number }) {
	const attributes = { 'http.request.method': method, 'broker.operation': path, outcome }
	calls.record(seconds, attributes)
	span.setAttributes(attributes)
	if (outcome === 'failed' || outcome === 'timeout') span.setStatus({ code: SpanStatusCode.ERROR })
	span.end()
}

/** Counts an audit line: logins, ended sessions, limits reached. */
export function countEvent(event: string): void {
	events.add(1, { event })
}

/** Counts a lost connection of Redis, or a command that it did not run. */
export function countRedisFailure(): void {
	failures.add(1)
}

/** Counts a download until the returned function is called; `add` counts bytes sent to the browser. */
export function countDownload(): { add: (count: number) => void; end: () => void } {
	transfers.add(1)
	return { add: (count) => bytes.add(count), end: () => transfers.add(-1) }
}
