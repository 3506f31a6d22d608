import { type ServerBuild } from '@remix-run/node'
import { LRUCache } from 'lru-cache'
import { type Logger } from 'pino'
import { type RouteObject } from 'react-router'
import { refuseAddress } from './refuse-address'

/** A static import would move to the top of the bundle, before server.ts sets NODE_ENV, and this one loads React. */
const { matchRoutes } = await import('react-router')

type TelemetrySettings = {
	OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
	METRICS_PORT?: number | undefined
	METRICS_HOST: string
	OTEL_SERVICE_NAME: string
}

export type Telemetry = { shutdown: () => Promise<void> }

/**
 * Starts what the settings ask for: traces to an OTLP collector, metrics for Prometheus on a separate port. Undefined when they ask for
 * nothing; then none of the SDK is loaded. It must run before the first import of a module that measures: an instrument made earlier
 * measures nothing. Throws when the port is taken.
 */
export async function startTelemetry(settings: TelemetrySettings, log: Logger): Promise<Telemetry | undefined> {
	const { OTEL_EXPORTER_OTLP_ENDPOINT: collector, METRICS_PORT: port, METRICS_HOST: host, OTEL_SERVICE_NAME: name } = settings
	if (!collector && port === undefined) return undefined
	const { resourceFromAttributes } = await import('@opentelemetry/resources')
	const resource = resourceFromAttributes({ 'service.name': name })
	const ends: (() => Promise<void>)[] = []
	if (collector) ends.push(await startTraces(resource, log))
	if (port !== undefined) ends.push(await startMetrics(resource, host, port))
	return { shutdown: async () => void (await Promise.allSettled(ends.map((end) => end()))) }
}

type Resource = ReturnType<typeof import('@opentelemetry/resources').resourceFromAttributes>

/** Milliseconds between two log lines about traces that the collector did not take: a batch is sent every few seconds. */
const PAUSE_MS = 60_000

/** The exporter and the sampler read the standard OTEL_… variables themselves. */
async function startTraces(resource: Resource, log: Logger): Promise<() => Promise<void>> {
	const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node')
	const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
	let loggedAt = -Infinity
	class LoggedExporter extends OTLPTraceExporter {
		override export(...[spans, done]: Parameters<InstanceType<typeof OTLPTraceExporter>['export']>) {
			super.export(spans, (result) => {
				if (result.error && performance.now() - loggedAt > PAUSE_MS) {
					loggedAt = performance.now()
					log.error({ event: 'traces_failed', error: result.error.message }, 'The collector did not take the traces')
				}
				done(result)
			})
		}
	}
	const provider = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(new LoggedExporter())] })
	provider.register()
	return () => provider.shutdown()
}

async function startMetrics(resource: Resource, host: string, port: number): Promise<() => Promise<void>> {
	const [{ metrics }, { MeterProvider }, { PrometheusExporter }, { RuntimeNodeInstrumentation }] = await Promise.all([
		import('@opentelemetry/api'),
		import('@opentelemetry/sdk-metrics'),
		import('@opentelemetry/exporter-prometheus'),
		import('@opentelemetry/instrumentation-runtime-node'),
	])
	const exporter = new PrometheusExporter({ host, port, preventServerStart: true })
	await exporter.startServer().catch(refuseAddress('METRICS_HOST', 'METRICS_PORT'))
	const provider = new MeterProvider({ resource, readers: [exporter] })
	metrics.setGlobalMeterProvider(provider)
	// Event loop delay, heap and garbage collection.
	const runtime = new RuntimeNodeInstrumentation()
	runtime.setMeterProvider(provider)
	runtime.enable()
	return () => provider.shutdown()
}

/**
 * Finds the pattern of an address in the site map, such as `/reports/holding/:isin`: a label must not have one value per address. `other`
 * for an unknown address.
 */
export function createRouteFinder(build: ServerBuild): (path: string) => string {
	const known = new LRUCache<string, string>({ max: 1000 })
	const tree = buildTree(build.routes)
	return (path) => {
		const address = path.replace(/\.data$/, '').slice(0, 200)
		const found = known.get(address) ?? writePattern(tree, address)
		known.set(address, found)
		return found
	}
}

function buildTree(routes: ServerBuild['routes'], parentId?: string): RouteObject[] {
	return Object.values(routes).flatMap((route): RouteObject[] => {
		if (!route || route.parentId !== parentId) return []
		const { id, path, caseSensitive } = route
		if (route.index) return [{ id, path, index: true as const, caseSensitive }]
		return [{ id, path, caseSensitive, children: buildTree(routes, id) }]
	})
}

function writePattern(tree: RouteObject[], address: string): string {
	if (address.startsWith('/assets/')) return '/assets/*'
	const parts = (matchRoutes(tree, address) ?? []).map(({ route }) => route.path).filter((part) => part !== undefined && part !== '')
	return parts.at(-1) === '*' || (parts.length === 0 && address !== '/') ? 'other' : `/${parts.join('/').replace(/^\/+/, '')}`
}
