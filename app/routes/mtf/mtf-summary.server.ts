import { type MtfDetails, type MtfFacts, type MtfInterest } from '#contract/mtf'
import { unreadIn } from '#contract/tolerant'
import { formatDay } from '#contract/values/dates'
import { simpleInterest } from '#contract/values/interest'
import { formatDeadline } from '#contract/values/moments'
import { formatRupees, type Paise } from '#contract/values/money'
import { nameUnits } from '#contract/values/unit-names'
import { now as brokersNow } from '~/broker/clock.server'
import { fundsPath } from '~/lib/funds-path'
import { mayBeSum } from '~/lib/rounding'
import { confirmPath } from '~/lib/sign-pages'
import { formatUnits } from '~/lib/units'
import { DASH, orDash, sumOrNull } from '~/lib/unknown'
import { showGain } from '~/reports/columns.server'
import { tellUnread } from '~/reports/unread.server'
import { computeGain, joinPositionFacts, sumInterestByMonth } from './mtf-tables.server'

/* Figures and text of the margin funding page. */

const percent = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 2 })

/** Returns the interest rate as `14.99 % a year`. */
const formatInterestRate = ({ interest_rate }: MtfDetails): string => `${orDash(interest_rate, (rate) => percent.format(rate))} % a year`

/** Returns the notice for figures of the cards that could not be read. The table of positions has its own. */
function tellUnreadCards(details: MtfDetails): string | undefined {
	const unread = unreadIn(details)
	const cells = (unread?.cells ?? 0) - (unreadIn(details.positions)?.cells ?? 0)
	return unread && cells > 0 ? tellUnread({ ...unread, rows: 0, cells }) : undefined
}

/** Says which sums of the broker differ from the positions; each position may be rounded to a paisa. */
function tellDifferences(details: MtfDetails): string[] {
	const { positions, funded_amount, interest_accrued, margin_required } = details
	const sums = [
		{ what: 'Funded', key: 'FUNDED', stated: funded_amount },
		{ what: 'Interest', key: 'INTEREST', stated: interest_accrued },
		{ what: 'Paid by you', key: 'CLIENT_MARGIN', stated: margin_required },
	] as const
	return sums.flatMap(({ what, key, stated }) => {
		const made = unreadIn(positions) ? null : sumOrNull(positions.map((position) => position[key]))
		if (made === null || stated === null || mayBeSum(made, stated, positions.length)) return []
		return [`${what}: the positions add up to ${formatRupees(made)}, but the broker states ${formatRupees(stated)}.`]
	})
}

/** Returns the notice above the cards: what could not be read, and what does not agree. */
export function tellCards(details: MtfDetails): string | undefined {
	const differences = tellDifferences(details)
	const ask = differences.length > 0 ? 'Ask the broker which is right.' : undefined
	return [tellUnreadCards(details), ...differences, ask].filter(Boolean).join(' ') || undefined
}

/** Returns the cards of an active account: figures of the required operation, and figures that only the optional operations have. */
export function listMtfCards(details: MtfDetails, facts: MtfFacts | undefined, interest: MtfInterest | undefined) {
	const { limit, funded_amount, interest_accrued, margin_required, positions } = details
	const running = interest && sumInterestByMonth(interest).find(({ isPosted }) => !isPosted)
	const { shortfall, ...margin } = describeMargin(details, facts)
	const held = joinPositionFacts(details, facts)
	const gain = showGain(unreadIn(held) ? null : sumOrNull(held.map(computeGain)))
	return {
		margin,
		funded: {
			figure: orDash(funded_amount, formatRupees),
			rows: [
				// By its name the margin required; by the contract the sum of what the client paid for the positions.
				{ label: 'Paid by you', figure: orDash(margin_required, formatRupees) },
				...(positions.length > 0 ? [{ label: 'MTM of your positions', figure: gain.text, tone: gain.tone }] : []),
				{ label: 'Limit', figure: orDash(limit, formatRupees) },
				{ label: 'Limit left', figure: limit === null || funded_amount === null ? DASH : formatRupees(Math.max(0, limit - funded_amount)) },
				{ label: 'Positions', figure: unreadIn(positions)?.rows ? DASH : String(positions.length) },
			],
		},
		interest: {
			figure: orDash(interest_accrued, formatRupees),
			rows: [
				{ label: 'Rate', figure: formatInterestRate(details) },
				{
					label: 'Interest today',
					figure: orDash(computeDailyInterest(details), formatRupees),
				},
				...(running ? [{ label: `${running.label}, not posted yet`, figure: running.figure }] : []),
			],
		},
		call: shortfall ? { words: formatMarginCall(shortfall, facts), href: fundsPath(shortfall, 'NSE_CASH') } : undefined,
	}
}

