import { formatPlainAmount, type Paise } from '#contract/values/money'
import { isContractLedger, SEGMENT_BY_LEDGER } from '#contract/values/segments'

/**
 * The page that adds funds, with what is owed filled in. `owed` in paise: nothing is filled in unless it is more than zero. `cocd` is the
 * ledger that owes it.
 */
export function fundsPath(owed: Paise | null | undefined, cocd?: string): string {
	if (!owed || owed < 0) return '/funds'
	const query = new URLSearchParams({ amount: formatPlainAmount(owed).replace(/\.00$/, '') })
	if (isContractLedger(cocd)) query.set('segment', SEGMENT_BY_LEDGER[cocd])
	return `/funds?${query}`
}
