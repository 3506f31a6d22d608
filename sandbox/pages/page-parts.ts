import { type Hono } from 'hono'
import { type RequestLog } from '#sandbox/api/request-log'
import { type Faults } from '#sandbox/faults/faults'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'

/** What the sandbox's pages show and change. */
export type PageParts = SandboxParts & {
	faults: Faults
	requests: RequestLog
	describe: () => Hono<SandboxEnv>
	advanceClock: (ms: number) => Promise<void>
}