/** Returns the interest of one day. Shares that are not paid for yet bear none; `null` when a figure is missing. */
function computeDailyInterest({ funded_amount, interest_rate, positions }: MtfDetails): Paise | null {
	if (interest_rate === null) return null
	const isListed = positions.length > 0 && !unreadIn(positions)
	const loans = isListed ? positions.filter(({ DAYS }) => DAYS !== 0).map(({ FUNDED }) => FUNDED) : [funded_amount]
	return sumOrNull(loans.map((loan) => (loan === null ? null : simpleInterest(loan, interest_rate, 1))))
}

/**
 * Returns the margin card and the shortfall in paise. Only the optional operation has the margin needed at the last close. Without it,
 * the margin is compared with what the client paid at purchase.
 */
function describeMargin({ margin_required, margin_available }: MtfDetails, facts: MtfFacts | undefined) {
	const positions = facts?.positions ?? []
	// A sum without the positions that could not be read is wrong.
	const sumOf = (key: 'MARGIN_NEEDED' | 'MARGIN_HELD') =>
		unreadIn(positions) ? null : positions.reduce((sum, position) => sum + position[key], 0)
	const held = sumOf('MARGIN_HELD')
	const needed = facts ? sumOf('MARGIN_NEEDED') : margin_required
	// `margin_available` is never below zero. Here the figure is negative when the shares are worth less than the loan.
	const margin = facts ? sumOrNull([held, facts.cash]) : margin_available
	// When a figure is missing, there is no margin call.
	const spare = sumOrNull([margin, needed === null ? null : -needed])
	const shortfall = facts?.shortfall ?? (spare === null ? null : Math.max(0, -spare))
	const isShort = shortfall !== null && shortfall > 0
	// What was paid at purchase may be less than what is needed now, so only the margin needed shows that something is spare.
	const answer = isShort
		? { figure: `${formatRupees(shortfall)} short`, tone: 'loss' as const }
		: facts && spare !== null
			? { figure: `${formatRupees(Math.max(0, spare))} spare` }
			: undefined
	const have = orDash(margin, formatRupees)
	return {
		shortfall,
		...(answer ?? { figure: have }),
		rows: [
			...(facts
				? [
						{
							label: 'Your shares less what was lent',
							figure: orDash(held, formatRupees),
							tone: held !== null && held < 0 ? ('loss' as const) : undefined,
						},
						{ label: 'Ledger cash counted for MTF', figure: formatRupees(facts.cash), href: '/reports/ledger/deducted' },
					]
				: []),
			...(answer ? [{ label: 'Margin you have', figure: have }] : []),
			...(facts ? [{ label: 'Needed at the last close', figure: orDash(needed, formatRupees) }] : []),
		],
	}
}

function formatMarginCall(shortfall: Paise, facts: MtfFacts | undefined): string {
	const by = facts?.shortfall_by ? ` by the end of ${formatDay(facts.shortfall_by)}` : ' at once'
	const otherwise = facts ? `, or the broker sells shares within ${facts.square_off_days} trading days` : ''
	return `You are ${formatRupees(shortfall)} short of margin. Add funds or sell${by}${otherwise}.`
}

/** Returns the funded shares whose pledge waits for the client, each with its deadline and the page to confirm it. */
export function waitingPledges(details: MtfDetails, facts: MtfFacts | undefined, now = brokersNow()) {
	return joinPositionFacts(details, facts).flatMap(({ facts: its, ISIN, SCRIP_NAME, QTY }) => {
		// Confirmed but not delivered yet, so the client can do nothing.
		if (!its || QTY === null || its.PLEDGED_QTY >= QTY || (its.PLEDGE_BY === null && its.UNSETTLED_QTY)) return []
		const units = QTY - its.PLEDGED_QTY
		const what = `${formatUnits(units)} ${nameUnits(ISIN, units)} of ${SCRIP_NAME.replace(/ Ltd\.?$/, '')}`
		const href = its.PLEDGE_REF ? confirmPath(its.PLEDGE_REF) : undefined
		return [{ id: ISIN, ...tellPledge(what, its, now), href, label: 'Confirm the pledge' }]
	})
}

