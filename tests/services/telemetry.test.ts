import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod/v4'
import { ORIGIN } from '#tests/support/portal'
import { type PortalProcess, startProcess, startSandboxBroker } from './processes'

/* One process of the built portal that sends traces to a collector and metrics to Prometheus. The test plays both. Its Redis is down. */

const PORT = 3271
const METRICS_PORT = 3272
const folder = mkdtempSync(path.join(tmpdir(), 'khata-telemetry-'))
const flag = path.join(folder, 'maintenance')

const Attribute = z.object({ key: z.string(), value: z.object({ stringValue: z.string().optional(), intValue: z.number().optional() }) })
const Span = z.object({
	traceId: z.string(),
	spanId: z.string(),
	parentSpanId: z.string().optional(),
	name: z.string(),
	attributes: z.array(Attribute),
})
const Export = z.object({ resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(Span) })) })) })

let broker: Awaited<ReturnType<typeof startSandboxBroker>>
let portal: PortalProcess
let collector: http.Server
const received: string[] = []
const listSpans = () =>
	received.flatMap((body) =>
		Export.parse(JSON.parse(body)).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
	)

beforeAll(async () => {
	collector = http.createServer((request, response) => {
		const pieces: Buffer[] = []
		request.on('data', (piece: Buffer) => pieces.push(piece))
		request.on('end', () => {
			received.push(Buffer.concat(pieces).toString())
			response.end('{}')
		})
	})
	collector.listen(0, '127.0.0.1')
	await once(collector, 'listening')
	broker = await startSandboxBroker(['CASH01'])
	portal = await startProcess(PORT, broker.url, {
		METRICS_PORT: String(METRICS_PORT),
		OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
		OTEL_BSP_SCHEDULE_DELAY: '200',
		OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
		REDIS_URL: 'redis://127.0.0.1:1',
		MAINTENANCE_FILE: flag,
	})
})
afterAll(async () => {
	await portal.stop()
	collector.close()
	await broker.close()
	rmSync(folder, { recursive: true })
})

/** The value of one series in the text for Prometheus, or undefined. Its line must have all `labels`. */
async function readSeries(name: string, ...labels: string[]): Promise<number | undefined> {
	const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
	const line = text.split('\n').find((each) => each.startsWith(`${name}{`) && labels.every((label) => each.includes(label)))
	return line === undefined ? undefined : Number(line.split(' ').at(-1))
}

test('counts a login, a page, its calls of the broker and a download, and names no client', async () => {
	const visitor = portal.visitor()
	expect((await visitor.login('CASH01')).status).toBe(303)
	expect((await visitor.visit('/reports/holding')).status).toBe(200)
	expect((await visitor.visit('/reports/nothing-of-ours')).status).toBe(404)
	expect((await visitor.visit('/downloads/holding/csv')).status).toBe(200)

	expect(await readSeries('http_server_request_duration_count', 'http_route="/login"', 'method="POST"', 'status_code="303"')).toBe(1)
	expect(await readSeries('http_server_request_duration_count', 'http_route="/reports/:report"', 'status_code="200"')).toBe(1)
	expect(await readSeries('khata_broker_call_duration_count', '"/v2/user/login"', 'outcome="ok"')).toBe(1)
	expect(await readSeries('khata_broker_call_duration_count', '"/v2/service/reports/holding"', 'outcome="ok"')).toBeGreaterThanOrEqual(1)
	expect(await readSeries('khata_audit_events_total', 'event="login"')).toBe(1)
	expect(await readSeries('khata_downloads_active', '')).toBe(0)
	expect(await readSeries('khata_downloads_bytes_total', '')).toBeGreaterThan(200)
	expect(await readSeries('nodejs_eventloop_delay_p99', '')).toBeGreaterThan(0)
	const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
	expect(text).not.toMatch(/CASH01|nothing-of-ours|INE\w{9}/)
})

test('a wrong password counts as a refused call, not as a failure', async () => {
	expect((await portal.visitor().login('CASH01', 'wrong')).status).toBe(422)
	expect(await readSeries('khata_broker_call_duration_count', '"/v2/user/login"', 'outcome="refused"')).toBe(1)
	expect(await readSeries('khata_audit_events_total', 'event="login_refused"')).toBe(1)
	expect(await readSeries('khata_broker_call_duration_count', '"/v2/user/login"', 'outcome="failed"')).toBeUndefined()
})

