import { z } from 'zod/v4'
import { Balance, Moment } from './common'
import { cells, maybe, rows, text } from './tolerant'

/** Ours: something that the client has to do, or to know of, today. It is here as long as it is so, and gone when it is done. */
export const AttentionItem = z.object({
	/** Such as IPO_MANDATE; the portal knows where it is done. One that it does not know is shown in the broker's words alone. */
	kind: text(30),
	/** Of what it is about: an application, a request; null when there is only one of the kind. */
	reference: maybe(text(60)),
	/** What is to be done, in words for the client. */
	words: text(200),
	...cells({
		/** What it is about, credit positive; null when no money is. */
		amount: maybe(Balance),
		/** By when; null when it can wait. */
		deadline: maybe(Moment),
	}),
})
export type AttentionItem = z.infer<typeof AttentionItem>
export const Attention = rows(AttentionItem, 100)
