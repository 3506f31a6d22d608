import { type z } from 'zod/v4'
import { type RekycItem } from '~/broker/contract/auth'
import { type Day, formatDay } from '~/lib/days'

/** What the exchanges ask of an inactive account: identity, address and income anew, signed. */
export const REKYC_ITEMS = ['PAN', 'ADDRESS_PROOF', 'INCOME_PROOF', 'ESIGN'] as const satisfies readonly z.input<typeof RekycItem>[]

/** Why the account sleeps, in a sentence. */
export function rekycReason(lastTraded: Day | null): string {
	return lastTraded === null ? 'No trade since the account was opened' : `No trade in the last 24 months, since ${formatDay(lastTraded)}`
}