function tellPledge(what: string, { PLEDGE_BY, PLEDGE_SOLD_FROM }: MtfFacts['positions'][number], now: Date) {
	if (!PLEDGE_BY) return { title: `${what}: confirm the MTF pledge` }
	const by = formatDeadline(new Date(PLEDGE_BY), now)
	const sold = PLEDGE_SOLD_FROM && formatDeadline(new Date(PLEDGE_SOLD_FROM), now)
	if (new Date(PLEDGE_BY) >= now)
		return {
			title: `${what}: confirm by ${by}`,
			words: `The MTF pledge waits for you.${sold ? ` If you do not confirm it, the broker sells these shares at ${sold}.` : ''}`,
		}
	return {
		title: `${what}: the MTF pledge was due by ${by}`,
		words: sold ? `Confirm it before ${sold}, or the broker sells the shares.` : undefined,
	}
}

/** The pages where a client can remove an obstacle to the activation. */
const MENDING: Readonly<Record<string, { href: string; label: string }>> = {
	SEGMENT: { href: '/myaccount/segments', label: 'Segments' },
	DEBIT: { href: '/funds', label: 'Add funds' },
}

/** Returns why margin funding cannot be activated, in the words of the broker; undefined when it can be, or when that is unknown. */
export function explainMtfRefusal(facts: MtfFacts | undefined) {
	if (!facts || facts.can_activate) return undefined
	const words = facts.why_not ?? 'It can not be activated for this account'
	return { words, link: facts.why_not_kind ? MENDING[facts.why_not_kind] : undefined }
}

const VALUE: Paise = 1_00_000_00
const HELD_DAYS = [7, 30, 90, 365]

/** Returns the cost for an example: shares worth ₹ 1,00,000, with the smallest allowed margin. */
export function computeMtfCost(details: MtfDetails, facts: MtfFacts | undefined) {
	const margin = facts ? (VALUE * facts.margin_from) / 100 : 0
	const funded = VALUE - margin
	const fees = facts ? 2 * facts.pledge_fee : 0
	const share = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
	return {
		sentence: facts
			? `You buy shares for ${formatRupees(VALUE)}: ${formatRupees(margin)} is yours, and the broker lends ${formatRupees(funded)}.`
			: `The broker lends ${formatRupees(funded)}.`,
		rows: HELD_DAYS.map((days) => {
			const interest = details.interest_rate === null ? null : simpleInterest(funded, details.interest_rate, days)
			const all = sumOrNull([interest, fees])
			return {
				days: `${days} days`,
				interest: orDash(interest, formatRupees),
				fees: facts ? formatRupees(fees) : DASH,
				// When the fees are unknown, there is no sum.
				all: facts ? orDash(all, formatRupees) : DASH,
				rise: facts ? orDash(all, (paise) => `${share.format((paise / VALUE) * 100)} %`) : DASH,
			}
		}),
		// After a fall of 10 %, this part of the client's margin is lost.
		fall: margin > 0 ? `${percent.format((VALUE * 10) / margin)} %` : undefined,
	}
}

/**
 * Returns what happens when margin or a pledge is missing: a part of what is signed, and of the risks when that is unknown. Margin calls end with the next
 * trading day at every broker; the rest is the broker's own.
 */
export function describeSales(facts: MtfFacts | undefined) {
	const add = 'Add it by the end of the next trading day'
	if (!facts)
		return [
			{ label: 'Margin missing', value: `${add}, or the broker sells your shares without asking.` },
			{ label: 'Pledge missing', value: 'Confirm it in time, or the broker sells those shares at the market price.' },
		]
	const days = `${facts.square_off_days} trading days`
	return [
		{ label: 'Margin missing', value: `${add}. If it is still missing after ${days}, the broker sells your shares without asking.` },
		{
			label: 'Pledge missing',
			value: `Confirm it by ${facts.pledge_by} of the trade day. If it is still missing ${days} later, the broker sells those shares at the market price.`,
		},
	]
}

/** Returns the terms that the client signs, shown before the redirect to the provider. */
export function listSignedTerms(details: MtfDetails, facts: MtfFacts | undefined) {
	return [
		...(facts ? [{ label: 'Limit', value: formatRupees(facts.offered_limit) }] : []),
		{
			label: 'Interest',
			value: `${formatInterestRate(details)} on what is funded, every day from pay-in, the day after you buy, until you sell or repay`,
		},
		...(facts
			? [
					{
						label: 'Your margin',
						value: `${percent.format(facts.margin_from)} % of the value or more; the approved list says how much for each share`,
					},
					{ label: 'Pledge', value: `${formatRupees(facts.pledge_fee)} for each pledge and release` },
					...describeSales(facts),
				]
			: []),
	]
}
