import { type HttpBindings } from '@hono/node-server'
import { type Hono } from 'hono'
import { type Operation } from './api/describe-operation'
import { type Books } from './db/open'
import { type SandboxSettings } from './settings'

/** The sandbox's time: real, or moved to another day by SANDBOX_TODAY. */
export type Clock = { now(): Date }

/** A clock that can be moved ahead; `look` reads from the books how far another process has moved it. */
export type MovableClock = Clock & { advance(ms: number): Promise<void>; look(): Promise<void> }

/** A client to sign in as, and what it demonstrates. */
export type Persona = { code: string; password: string; shows: string }

/** What every resource is built from. */
export type SandboxParts = { books: Books; clock: Clock; settings: SandboxSettings; personas?: readonly Persona[] }

/** The client of a request, found by the token check. */
export type SignedIn = { code: string; name: string; isDormant: boolean; tokenHash: string }

export type SandboxEnv = {
	/** Present under node-server, absent in `app.request()`. */
	Bindings: Partial<HttpBindings>
	Variables: { operation: Operation | undefined; client: SignedIn }
}

export type SandboxApp = Hono<SandboxEnv>
