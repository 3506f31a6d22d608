import { z } from 'zod/v4'
import { type OnePledgeRequest, PledgeAction, type PledgeData, type PledgeRow, type PledgeTerms } from '~/broker/contract/depository'
import { Isin } from '~/broker/contract/units'
import { formatDay } from '~/lib/days'
import { marginOf, unitsOf } from '~/lib/margin'
import { momentOf } from '~/lib/moments'
import { type Paise } from '~/lib/money'

/** What shall be pledged or released: units by ISIN. */
export type PledgeOrder = { action: PledgeAction; units: Record<string, number> }

/** How much of a row an action may take. */
export const limitOf = (row: PledgeRow, action: PledgeAction): number => (action === 'pledge' ? row.FREE_QTY : row.PLEDGED_QTY)

const verbOf = (action: PledgeAction) => (action === 'pledge' ? 'pledge' : 'unpledge')

/** What the form of a pledge must hold (domain B-23), over what can be pledged now. Fields: `action`, `qty.<ISIN>`. */
export function pledgeOf(rows: readonly PledgeRow[], maxSecurities: number | undefined) {
	return z
		.object({ action: PledgeAction.catch('pledge'), qty: z.record(z.string(), z.string()).default({}) })
		.transform(({ action, qty }, { addIssue }): PledgeOrder => {
			const wrong = (path: string[], message: string) => addIssue({ code: 'custom', path, message })
			const units: Record<string, number> = {}
			let isTyped = false
			for (const row of rows) {
				const typed = qty[row.ISIN]?.trim() ?? ''
				if (typed === '') continue
				isTyped = true
				const asked = unitsOf(typed)
				const limit = limitOf(row, action)
				if (asked === undefined) wrong(['qty', row.ISIN], `The quantity of ${row.SCRIP_NAME} must be a whole number`)
				else if (asked > limit) wrong(['qty', row.ISIN], `You can ${verbOf(action)} up to ${limit} of ${row.SCRIP_NAME}`)
				else if (asked > 0) units[row.ISIN] = asked
			}
			const count = Object.keys(units).length
			if (!isTyped || (count === 0 && Object.keys(qty).every((isin) => unitsOf(qty[isin] ?? '') === 0)))
				wrong([], `Enter a quantity to ${verbOf(action)}`)
			if (maxSecurities && count > maxSecurities) wrong([], `You can ${verbOf(action)} up to ${maxSecurities} securities at a time`)
			return { action, units }
		})
}

/** An order as it stands in an address: `action=pledge&INE002A01018=20`. */
export function addressOf({ action, units }: PledgeOrder): string {
	return new URLSearchParams({ action, ...Object.fromEntries(Object.entries(units).map(([isin, qty]) => [isin, String(qty)])) }).toString()
}

/** The order of an address; what fits no order is left out. */
export function orderOf(query: URLSearchParams): PledgeOrder {
	const units: Record<string, number> = {}
	for (const [name, value] of query) {
		const asked = unitsOf(value)
		if (Isin.safeParse(name).success && asked !== undefined && asked > 0) units[name] = asked
	}
	return { action: PledgeAction.catch('pledge').parse(query.get('action')), units }
}

export type PledgeLine = {
	isin: string
	name: string
	qty: number
	price: number
	haircut: number
	margin: Paise
	isCash: boolean | undefined
}

/** The order in the broker's own figures; undefined when it asks for what is not there. */
export function linesOf(
	{ action, units }: PledgeOrder,
	{ filtered_df }: PledgeData,
	terms: PledgeTerms | undefined,
): PledgeLine[] | undefined {
	const rows = new Map(filtered_df.map((row) => [row.ISIN, row]))
	const lines: PledgeLine[] = []
	for (const [isin, qty] of Object.entries(units)) {
		const row = rows.get(isin)
		if (!row || qty > limitOf(row, action)) return undefined
		const { SCRIP_NAME: name, CLOSE_PRICE: price, HAIRCUT: haircut } = row
		lines.push({ isin, name, qty, price, haircut, margin: marginOf(qty, price, haircut), isCash: terms?.cash_equivalents.includes(isin) })
	}
	return lines.length > 0 ? lines : undefined
}

export const sumMargin = (lines: readonly { margin: Paise }[]): Paise => lines.reduce((sum, { margin }) => sum + margin, 0)

/** How a request stands, in words: for the list, and for the page that the depository sends back to. */
export function wordsOf(request: OnePledgeRequest) {
	const { action, status, last_outcome, reason, confirm_by, margin_from, request_id, ended_at } = request
	const isPledge = action === 'pledge'
	const reference = `Reference ${request_id}.`
	if (status === 'CONFIRMED') {
		const counts = isPledge
			? `It counts as margin from ${formatDay(margin_from)}.`
			: `The shares are free; the margin is less from ${formatDay(margin_from)}.`
		return {
			heading: isPledge ? 'Pledge confirmed' : 'Unpledge confirmed',
			kind: 'success' as const,
			status: 'Confirmed',
			message: `Confirmed at ${momentOf(ended_at ?? confirm_by)}. ${counts} ${reference}`,
		}
	}
	if (status === 'LAPSED') {
		const message = `Nobody confirmed this by ${momentOf(confirm_by)}, so nothing has changed. ${reference}`
		return { heading: 'Not confirmed in time', kind: 'warning' as const, status: 'Not confirmed in time', message }
	}
	const until = `You can confirm until ${momentOf(confirm_by)}. ${reference}`
	if (last_outcome === 'FAILED') {
		const why = reason ? `${reason.replace(/\.$/, '')}. ` : ''
		return { heading: 'Not confirmed', kind: 'error' as const, status: 'Failed', message: `It failed. ${why}Nothing has changed. ${until}` }
	}
	const what = last_outcome === 'CANCELLED' ? 'You cancelled at the depository.' : 'This has not been confirmed yet.'
	return { heading: 'Not confirmed', kind: 'info' as const, status: 'Waits for you', message: `${what} Nothing has changed. ${until}` }
}
