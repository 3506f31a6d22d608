import { z } from 'zod/v4'
import { Balance, Moment } from './common'
import { text } from './texts'
import { cells, maybe, rows } from './tolerant'

/** Not in the specification: a thing that the client must do or know today. The broker lists it until it is done. */
export const AttentionItem = z.object({
	/** Such as IPO_MANDATE. The portal links the kinds it knows to their page, and shows only the words of any other kind. */
	kind: text(30),
	/** The application or request that the item is about; null when a client can have only one item of the kind. */
	reference: maybe(text(60)),
	/** For the client: what to do. */
	words: text(200),
	...cells({
		/** Credit is positive; null when the item is not about money. */
		amount: maybe(Balance),
		/** Null when there is no deadline. */
		deadline: maybe(Moment),
	}),
})
export type AttentionItem = z.infer<typeof AttentionItem>
export const Attention = rows(AttentionItem, 100)
