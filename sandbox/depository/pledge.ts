import { Hono } from 'hono'
import { type z } from 'zod/v4'
import { PledgeData, PledgeRequest, PledgeRequests, PledgeResult, PledgeTerms } from '#contract/depository'
import { toIndianDay } from '#contract/values/dates'
import { toRupees } from '#contract/values/money'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData, parseBody, Refused } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { toPrice } from '#sandbox/book/read-scrips'
import { refuseField } from '#sandbox/modifications/steps'
import { findPledgeDeadline, MAX_SECURITIES } from '#sandbox/rules/depository'
import { findPledgeCharge } from '#sandbox/rules/fees'
import { computeValue } from '#sandbox/rules/rounding'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { computePledgeMargin, readDemat } from './demat'
import { listPledges, openPledge } from './pledge-requests'

/** Pledging for margin: the securities that can be pledged, those that are, and the requests. */
export function pledge(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	addPledgeData(routes, parts)
	addRequestMarginPledge(routes, parts)
	addPledgeTerms(routes, parts)
	addPledgeRequests(routes, parts)
	return routes
}

function addPledgeData(routes: Hono<SandboxEnv>, { clock, books }: SandboxParts) {
	routes.get(
		'/v1/margin_epledge_data',
		describeOperation({ id: 'getPledgeData', summary: 'Securities that are or can be pledged', query: Source, data: PledgeData }),
		async (c) => {
			const now = clock.now()
			// A security without a price is not on the approved list. One with only funded or undelivered units can neither be pledged
			// nor released.
			const stocks = (await readDemat(books, c.var.client.code, toIndianDay(now), now)).filter(
				({ free, pledged, close }) => free + pledged > 0 && close > 0,
			)
			const rows = stocks.map((stock) => ({
				stock,
				value: computeValue(stock.free + stock.pledged, stock.close),
				pledgedValue: computeValue(stock.pledged, stock.close),
				margin: computePledgeMargin(stock, stock.pledged),
			}))
			const sum = (of: 'value' | 'pledgedValue' | 'margin') => toRupees(rows.reduce((total, row) => total + row[of], 0))
			return sendData(c, 'Pledge data fetched', {
				filtered_df: rows.map(({ stock, value, margin }) => ({
					ISIN: stock.isin,
					SCRIP_NAME: stock.name,
					QTY: stock.free + stock.pledged,
					FREE_QTY: stock.free,
					PLEDGED_QTY: stock.pledged,
					CLOSE_PRICE: toPrice(stock.close),
					HAIRCUT: Number(stock.haircut),
					VALUE: toRupees(value),
					MARGIN: toRupees(margin),
				})),
				total: { VALUE: sum('value'), MARGIN: sum('margin'), PLEDGED_VALUE: sum('pledgedValue') },
			} satisfies z.input<typeof PledgeData>)
		},
	)
}

function addRequestMarginPledge(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	routes.post(
		'/v1/margin_epledge',
		describeOperation({
			id: 'requestMarginPledge',
			summary: 'Pledge or unpledge',
			changes: true,
			query: Source,
			body: PledgeRequest,
			data: PledgeResult,
		}),
		async (c) => {
			const { client_code, action, data } = await parseBody(c, PledgeRequest)
			const { code: client } = c.var.client
			if (client_code !== client) throw new Refused(403, 'Client code does not match the session')
			if (new Set(data.map(({ isin }) => isin)).size < data.length) throw refuseField('data', 'A security is listed twice')
			const placed = await openPledge(parts, { client, action, lines: data, key: c.req.header('idempotency-key') })
			return sendData(c, `${action === 'pledge' ? 'Pledge' : 'Unpledge'} request placed`, placed satisfies z.input<typeof PledgeResult>)
		},
	)
}

function addPledgeTerms(routes: Hono<SandboxEnv>, { clock, books }: SandboxParts) {
	routes.get(
		'/v1/ours/pledge-terms',
		describeOperation({ id: 'getPledgeTerms', summary: 'Fee and deadlines of a pledge', query: Source, data: PledgeTerms }),
		async (c) => {
			const now = clock.now()
			const { askBy, confirmBy, marginFrom } = findPledgeDeadline(now)
			const stocks = await readDemat(books, c.var.client.code, toIndianDay(now), now)
			return sendData(c, 'Pledge terms fetched', {
				fee: toRupees(findPledgeCharge().total),
				max_securities: MAX_SECURITIES,
				ask_by: askBy.toISOString(),
				confirm_by: confirmBy.toISOString(),
				margin_from: marginFrom,
				cash_equivalents: stocks.filter((stock) => stock.isCashEquivalent).map(({ isin }) => isin),
			} satisfies z.input<typeof PledgeTerms>)
		},
	)
}

function addPledgeRequests(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	routes.get(
		'/v1/ours/pledge-requests',
		describeOperation({ id: 'listPledgeRequests', summary: 'Pledges and releases asked for', query: Source, data: PledgeRequests }),
		async (c) => sendData(c, 'Pledge requests fetched', await listPledges(parts, c.var.client.code)),
	)
}
