import { envelope, NoContent } from '#contract/common'
import {
	DdpiDetails,
	type EdisHolding,
	EdisHoldings,
	EdisOtp,
	EdisResults,
	type PledgeAction,
	PledgeData,
	PledgeRequests,
	type PledgeRow,
	PledgeResult,
	PledgeTerms,
	type StockVerificationRequest,
	StockVerifications,
} from '#contract/depository'
import { EsignResponse } from '#contract/esign'
import { withUnread } from '#contract/tolerant'
import { type Broker } from './client.server'

const service = 'edis'

/** Joins the rows of one key. A broker lists a security twice when it is in two demat accounts, and an order names only the ISIN. */
function joinRows<Row>(rows: readonly Row[], readKey: (row: Row) => string, join: (one: Row, other: Row) => Row): Row[] {
	const joined = new Map<string, Row>()
	for (const row of rows) {
		const key = readKey(row)
		const before = joined.get(key)
		joined.set(key, before ? join(before, row) : row)
	}
	return withUnread([...joined.values()], rows)
}

/** Joins the sales of one day, because a request names the day and the security only. */
function joinSales(holding: EdisHolding): EdisHolding {
	const { sold } = holding
	const join = (one: { qty: number; trade_date: string }, other: { qty: number }) => ({ ...one, qty: one.qty + other.qty })
	return sold ? { ...holding, sold: joinRows(sold, ({ trade_date }) => trade_date, join) } : holding
}

const joinHoldings = (one: EdisHolding, other: EdisHolding): EdisHolding => ({
	...one,
	qty: one.qty + other.qty,
	poa_qty: one.poa_qty + other.poa_qty,
	free_qty: one.free_qty + other.free_qty,
	verified_qty: one.verified_qty + other.verified_qty,
	sold: one.sold && other.sold ? withUnread([...one.sold, ...other.sold], one.sold, other.sold) : (one.sold ?? other.sold),
})

const joinPledges = (one: PledgeRow, other: PledgeRow): PledgeRow => ({
	...one,
	QTY: one.QTY + other.QTY,
	FREE_QTY: one.FREE_QTY + other.FREE_QTY,
	PLEDGED_QTY: one.PLEDGED_QTY + other.PLEDGED_QTY,
	VALUE: one.VALUE + other.VALUE,
	MARGIN: one.MARGIN + other.MARGIN,
})

/** The units that can be verified for a sale, and the units already verified. A 404 means an empty demat account. */
export async function getEdisHoldings(broker: Broker) {
	const holdings = await broker.get('/edis/edis/v1/edis-holding-data', EdisHoldings, { service })
	const joined = joinRows(holdings, ({ isin }) => isin, joinHoldings)
	return withUnread(joined.map(joinSales), joined)
}

/** Requests the code that verifies units for a sale; each call sends a new code. Returns the broker's sentence on where it was sent. */
export function requestStockVerification(broker: Broker, asked: Omit<StockVerificationRequest, 'client_code'>) {
	const Sent = envelope(EdisOtp).transform(({ message, data }) => ({ ...data, message }))
	return broker.post('/edis/edis/v1/edis-stock-verify', Sent, {
		isWhole: true,
		service,
		body: { client_code: broker.clientCode, ...asked },
	})
}

/** Sends another code for the same request. A GET by the broker's design, never repeated automatically. */
export function resendStockVerificationOtp(broker: Broker, requestId: string) {
	const Sent = envelope(NoContent).transform(({ message }) => message)
	return broker.getOnce('/edis/edis/v1/resend-otp', Sent, { isWhole: true, service, query: { request_id: requestId } })
}

/** Verifies the units with the code. A repeat with the same idempotency key gets the first reply, because a code works once. */
export function verifyStockVerificationOtp(broker: Broker, requestId: string, otp: string, idempotencyKey: string) {
	const body = { otp, request_id: requestId }
	return broker.post('/edis/edis/v1/edis-verify-otp', EdisResults, { service, body, idempotencyKey })
}

/** Ours: the current verifications, with the time when each ends. */
export function listStockVerifications(broker: Broker) {
	return broker.get('/v1/ours/stock-verifications', StockVerifications, { service })
}

/** The units pledged for margin and the units that can be pledged, with the total row. */
export async function getPledgeData(broker: Broker) {
	const pledges = await broker.get('/v1/margin_epledge_data', PledgeData)
	return withUnread({ ...pledges, filtered_df: joinRows(pledges.filtered_df, ({ ISIN }) => ISIN, joinPledges) }, pledges)
}

type Pledge = { action: PledgeAction; data: { isin: string; qty: number }[]; idempotencyKey: string }

/** Pledges or releases. Nothing moves before the client confirms at the depository. */
export function requestMarginPledge(broker: Broker, { action, data, idempotencyKey }: Pledge) {
	const body = { client_code: broker.clientCode, action, data, confirmation: true }
	return broker.post('/v1/margin_epledge', PledgeResult, { body, idempotencyKey })
}

/** Ours: fee and deadlines of a pledge requested now. */
export function getPledgeTerms(broker: Broker) {
	return broker.get('/v1/ours/pledge-terms', PledgeTerms)
}

/** Ours: the client's pledge and release requests, latest first. */
export function listPledgeRequests(broker: Broker) {
	return broker.get('/v1/ours/pledge-requests', PledgeRequests)
}

/** Status and text of the DDPI. */
export function getDdpiDetails(broker: Broker) {
	return broker.get('/edis/v1/detailed_file', DdpiDetails, { service, query: { client_code: broker.clientCode } })
}

/** The DDPI document, as PDF. */
export function downloadDdpiPdf(broker: Broker, boId: string) {
	return broker.download('POST', '/edis/v1/get_pdf', 'pdf', { service, body: { bo_id: boId } })
}

/** Starts the e-sign of the DDPI. It is a GET at the broker: call it only after the client has pressed the button. */
export function requestDdpiEsign(broker: Broker) {
	const Proceed = envelope(EsignResponse).transform(({ data }) => data)
	return broker.getOnce('/edis/v1/request_esign', Proceed, { isWhole: true, service, query: { client_code: broker.clientCode } })
}
