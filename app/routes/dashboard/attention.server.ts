import { type AttentionItem } from '#contract/attention'
import { toIndianDay } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { now as brokersNow, tellDue } from '~/broker/clock.server'
import { fundsPath } from '~/lib/funds-path'
import { confirmPath, signPath } from '~/lib/sign-pages'

/** The ledger of shares. */
const SHARES = 'NSE_CASH'

/** The page for each kind, with the paise that the client owes. An unknown kind has the words of the broker and no link. A new kind in the sandbox needs a line here. */
const PLACES: Record<string, (reference: string, owed: Paise) => { href: string; label: string }> = {
	DEBIT: (cocd, owed) => ({ href: fundsPath(owed, cocd), label: 'Add funds' }),
	UNPAID_SHARES: (_, owed) => ({ href: fundsPath(owed, SHARES), label: 'Pay for them' }),
	SOLD_SHARES: () => ({ href: '/dpprocess', label: 'Verify' }),
	ESIGN: (reference) => ({ href: signPath(reference), label: 'Sign' }),
	NO_NOMINEE: () => ({ href: '/myaccount/nominee', label: 'Name a nominee' }),
	TAX_STATEMENT: (year) => ({ href: `/reports/downloads?year=${encodeURIComponent(year)}`, label: 'Download' }),
	MARGIN_SHORTFALL: (cocd, owed) => ({ href: fundsPath(owed, cocd), label: 'Add funds' }),
	MTF_SHORTFALL: () => ({ href: '/connect/mtf', label: 'See margin funding' }),
	// When the broker has no request to open, the page of margin funding explains what to do.
	MTF_PLEDGE: (reference) =>
		reference ? { href: confirmPath(reference), label: 'Confirm the pledge' } : { href: '/connect/mtf', label: 'See margin funding' },
	PLEDGE: (reference) => ({ href: confirmPath(reference), label: 'Confirm' }),
	PAYIN: (reference) => ({ href: `/funds/return?ref=${encodeURIComponent(reference)}`, label: 'See the payment' }),
	PAYOUT: (reference) => ({ href: `/funds/payout?ref=${encodeURIComponent(reference)}`, label: 'See the payout' }),
	UNREGISTERED_PAYMENT: () => ({ href: '/funds', label: 'What to do' }),
	IPO_MANDATE: () => ({ href: '/connect/ipo/bids', label: 'See bids' }),
}

/** Kinds that need no action of the client: information only. */
const UNDER_WAY = new Set(['PAYIN', 'PAYOUT'])

type AttentionLine = {
	id: string
	words: string
	/** The urgency in one word. */
	state: 'Overdue' | 'Today' | 'Soon' | 'To do' | 'Under way'
	/** `by 17:00 today`; undefined without a deadline. */
	due?: string
	/** The deadline in milliseconds. */
	at?: number
	link?: { href: string; label: string }
}

function findState(kind: string, due: Date | undefined, now: Date): AttentionLine['state'] {
	if (!due) return UNDER_WAY.has(kind) ? 'Under way' : 'To do'
	if (due < now) return 'Overdue'
	// A deadline at midnight belongs to the day before it.
	return toIndianDay(new Date(due.getTime() - 1)) === toIndianDay(now) ? 'Today' : 'Soon'
}

/** Returns `3 things need you, 1 overdue` or `3 things need you, the first by 17:00 today`; undefined when there is nothing to do. */
export function countWords(lines: readonly Pick<AttentionLine, 'state' | 'due' | 'at'>[]): string | undefined {
	const toDo = lines.filter(({ state }) => state !== 'Under way')
	if (toDo.length === 0) return undefined
	const overdue = toDo.filter(({ state }) => state === 'Overdue').length
	const words = toDo.length === 1 ? '1 thing needs you' : `${toDo.length} things need you`
	if (overdue > 0) return `${words}, ${overdue} overdue`
	const [first] = toDo.filter(({ due }) => due).sort((a, b) => (a.at ?? 0) - (b.at ?? 0))
	if (!first) return words
	return toDo.length === 1 ? `${words} ${first.due}` : `${words}, the first ${first.due}`
}

/** Returns the list for the page: the words of the broker, the deadline and the link. */
export function listAttentionLines(items: readonly AttentionItem[], now = brokersNow()): AttentionLine[] {
	const debt = items.find(({ kind, reference }) => kind === 'DEBIT' && reference === SHARES)
	return items.map(({ kind, reference, words, amount, deadline }): AttentionLine => {
		// Shares that are not paid for are the debt of their ledger, which is an item of its own.
		const balance = amount ?? (kind === 'UNPAID_SHARES' ? debt?.amount : null) ?? 0
		const due = deadline === null ? undefined : new Date(deadline)
		const place = Object.hasOwn(PLACES, kind) ? PLACES[kind] : undefined
		return {
			id: `${kind} ${reference ?? ''}`,
			words,
			due: due && tellDue(due, now),
			at: due?.getTime(),
			state: findState(kind, due, now),
			link: place?.(reference ?? '', -balance),
		}
	})
}
