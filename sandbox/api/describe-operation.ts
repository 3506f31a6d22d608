import { type Hono, type MiddlewareHandler } from 'hono'
import { describeRoute } from 'hono-openapi'
import { z } from 'zod/v4'
import { envelope, ErrorEnvelope } from '#contract/common'
import { OPTIONAL_OPERATIONS, REQUIRED_OPERATIONS } from '#contract/operations'
import { type SandboxEnv } from '#sandbox/types'
import { type Operation } from './operation'

const known = new WeakMap<object, Operation>()

/**
 * Documents a route and sets its rules (who may call it, whether keys are enforced). Use it as the first handler of a route. Schemas are
 * described only when the documentation is read: describing them takes longer than everything else that a sandbox does before its first
 * call.
 */
export function describeOperation(operation: Operation): MiddlewareHandler {
	const handler = describeRoute({
		operationId: operation.id,
		summary: operation.summary,
		...tagOperation(operation),
		security: describeSecurity(operation),
		get parameters() {
			return [...describeHeaders(operation), ...(operation.query === undefined ? [] : describeParameters(operation.query))]
		},
		get requestBody() {
			return operation.body && { required: true, content: describeBody(operation.body, operation) }
		},
		get responses() {
			return {
				200: { description: 'Success.', content: describeContent(operation) },
				default: { description: 'Refused or failed.', content: { 'application/json': { schema: wireSchema(ErrorEnvelope) } } },
			}
		},
	})
	known.set(handler, operation)
	return handler
}

/** Tags in the API description: the operations that a broker must have, and the optional ones. */
export const TAGS = { required: 'Required', optional: 'Optional' } as const

function tagOperation({ id }: Operation): { tags: string[]; description?: string } {
	const optional = OPTIONAL_OPERATIONS.find((each) => each.id === id)
	return optional ? { tags: [TAGS.optional], description: `What clients gain: ${optional.adds}.` } : { tags: [TAGS.required] }
}

/** The headers with a secret. The specification writes the token's header in two ways, and a forgotten password has a key of its own. */
export const SECURITY = {
	authToken: { type: 'apiKey', in: 'header', name: 'auth-token' },
	authTokenCamel: { type: 'apiKey', in: 'header', name: 'authToken' },
	pwdResetToken: { type: 'apiKey', in: 'header', name: 'pwd-reset-token' },
} as const

function describeSecurity({ id, isPublic }: Operation): Partial<Record<keyof typeof SECURITY, string[]>>[] {
	if (id === 'resetPassword') return [{ pwdResetToken: [] }]
	if (isPublic) return []
	const path = [...REQUIRED_OPERATIONS, ...OPTIONAL_OPERATIONS].find((each) => each.id === id)?.path ?? ''
	return [/^\/(edis|ipo)\//.test(path) ? { authTokenCamel: [] } : { authToken: [] }]
}

type Content = Record<string, { schema: DescribedSchema | typeof FILE }>
const FILE = { type: 'string' as const, format: 'binary' }

function describeBody(body: z.ZodObject, { uploads, areUploadsRequired }: Operation): Content {
	const schema = wireSchema(body)
	if (uploads === undefined) return { 'application/json': { schema } }
	const properties = { ...schema.properties, ...Object.fromEntries(uploads.map((name) => [name, FILE])) }
	const required = [...(schema.required ?? []), ...(areUploadsRequired ? uploads : [])]
	return { 'multipart/form-data': { schema: { ...schema, properties, required } } }
}

function describeContent({ data, beside, files }: Operation): Content {
	const whole = envelope(data ?? z.null()).extend(beside?.shape ?? {})
	const json: Content = files && !data ? {} : { 'application/json': { schema: wireSchema(whole) } }
	return { ...Object.fromEntries((files ?? []).map((type) => [type, { schema: FILE }])), ...json }
}

type DescribedSchema = { type: 'object'; properties?: Record<string, object>; required?: string[] }

/** The JSON Schema of the data on the wire, with rupees as numbers: the input side of every transform. */
function wireSchema(schema: z.ZodType): DescribedSchema {
	const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
	// Zod's type allows one JSON Schema dialect more than the documentation's type. Nothing reads the narrower type.
	return described as DescribedSchema
}

function describeHeaders({ isPublic, changes }: Operation) {
	const header = (name: string, required: boolean) => ({ name, in: 'header' as const, required, schema: { type: 'string' as const } })
	return [...(isPublic ? [] : [header('client-code', true)]), ...(changes ? [header('Idempotency-Key', false)] : [])]
}

function describeParameters(query: z.ZodObject) {
	return Object.entries(query.shape).map(([name, schema]) => ({
		name,
		in: 'query' as const,
		required: !z.safeParse(schema as z.ZodType, undefined).success,
		schema: wireSchema(schema as z.ZodType),
	}))
}

/** Finds the operation of a request among an app's described routes. */
export function createOperationFinder(app: Hono<SandboxEnv>): (method: string, path: string) => Operation | undefined {
	const routes = app.routes.flatMap((route) => {
		const operation = known.get(route.handler)
		if (operation === undefined) return []
		return [{ method: route.method, pattern: new RegExp(`^${route.path.replace(/:[a-z_]+/gi, '[^/]+')}$`), operation }]
	})
	return (method, path) => routes.find((route) => route.method === method && route.pattern.test(path))?.operation
}

/** Every described operation of an app with its method and path. */
export function listOperations(app: Hono<SandboxEnv>): { id: string; method: string; path: string; summary: string }[] {
	return app.routes.flatMap((route) => {
		const operation = known.get(route.handler)
		return operation === undefined ? [] : [{ id: operation.id, method: route.method, path: route.path, summary: operation.summary }]
	})
}
