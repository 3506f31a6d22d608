import { type HttpBindings } from '@hono/node-server'
import { type Hono } from 'hono'
import { type Operation } from './api/operation'
import { type Books } from './db/open'
import { type SandboxSettings } from './settings'

/** The sandbox's time: the real time, or another day and time set by SANDBOX_TODAY. */
export type Clock = { now(): Date }

/** A clock that can be moved ahead, by milliseconds. `look` reads from the books how far another process has moved it. */
export type MovableClock = Clock & { advance(ms: number): Promise<void>; look(): Promise<void> }

/** A client for signing in, and what it demonstrates. */
type Persona = { code: string; password: string; shows: string }

/** The parts from which every resource is built. */
export type SandboxParts = { books: Books; clock: Clock; settings: SandboxSettings; personas?: readonly Persona[] }

/** The client of a request, found by the token check. */
type SignedIn = { code: string; name: string; isDormant: boolean; tokenHash: string }

export type SandboxEnv = {
	/** Present with node-server, absent with `app.request()`. */
	Bindings: Partial<HttpBindings>
	Variables: { operation: Operation | undefined; client: SignedIn }
}

export type SandboxApp = Hono<SandboxEnv>
