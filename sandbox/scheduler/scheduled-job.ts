import { type SQL } from 'drizzle-orm'
import { type SandboxParts } from '#sandbox/types'

/** Work on a client's account that becomes due as time passes. */
export type ScheduledJob = {
	/** A condition on the stored books: true when there is work now. It is checked every minute, so it must be cheap. */
	isDue: (client: string, now: Date) => SQL
	/**
	 * Does all the work that is due. Several calls may run it at once, also in another process on the same books, so it claims or locks its
	 * work and checks again under the lock.
	 */
	work: (parts: SandboxParts, client: string, now: Date) => Promise<void>
}
