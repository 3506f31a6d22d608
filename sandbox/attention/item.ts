import { type Paise } from '#contract/values/money'
import { type Client } from '#sandbox/clients/clients'
import { type SandboxParts } from '#sandbox/types'

/** One thing that a client must do or know now. */
export type Item = {
	/** The kind, by which the portal finds its page. */
	kind: string
	reference: string | null
	words: string
	amount: Paise | null
	deadline: Date | null
}

/** Finds the items of some kinds at this moment. Nothing is stored, so a finished item disappears. */
export type ItemFinder = (parts: SandboxParts, client: Client, now: Date) => Promise<Item[]>
