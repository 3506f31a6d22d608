import { Hono } from 'hono'
import { z } from 'zod/v4'
import { YearStart } from '#contract/common'
import { EsignResponse } from '#contract/esign'
import { MtfDetails, MtfFacts, MtfInterest } from '#contract/mtf'
import { toIndianDay } from '#contract/values/dates'
import { toRupees } from '#contract/values/money'
import { describeOperation } from '#sandbox/api/describe-operation'
import { yearPeriod } from '#sandbox/api/period-query'
import { sendData, parseBody, parseQuery } from '#sandbox/api/responses'
import { Source, SourceRequired } from '#sandbox/api/source-query'
import { type FundedPosition, readFundings, readInterestPostings } from '#sandbox/book/read-mtf'
import { findPledgeCharge, MTF_INTEREST_PERCENT } from '#sandbox/rules/fees'
import { listInterestDays, PLEDGE_BY, SMALLEST_MARGIN, SQUARE_OFF_DAYS } from '#sandbox/rules/mtf'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { explainNoMtf, listWaitingPledges, readMargin, readMarginCall, readMtfAccount } from './account'
import { askToActivate } from './activation'

const NoBody = z.object({})
const YearQuery = Source.extend({ dataYear: YearStart })
const sumRupees = (positions: FundedPosition[], of: 'funded' | 'brought' | 'interest') =>
	toRupees(positions.reduce((sum, position) => sum + position[of], 0))

/** Margin funding: the loans, their cost day by day, and the signature. */
export function mtf(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	addRequestMtfEsign(routes, parts)
	addMtfDetails(routes, parts)
	addMtfFacts(routes, parts)
	addMtfInterest(routes, parts)
	return routes
}

function addRequestMtfEsign(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	routes.post(
		'/v1/mtf_esign_process',
		describeOperation({
			id: 'requestMtfEsign',
			summary: 'E-sign the MTF terms',
			changes: true,
			query: Source,
			body: NoBody,
			data: EsignResponse,
		}),
		async (c) => {
			await parseBody(c, NoBody)
			return sendData(c, 'Proceed to e-sign', await askToActivate(parts, c.var.client.code))
		},
	)
}

function addMtfDetails(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { books, clock, settings } = parts
	routes.get(
		'/v2/account-profile/mtf-details',
		describeOperation({ id: 'getMtfDetails', summary: 'Margin trading facility', query: SourceRequired, data: MtfDetails }),
		async (c) => {
			const { code } = c.var.client
			const { status } = await readMtfAccount(parts, code)
			const { positions, held, cash } = await readMargin(books, code, toIndianDay(clock.now()))
			return sendData(c, 'MTF details fetched', {
				status,
				limit: status === 'ACTIVE' ? toRupees(settings.mtfLimit) : 0,
				funded_amount: sumRupees(positions, 'funded'),
				interest_rate: Number(MTF_INTEREST_PERCENT),
				interest_accrued: sumRupees(positions, 'interest'),
				margin_required: sumRupees(positions, 'brought'),
				margin_available: toRupees(Math.max(0, held + cash)),
				positions: positions.map((position) => ({
					ISIN: position.instrument,
					SCRIP_NAME: position.name,
					QTY: position.quantity,
					BUY_RATE: Math.round((position.cost * 100) / position.quantity) / 10_000,
					CLOSE_PRICE: position.close / 10_000,
					FUNDED: toRupees(position.funded),
					CLIENT_MARGIN: toRupees(position.brought),
					INTEREST: toRupees(position.interest),
					DAYS: position.days,
				})),
			} satisfies z.input<typeof MtfDetails>)
		},
	)
}

function addMtfFacts(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { clock, books, settings } = parts
	routes.get(
		'/v1/ours/mtf-facts',
		describeOperation({ id: 'getMtfFacts', summary: 'Terms and margin of the MTF account', query: Source, data: MtfFacts }),
		async (c) => {
			const { code } = c.var.client
			const now = clock.now()
			const day = toIndianDay(now)
			const [account, why, call] = await Promise.all([
				readMtfAccount(parts, code),
				explainNoMtf(books, code, day),
				readMarginCall(books, code, now),
			])
			const pledges = await listWaitingPledges(books, code, call.positions, now)
			const pledgesByInstrument = new Map(pledges.map((pledge) => [pledge.position.instrument, pledge]))
			return sendData(c, 'MTF facts fetched', {
				offered_limit: toRupees(settings.mtfLimit),
				margin_from: Number(SMALLEST_MARGIN),
				pledge_fee: toRupees(findPledgeCharge().total),
				pledge_by: PLEDGE_BY,
				square_off_days: SQUARE_OFF_DAYS,
				can_activate: account.status !== 'ACTIVE' && why === undefined,
				why_not: account.status === 'ACTIVE' ? null : (why?.words ?? null),
				why_not_kind: account.status === 'ACTIVE' ? null : (why?.kind ?? null),
				activated_on: account.activatedOn,
				esign_reference: account.esignReference,
				cash: toRupees(call.cash),
				shortfall: toRupees(call.shortfall),
				shortfall_by: call.shortfallBy,
				positions: call.positions.map((position) => ({
					ISIN: position.instrument,
					BOUGHT_ON: position.boughtOn,
					VALUE: toRupees(position.value),
					MARGIN_PCT: Number(position.marginPercent),
					MARGIN_NEEDED: toRupees(position.needed),
					MARGIN_HELD: toRupees(position.held),
					PLEDGED_QTY: position.pledged,
					UNSETTLED_QTY: position.unsettled,
					UNPAID_QTY: position.unpaid,
					PLEDGE_BY: pledgesByInstrument.get(position.instrument)?.confirmBy.toISOString() ?? null,
					PLEDGE_SOLD_FROM: pledgesByInstrument.get(position.instrument)?.soldFrom.toISOString() ?? null,
					PLEDGE_REF: pledgesByInstrument.get(position.instrument)?.reference ?? null,
				})),
			} satisfies z.input<typeof MtfFacts>)
		},
	)
}

function addMtfInterest(routes: Hono<SandboxEnv>, { clock, books }: SandboxParts) {
	routes.get(
		'/v1/ours/mtf-interest',
		describeOperation({ id: 'listMtfInterest', summary: 'MTF interest day by day', query: YearQuery, data: MtfInterest }),
		async (c) => {
			const { dataYear } = parseQuery(c, YearQuery)
			const { code } = c.var.client
			const now = toIndianDay(clock.now())
			const { from, to } = yearPeriod(dataYear, now)
			const moves = await readFundings(books, code, to)
			const postings = moves.length === 0 ? [] : await readInterestPostings(books, code, from, to)
			const symbols = new Map(moves.map(({ instrument, symbol }) => [instrument, symbol]))
			const vouchersByMonth = new Map(postings.map(({ month, voucherNo }) => [month, voucherNo]))
			return sendData(c, 'MTF interest fetched', {
				days: listInterestDays(moves, from, to).map(({ day, instrument, funded, interest }) => ({
					DATE: day,
					ISIN: instrument,
					SYMBOL: symbols.get(instrument) ?? instrument,
					FUNDED: toRupees(funded),
					INTEREST: toRupees(interest),
					VOUCHER_NO: vouchersByMonth.get(day.slice(0, 7)) ?? null,
				})),
				postings: postings.map(({ month, voucherNo, day, amount }) => ({
					MONTH: month,
					VOUCHER_NO: voucherNo,
					DATE: day,
					AMOUNT: toRupees(amount),
				})),
			} satisfies z.input<typeof MtfInterest>)
		},
	)
}
