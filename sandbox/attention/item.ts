import { type Paise } from '#contract/values/money'
import { type Client } from '#sandbox/clients/clients'
import { type SandboxParts } from '#sandbox/types'

/** One thing that a client has to do, or to know of, now. */
export type Item = {
	/** What the portal knows the place of. */
	kind: string
	reference: string | null
	words: string
	amount: Paise | null
	deadline: Date | null
}

/** Finds items of some kinds as they stand at this moment: nothing is remembered, so that what is done is gone. */
export type ItemFinder = (parts: SandboxParts, client: Client, now: Date) => Promise<Item[]>
