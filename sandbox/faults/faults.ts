import { createMiddleware } from 'hono/factory'
import { z } from 'zod/v4'
import { type SandboxEnv } from '#sandbox/types'
import { corruptResponse, FAULTS_AFTER } from './corrupt-response'
import { replaceResponse, FAULTS_INSTEAD } from './replace-response'

/** One fault that the control page can switch on. */
export const FaultRequest = z.object({
	/** An operationId, or `*` for every call. */
	operation: z.string().min(1).max(60).default('*'),
	kind: z.enum(['slow', ...FAULTS_INSTEAD, ...FAULTS_AFTER]),
	/** Limits the fault to calls of this client. */
	client: z
		.string()
		.regex(/^[A-Z0-9]{3,12}$/)
		.optional(),
	/** How long `slow` waits, in milliseconds. */
	ms: z.coerce.number().int().min(0).max(600_000).default(3000),
	/** The size of `huge`, in megabytes. */
	mb: z.coerce.number().int().min(1).max(4096).default(50),
	/** The number of calls it affects; by default all calls until it is cleared. */
	count: z.coerce.number().int().min(1).max(1_000_000).optional(),
})
export type FaultRequest = z.output<typeof FaultRequest>
export type Fault = FaultRequest & { id: number }

/** Faults for tests and for people who want to see how the portal handles them. */
export function createFaults() {
	let faults: Fault[] = []
	let lastId = 0

	function take(operation: string, client: string | undefined): Fault | undefined {
		const fault = faults.find((each) => (each.operation === '*' || each.operation === operation) && (each.client ?? client) === client)
		if (fault?.count !== undefined) {
			fault.count -= 1
			if (fault.count === 0) faults = faults.filter((each) => each !== fault)
		}
		return fault
	}

	const middleware = createMiddleware<SandboxEnv>(async (c, next) => {
		const { operation } = c.var
		const fault = operation && faults.length > 0 ? take(operation.id, c.req.header('client-code') ?? (await namedIn(c.req.raw))) : undefined
		if (fault === undefined) return await next()
		if (fault.kind === 'slow') {
			await new Promise((resolve) => setTimeout(resolve, fault.ms))
			return await next()
		}
		const instead = replaceResponse(fault, c.req.raw.signal)
		if (instead !== undefined) return await instead
		await next()
		const { outgoing } = c.env ?? {}
		c.res = await corruptResponse(fault.kind, c.res, outgoing && (() => outgoing.destroy()))
		return undefined
	})

	return {
		middleware,
		list: (): readonly Fault[] => faults,
		add(request: FaultRequest): Fault {
			const fault = { ...request, id: (lastId += 1) }
			faults.push(fault)
			return fault
		},
		remove: (id: number): void => void (faults = faults.filter((fault) => fault.id !== id)),
		clear: (): void => void (faults = []),
	}
}
export type Faults = ReturnType<typeof createFaults>

/** The client that a login names in its body. */
async function namedIn(request: Request): Promise<string | undefined> {
	if (!request.headers.get('content-type')?.startsWith('application/json')) return undefined
	const body: unknown = await request
		.clone()
		.json()
		.catch(() => undefined)
	const named = z.object({ username: z.string() }).safeParse(body)
	return named.data?.username.trim().toUpperCase()
}
