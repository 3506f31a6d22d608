import { createMiddleware } from 'hono/factory'
import { today } from '~/lib/days'
import { type SandboxEnv, type SandboxParts } from './env'
import { postDueCharges } from './book/charges-due'
import { postDueInterest } from './mtf/interest-due'

/** What time does to a client's account by itself. It must do its part once, however often and from wherever it is called. */
type DueWork = (parts: SandboxParts, client: string) => Promise<void>

/** Once a day and client: what falls due with the day. */
const works: readonly DueWork[] = [postDueInterest, postDueCharges]

/**
 * Before a client's call is answered, whatever has come due by the sandbox's clock is done, so that every page shows it at once. A new day is
 * looked at once for each client; a clock that /control moved ahead makes a new day.
 */
export function doDueWork(parts: SandboxParts) {
	const done = new Map<string, string>()
	return createMiddleware<SandboxEnv>(async (c, next) => {
		const client = c.get('client') as SandboxEnv['Variables']['client'] | undefined
		const day = today(parts.clock.now())
		if (client !== undefined && done.get(client.code) !== day) {
			for (const work of works) await work(parts, client.code)
			done.set(client.code, day)
		}
		await next()
	})
}
