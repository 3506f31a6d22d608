import { type Paise } from '#contract/values/money'
import { type Client } from '#sandbox/clients/clients'
import { type SandboxParts } from '#sandbox/types'

/** One thing that a client must do or know now. */
export type Item = {
	/** The kind. The portal uses it to find the page. */
	kind: string
	reference: string | null
	words: string
	amount: Paise | null
	deadline: Date | null
}

/** Finds the current items of some kinds. Items are not stored, so a finished one disappears. */
export type ItemFinder = (parts: SandboxParts, client: Client, now: Date) => Promise<Item[]>
