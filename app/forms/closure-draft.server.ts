import { z } from 'zod/v4'
import { ClosureScope, Depository } from '#contract/closure'
import { type Broker } from '~/broker/client.server'
import { createDraft } from '~/session/drafts.server'

/* Keeps the closure form between its pages. The draft ends when the browser closes, after a day, or when the form is signed. */

/** The page where a closure is requested. */
export const CLOSURE = '/myaccount/closure'

const LIFE_MS = 86_400_000

const Draft = z.object({
	reason: z.string(),
	clouser_for: ClosureScope,
	withTransfer: z.boolean(),
	/** For a transfer: the target account, and the SHA-256 of its files, which wait for the check page. `shown`: their names and sizes. */
	target: z
		.object({ account_type: Depository, bo_id: z.string(), files: z.string(), shown: z.record(z.string(), z.string()).default({}) })
		.optional(),
})
export type Draft = z.infer<typeof Draft>

const drafts = createDraft('closure', 'closure', Draft, { most: 2 })

/** The draft of this client in this browser, or undefined. */
export function readDraft(request: Request, { clientCode }: Broker): Promise<Draft | undefined> {
	return drafts.read(request, clientCode)
}

/** The Set-Cookie headers that keep a draft, appended to those given. */
export function keepDraft({ clientCode }: Broker, draft: Draft, headers?: Headers): Promise<Headers> {
	return drafts.keep(clientCode, draft, Date.now() + LIFE_MS, headers)
}

/** The Set-Cookie headers that delete it, appended to those given. */
export const forgetDraft = drafts.forget
