import { type AttentionItem } from '~/broker/contract/attention'
import { today } from '~/lib/days'
import { dueWords } from '~/lib/moments'

/** Where each kind is done. A kind that is not here is shown in the broker's words alone; whoever adds one to the sandbox adds its line. */
const PLACES: Record<string, (reference: string) => { href: string; label: string }> = {
	DEBIT: () => ({ href: '/funds', label: 'Add funds' }),
	ESIGN: (reference) => ({ href: `/esign/return?ref=${reference}`, label: 'Sign' }),
	NO_NOMINEE: () => ({ href: '/myaccount/nominee', label: 'Name a nominee' }),
	TAX_STATEMENT: (year) => ({ href: `/reports/downloads?year=${year}`, label: 'Download' }),
	MTF_SHORTFALL: () => ({ href: '/connect/mtf', label: 'See margin funding' }),
	MTF_PLEDGE: () => ({ href: '/dpprocess/pledge', label: 'Confirm the pledge' }),
	PLEDGE: (reference) => ({ href: `/dpprocess/pledge/return?ref=${reference}`, label: 'Confirm' }),
	PAYIN: () => ({ href: '/funds/history', label: 'See pay-ins' }),
	PAYOUT: () => ({ href: '/funds/history', label: 'See pay-outs' }),
	UNREGISTERED_PAYMENT: () => ({ href: '/funds', label: 'What to do' }),
	IPO_MANDATE: () => ({ href: '/connect/ipo/bids', label: 'See bids' }),
}

/** Others are at work; the client only has to know. */
const UNDER_WAY = new Set(['PAYIN', 'PAYOUT'])

type AttentionLine = {
	id: string
	words: string
	/** How much it presses, in a word. */
	state: 'Today' | 'Soon' | 'To do' | 'Under way'
	/** `by 17:00 today`; undefined for what can wait. */
	due?: string
	link?: { href: string; label: string }
}

/** The list as it is read: in the broker's words, with the deadline and the place where it is done. */
export function attentionLines(items: readonly AttentionItem[], now = new Date()): AttentionLine[] {
	return items.map(({ kind, reference, words, deadline }): AttentionLine => {
		const due = deadline === null ? undefined : new Date(deadline)
		const place = Object.hasOwn(PLACES, kind) ? PLACES[kind] : undefined
		return {
			id: `${kind} ${reference ?? ''}`,
			words,
			due: due && (due < now ? `was due by ${dueWords(due, now)}` : `by ${dueWords(due, now)}`),
			state: due ? (today(due) <= today(now) ? 'Today' : 'Soon') : UNDER_WAY.has(kind) ? 'Under way' : 'To do',
			link: place?.(encodeURIComponent(reference ?? '')),
		}
	})
}
