import { type z } from 'zod/v4'
import { type PnlSegmentAnswer, type PnlSegmentRow, type PnlTie } from '#contract/pnl'
import { isRounded, unreadIn } from '#contract/tolerant'
import { type Segment } from '#contract/units'
import { type Day, formatDay } from '#contract/values/dates'
import { formatBalance, formatGain, formatRupees, type Paise } from '#contract/values/money'
import { SEGMENTS, SEGMENT_NAMES } from '#contract/values/segments'
import { allowRounding } from '~/lib/rounding'
import { nameCode } from '~/lib/unknown'
import { tellUnread } from './unread.server'

/** The broker's figures of a segment. */
export type Total = z.output<typeof PnlSegmentRow>

const TERMS: Readonly<Record<string, { label: string; note?: string }>> = {
	REALISED: { label: 'Realised, before charges' },
	CHARGES: { label: 'Charges', note: 'Brokerage, taxes and fees of every contract note of the year.' },
	MARK_TO_MARKET: {
		label: 'Mark to market of open futures',
		note: 'Paid day by day and realised when they are closed: what is open now, less what was open when the year began.',
	},
	OPENING_COST: {
		label: 'Cost of what was open when the year began',
		note: 'It was paid for in an earlier year, and its sale brought this money back.',
	},
	CLOSING_COST: { label: 'Cost of what is still open', note: 'It is paid for, and is no loss: you hold shares for it.' },
	SHARES_IN: { label: 'Cost of shares that came in without a trade', note: 'Transfers and corporate actions: no bill paid for them.' },
	SHARES_OUT: {
		label: 'Cost of shares that went out without a trade',
		note: 'Transfers and corporate actions: no bill was made for them.',
	},
	BUYBACK: { label: 'What a buyback paid', note: 'The company paid it to your bank account, not to this ledger.' },
	UNKNOWN_COST: {
		label: 'Sales of shares whose cost is not known',
		note: 'No gain can be worked out for them, but the bill paid their price.',
	},
}

/**
 * Explains, for one segment or all, how the profit of the year becomes the sum of its bills in the ledger, and how the bills lead to the
 * balance of the ledger. A report without the shell has no links to the ledger.
 */
export function describeTie(tie: PnlTie, summary: PnlSegmentAnswer, segment: Segment | undefined, { isAlone }: { isAlone: boolean }) {
	const isFiner = isRounded(tie) || isRounded(summary)
	/** `figures`: how many the two sums are made of, both included. */
	const isSame = (made: Paise, stated: Paise, figures: number) => Math.abs(made - stated) <= (isFiner ? allowRounding(figures) : 0)
	const findLedger = (of: string) => (of === 'MCX' ? 'MCX' : 'NSE_CASH')
	const segments = tie.segments
		.filter(({ SEGMENT }) => !segment || SEGMENT === segment)
		.map(({ SEGMENT, terms, BILLS }) => {
			const made = terms.reduce((sum, { AMOUNT }) => sum + AMOUNT, 0)
			const realised = terms.find(({ TERM }) => TERM === 'REALISED')?.AMOUNT ?? 0
			const stated = summary.data.find((total) => total.SEGMENT === SEGMENT)?.REALISED
			return {
				title: nameCode(SEGMENTS, SEGMENT),
				rows: [
					...terms.map(({ TERM, AMOUNT }) => ({
						...((Object.hasOwn(TERMS, TERM) && TERMS[TERM]) || { label: TERM }),
						figure: formatGain(AMOUNT),
					})),
					{
						label: 'Bills in the ledger',
						figure: formatBalance(BILLS),
						isTotal: true,
						href: isAlone ? undefined : `/reports/ledger/${findLedger(SEGMENT)}`,
					},
					...(unreadIn(terms) ? [] : [{ label: 'Difference', figure: formatRupees(made - BILLS) }]),
				],
				warnings: [
					...(isSame(made, BILLS, terms.length + 1) || unreadIn(terms)
						? []
						: [
								`These lines make ${formatBalance(made)}, but the bills in the ledger make ${formatBalance(BILLS)}: a difference of ${formatRupees(Math.abs(made - BILLS))}.`,
							]),
					...(typeof stated !== 'number' || isSame(stated, realised, 2) || unreadIn(terms)
						? []
						: [`Realised is ${formatGain(realised)} here, but ${formatGain(stated)} in the table of segments.`]),
				],
			}
		})
	const ledgers = tie.ledgers
		.filter(({ COCD }) => !segment || COCD === findLedger(segment))
		.map(({ COCD, FROM, TO, OPENING, BILLS, OTHER, CLOSING }) => {
			const made = OPENING + BILLS + OTHER
			const own = tie.segments.filter(({ SEGMENT }) => findLedger(SEGMENT) === COCD)
			const ofSegments = own.reduce((sum, of) => sum + of.BILLS, 0)
			return {
				title: `${nameCode(SEGMENT_NAMES, COCD)} ledger`,
				rows: [
					{ label: `Opening balance on ${formatDay(FROM)}`, figure: formatBalance(OPENING) },
					{ label: 'Bills', figure: formatBalance(BILLS) },
					{ label: 'Everything else', note: 'Pay-ins, pay-outs, fees and interest; margin is left out.', figure: formatBalance(OTHER) },
					{
						label: `Closing balance on ${formatDay(TO)}`,
						figure: formatBalance(CLOSING),
						isTotal: true,
						href: isAlone ? undefined : ledgerAddress(COCD, FROM, TO),
					},
				],
				warnings: [
					...(isSame(made, CLOSING, 4)
						? []
						: [`These lines make ${formatBalance(made)}, but the ledger closes at ${formatBalance(CLOSING)}.`]),
					...(isSame(ofSegments, BILLS, own.length + 1) || unreadIn(tie.segments)
						? []
						: [`The bills of the segments make ${formatBalance(ofSegments)}, but the ledger’s bills ${formatBalance(BILLS)}.`]),
				],
			}
		})
	return { segments, ledgers, unread: tellUnread(unreadIn(tie)) }
}

function ledgerAddress(cocd: string, from: Day, to: Day): string {
	return `/reports/ledger/${cocd}?${new URLSearchParams({ from, to, filtered: '1', opening: 'Y' })}`
}
