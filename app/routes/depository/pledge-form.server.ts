import { z } from 'zod/v4'
import { type OnePledgeRequest, PledgeAction, type PledgeData, type PledgeRow, type PledgeTerms } from '#contract/depository'
import { unreadIn } from '#contract/tolerant'
import { Isin, IsinInAddress } from '#contract/units'
import { type Paise } from '#contract/values/money'
import { MAX_TYPED, UnitsTyped } from '~/forms/quantity-fields.server'
import { computeMargin, parseUnits } from '~/lib/margin'

/** The units to pledge or release, by ISIN. */
export type PledgeOrder = { action: PledgeAction; units: Record<string, number> }

/** Returns how many whole units of a row can be pledged or released. The call of the broker takes no fraction of a unit. */
export const findPledgeLimit = (row: PledgeRow, action: PledgeAction): number =>
	Math.floor(action === 'pledge' ? row.FREE_QTY : row.PLEDGED_QTY)

const chooseVerb = (action: PledgeAction) => (action === 'pledge' ? 'pledge' : 'unpledge')

/** Returns the schema of the form of a pledge (domain B-23), for what can be pledged now. Fields: `action`, `qty.<ISIN>`. */
export function createPledgeForm(rows: readonly PledgeRow[], maxSecurities: number | undefined) {
	return z.object({ action: PledgeAction.catch('pledge'), qty: UnitsTyped }).transform(({ action, qty }, { addIssue }): PledgeOrder => {
		const wrong = (path: string[], message: string) => addIssue({ code: 'custom', path, message })
		const rowsByIsin = new Map(rows.map((row) => [row.ISIN, row]))
		const filled = Object.entries(qty).filter(([, typed]) => typed.trim() !== '' && parseUnits(typed) !== 0)
		if (filled.length === 0) wrong(['qty'], `Enter a quantity to ${chooseVerb(action)}`)
		if (maxSecurities && filled.length > maxSecurities)
			wrong(['qty'], `You can ${chooseVerb(action)} up to ${maxSecurities} securities at a time`)
		const units: Record<string, number> = {}
		for (const [isin, typed] of filled) {
			const row = rowsByIsin.get(isin)
			const asked = parseUnits(typed)
			// Its row is gone, so no field can show the message.
			if (!row) wrong([], `${Isin.safeParse(isin).success ? isin : 'That security'} is not on the approved list today`)
			else if (asked === undefined) wrong(['qty', isin], `The quantity of ${row.SCRIP_NAME} must be a whole number`)
			else if (asked > findPledgeLimit(row, action))
				wrong(['qty', isin], `You can ${chooseVerb(action)} up to ${findPledgeLimit(row, action)} of ${row.SCRIP_NAME}`)
			else units[isin] = asked
		}
		return { action, units }
	})
}

const QTY = 'qty.'

/** Returns the security of a field `qty.<ISIN>` or of an ISIN in an address; undefined for other names. */
const readIsin = (name: string) => (name.startsWith(QTY) ? IsinInAddress.safeParse(name.slice(QTY.length)) : Isin.safeParse(name)).data

/** Returns an order as a query: `action=pledge&INE002A01018=20`. Also for typed values that are not yet a valid order. */
export function formatPledgeQuery({ action, units }: { action: string; units: Record<string, number | string> }): URLSearchParams {
	const query = new URLSearchParams({ action })
	for (const [isin, qty] of Object.entries(units)) query.set(Isin.safeParse(isin).success ? isin : QTY + isin, String(qty))
	return query
}

/** Reads the values of a form, or of its fields in an address, as they were typed, valid or not. */
export function readTypedPledge(fields: FormData | URLSearchParams): { action: PledgeAction; units: Record<string, string> } {
	const units = [...fields].flatMap(([name, value]): [string, string][] => {
		const isin = readIsin(name)
		return typeof value !== 'string' || value.trim() === '' || isin === undefined ? [] : [[isin, value.trim().slice(0, MAX_TYPED)]]
	})
	return { action: PledgeAction.catch('pledge').parse(fields.get('action')), units: Object.fromEntries(units) }
}

/** Reads the order in an address. Leaves out the parts that are not valid. */
export function readPledgeOrder(query: URLSearchParams): PledgeOrder {
	const { action, units: typed } = readTypedPledge(query)
	const units = Object.entries(typed).map(([isin, value]): [string, number] => [isin, parseUnits(value) ?? 0])
	return { action, units: Object.fromEntries(units.filter(([, asked]) => asked > 0)) }
}

/** Returns the margin of units of a row, in paise. */
const computeRowMargin = ({ CLOSE_PRICE, HAIRCUT }: PledgeRow, units: number): Paise => computeMargin(units, CLOSE_PRICE, HAIRCUT)

/** Returns the margin that pledging all free units of a row would add, in paise. */
export const computeOffer = (row: PledgeRow): Paise => computeRowMargin(row, findPledgeLimit(row, 'pledge'))

export type PledgeLine = {
	isin: string
	name: string
	qty: number
	price: number
	haircut: number
	margin: Paise
	isCash: boolean | undefined
}

/** Returns the lines of an order, with the broker's figures; undefined when it asks for more units than there are. */
export function listPledgeLines(
	{ action, units }: PledgeOrder,
	{ filtered_df }: PledgeData,
	terms: PledgeTerms | undefined,
): PledgeLine[] | undefined {
	const rows = new Map(filtered_df.map((row) => [row.ISIN, row]))
	const lines: PledgeLine[] = []
	for (const [isin, qty] of Object.entries(units)) {
		const row = rows.get(isin)
		if (!row || qty > findPledgeLimit(row, action)) return undefined
		const { SCRIP_NAME: name, CLOSE_PRICE: price, HAIRCUT: haircut } = row
		lines.push({
			isin,
			name,
			qty,
			price,
			haircut,
			margin: computeRowMargin(row, qty),
			isCash: terms?.cash_equivalents.includes(isin),
		})
	}
	return lines.length > 0 ? lines : undefined
}

/**
 * Finds a request for exactly this order that the client has not confirmed yet. It is continued and not made again: the same order from
 * another tab, or some days later, means this request. A pledge of funded shares (MTF) is made with their purchase, and is never meant.
 */
export function findWaiting({ action, units }: PledgeOrder, requests: readonly OnePledgeRequest[]) {
	const count = Object.keys(units).length
	for (const { request_id, esign_response, action: asked, purpose, lines, confirm_by } of requests) {
		if (esign_response === null || asked !== action || purpose === 'MTF' || lines.length !== count || unreadIn(lines)) continue
		if (lines.every(({ isin, qty }) => units[isin] === qty)) return { request_id, esign_response, confirm_by }
	}
	return undefined
}

export const sumMargin = (lines: readonly { margin: Paise }[]): Paise => lines.reduce((sum, { margin }) => sum + margin, 0)