test('continues the trace of the proxy, and passes it to the broker', async () => {
	const trace = '0af7651916cd43dd8448eb211c80319c'
	const first = portal.visitor()
	await first.login('CASH01')
	broker.calls.length = 0
	const visitor = portal.visitor(first, { traceparent: `00-${trace}-b7ad6b7169203331-01` })
	expect((await visitor.visit('/reports/holding')).status).toBe(200)

	const listOwn = () => listSpans().filter(({ traceId }) => traceId === trace)
	// The span of a slow page ends and is sent after its calls.
	await vi.waitFor(() => expect(listOwn().map(({ name }) => name)).toContain('GET /reports/:report'), { timeout: 10_000 })
	const spans = listOwn()
	expect(spans.length).toBeGreaterThan(2)
	const page = spans.find(({ name }) => name === 'GET /reports/:report')
	expect(page?.parentSpanId).toBe('b7ad6b7169203331')
	const call = spans.find(({ name }) => name === 'GET /v2/service/reports/holding')
	expect(call?.parentSpanId).toBe(page?.spanId)
	const told = broker.calls.find(({ path }) => path === '/v2/service/reports/holding')
	expect(told?.traceparent).toBe(`00-${trace}-${call?.spanId}-01`)
	expect(received.join('')).not.toMatch(/CASH01|INE\w{9}|auth-token/)
})

test('a browser that leaves before the reply counts as 499, and not as a failure', async () => {
	const visitor = portal.visitor()
	await visitor.login('CASH01')
	let answer = () => {}
	const held = new Promise<void>((resolve) => (answer = resolve))
	broker.calls.length = 0
	broker.hold((path) => (path.endsWith('/reports/ledger') ? held : undefined))
	const cookie = visitor.cookieHeader()
	const browser = http.get({ port: PORT, path: '/reports/ledger', headers: { host: new URL(ORIGIN).host, cookie } })
	browser.on('error', () => {})
	await vi.waitFor(() => expect(broker.listCalls('/reports/ledger')).toHaveLength(1), { timeout: 10_000, interval: 20 })
	browser.destroy()
	const series = 'http_server_request_duration_count'
	await vi.waitFor(() => expect(portal.lines('request').at(-1)).toMatchObject({ path: '/reports/ledger', status: 499 }), { interval: 20 })
	expect(await readSeries(series, 'http_route="/reports/ledger"', 'status_code="499"')).toBe(1)
	expect(await readSeries(series, 'status_code="500"')).toBeUndefined()
	broker.hold(undefined)
	answer()
})

test('a HEAD of a file, whose body nobody reads, is no download under way', async () => {
	const visitor = portal.visitor()
	await visitor.login('CASH01')
	expect((await visitor.send('/downloads/holding/csv', { method: 'HEAD' })).status).toBe(200)
	await expect.poll(() => readSeries('khata_downloads_active', ''), { interval: 20 }).toBe(0)
})

test('passes nothing else of the visitor’s trace headers to the broker', async () => {
	const first = portal.visitor()
	await first.login('CASH01')
	broker.calls.length = 0
	const traceparent = '00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
	const visitor = portal.visitor(first, { traceparent, tracestate: 'evil=1', baggage: 'evil=1' })
	expect((await visitor.visit('/reports/holding')).status).toBe(200)
	expect(broker.calls.length).toBeGreaterThan(0)
	expect(broker.calls.filter(({ tracestate, baggage }) => tracestate !== null || baggage !== null)).toEqual([])
})

test('says in the log that the collector does not take the traces', async () => {
	collector.close()
	collector.closeAllConnections()
	await portal.visitor().visit('/login')
	await vi.waitFor(() => expect(portal.lines('traces_failed')).toHaveLength(1), { timeout: 15_000 })
	expect(portal.lines('traces_failed')[0]?.error).toMatch(/ECONN(REFUSED|RESET)/)
})

test('serves the metrics only on their own port', async () => {
	expect((await portal.visitor().visit('/metrics')).status).not.toBe(200)
})

test('counts a planned maintenance apart, and no health check', async () => {
	expect((await portal.visitor().visit('/healthz')).status).toBe(200)
	writeFileSync(flag, '')
	await vi.waitFor(async () => expect((await portal.visitor().visit('/dashboard')).status).toBe(503), { timeout: 5000, interval: 200 })
	rmSync(flag)
	const series = 'http_server_request_duration_count'
	expect(await readSeries(series, 'http_route="/maintenance"', 'status_code="503"')).toBeGreaterThan(0)
	expect(await readSeries(series, 'http_route="/dashboard"', 'status_code="503"')).toBeUndefined()
	expect(await readSeries(series, 'http_route="/healthz"')).toBeUndefined()
})

test('counts the failures of Redis', async () => {
	expect(await readSeries('khata_redis_failures_total', '')).toBeGreaterThan(0)
})

test('dashboard and alerts use only metrics that the portal has', async () => {
	const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
	const asked = ['deploy/grafana/portal.json', 'deploy/prometheus/alerts.yml'].flatMap(
		(file) => readFileSync(file, 'utf8').match(/\b(?:http_server|khata|nodejs|v8js)_\w+(?=[{[)"]|$)/gm) ?? [],
	)
	const names = new Set(asked)
	expect(names.size).toBeGreaterThan(6)
	for (const name of names) expect(text, name).toMatch(new RegExp(`^${name}\\{`, 'm'))
	// The labels that they select or sum by.
	for (const label of ['http_route=', 'http_response_status_code=', 'broker_operation=', 'outcome=', 'event='])
		expect(text).toContain(label)
})
