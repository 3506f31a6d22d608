import { and, desc, eq, sql } from 'drizzle-orm'
import { type Context, Hono } from 'hono'
import { z } from 'zod/v4'
import {
	EdisHoldings,
	EdisOtp,
	EdisResults,
	ResendEdisOtp,
	StockVerificationRequest,
	StockVerifications,
	TradeType,
	VerifyEdisOtpRequest,
} from '#contract/depository'
import { type Day, formatDay, toIndianDay } from '#contract/values/dates'
import { parseDay } from '#contract/values/typed-day'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData, parseBody, parseQuery, Refused } from '#sandbox/api/responses'
import { Source, SourceRequired } from '#sandbox/api/source-query'
import { createOtpService } from '#sandbox/auth/otp'
import { toPrice } from '#sandbox/book/read-scrips'
import { readRows } from '#sandbox/book/rows'
import { edisAuthorisations, instruments, otpRequests } from '#sandbox/db/schema'
import { listContacts } from '#sandbox/modifications/notices'
import { refuseField } from '#sandbox/modifications/steps'
import { readStored } from '#sandbox/modifications/stored'
import { findVerificationEnd, listPostTradeDays, MAX_SECURITIES } from '#sandbox/rules/depository'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { readDdpi } from './ddpi'
import { isAlive, lockDemat, readDemat, type Stock } from './demat'

const PURPOSE = 'edis'
const Asked = z.object({
	trade_type: TradeType,
	sold_on: z.string().nullable(),
	lines: z.array(z.object({ isin: z.string(), qty: z.number() })),
})

const canVerify = ({ free, verified }: Stock) => free - verified

/** Units that can be verified: before a sale the free units, after it the units sold on that day. */
const findLimit = (stock: Stock, soldOn: Day | null) =>
	soldOn === null ? canVerify(stock) : (stock.sold.find(({ day }) => day === soldOn)?.quantity ?? 0)

const Resend = Source.extend(ResendEdisOtp.shape)

/** Stock verification (e-DIS): a code that lets the broker take sold units out of the demat account until the session ends. */
export function edis(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	const otps = createOtpService(parts)
	addEdisHoldings(routes, parts)
	addRequestStockVerification(routes, parts, otps)
	addResendStockVerificationOtp(routes, parts, otps)
	addVerifyStockVerificationOtp(routes, parts, otps)
	addStockVerifications(routes, parts)
	return routes
}

/** Another client's request looks like an unknown one. */
async function requireOwn({ books }: SandboxParts, c: Context<SandboxEnv>, requestId: string) {
	const own = and(eq(otpRequests.id, requestId), eq(otpRequests.purpose, PURPOSE), eq(otpRequests.client, c.var.client.code))
	const [row] = await books.db.select({ id: otpRequests.id }).from(otpRequests).where(own)
	if (row === undefined) throw new Refused(404, 'Request not found')
	return { requestId, purpose: PURPOSE }
}

function addEdisHoldings(routes: Hono<SandboxEnv>, { clock, books }: SandboxParts) {
	routes.get(
		'/edis/edis/v1/edis-holding-data',
		describeOperation({
			id: 'getEdisHoldings',
			summary: 'Holdings for the stock verification',
			query: SourceRequired,
			data: EdisHoldings,
		}),
		async (c) => {
			const { code } = c.var.client
			const now = clock.now()
			const [stocks, ddpi] = await Promise.all([readDemat(books, code, toIndianDay(now), now), readDdpi(books, code, now)])
			// Purchases that are not delivered are in no demat account.
			const delivered = stocks.filter((stock) => stock.delivered > 0)
			const rows = delivered.map((stock) => ({
				isin: stock.isin,
				stock_name: stock.name,
				qty: stock.delivered,
				poa_qty: ddpi.status === 'ACTIVE' ? stock.free : 0,
				free_qty: canVerify(stock),
				verified_qty: stock.verified,
				sold: stock.sold.map(({ day, quantity }) => ({ trade_date: day, qty: quantity })),
				close_price: toPrice(stock.close),
			}))
			return sendData(c, 'Holding fetched', rows satisfies z.input<typeof EdisHoldings>)
		},
	)
}

function addRequestStockVerification(routes: Hono<SandboxEnv>, { clock, books }: SandboxParts, otps: ReturnType<typeof createOtpService>) {
	routes.post(
		'/edis/edis/v1/edis-stock-verify',
		describeOperation({
			id: 'requestStockVerification',
			summary: 'Ask for a stock verification; sends the OTP',
			query: SourceRequired,
			body: StockVerificationRequest,
			data: EdisOtp,
		}),
		async (c) => {
			const { client_code, trade_type, post_trade_date = '', data } = await parseBody(c, StockVerificationRequest)
			const { code } = c.var.client
			if (client_code !== code) throw new Refused(403, 'Client code does not match the session')
			const now = clock.now()
			const soldOn = requireTradeDay(trade_type, post_trade_date, toIndianDay(now))
			if (data.length > MAX_SECURITIES) throw refuseField('data', `You can verify up to ${MAX_SECURITIES} securities at a time`)
			const stocks = new Map((await readDemat(books, code, toIndianDay(now), now)).map((stock) => [stock.isin, stock]))
			const lines = new Map(data.map(({ isin, qty }) => [isin, { isin, qty }]))
			if (lines.size < data.length) throw refuseField('data', 'A security is listed twice')
			for (const { isin, qty } of lines.values()) {
				const stock = stocks.get(isin)
				const most = stock ? findLimit(stock, soldOn) : 0
				if (qty <= most) continue
				const of = stock?.name ?? isin
				if (soldOn === null) throw new Refused(422, 'Quantity is above the free quantity')
				throw new Refused(422, `Quantity is above what you sold on ${formatDay(soldOn)} and have not verified: ${most} of ${of}`)
			}
			const sent = await otps.issue({
				client: code,
				purpose: PURPOSE,
				payload: { trade_type, sold_on: soldOn, lines: [...lines.values()] } satisfies z.input<typeof Asked>,
				recipients: listContacts(await readStored(books.db, code)).slice(0, 1),
				what: `allow the delivery of ${lines.size} ${lines.size === 1 ? 'security' : 'securities'} that you ${soldOn === null ? 'sell' : 'have sold'}`,
			})
			return sendData(c, sent.message, { request_id: sent.request_id, expires_in: sent.expires_in })
		},
	)
}

function addResendStockVerificationOtp(routes: Hono<SandboxEnv>, parts: SandboxParts, otps: ReturnType<typeof createOtpService>) {
	routes.get(
		'/edis/edis/v1/resend-otp',
		describeOperation({ id: 'resendStockVerificationOtp', summary: 'Resend the verification OTP', query: Resend }),
		async (c) => {
			const own = await requireOwn(parts, c, parseQuery(c, Resend).request_id)
			return sendData(c, (await otps.resend(own)).message, null)
		},
	)
}

function addVerifyStockVerificationOtp(routes: Hono<SandboxEnv>, parts: SandboxParts, otps: ReturnType<typeof createOtpService>) {
	const { clock } = parts
	routes.post(
		'/edis/edis/v1/edis-verify-otp',
		describeOperation({
			id: 'verifyStockVerificationOtp',
			summary: 'Verify the OTP',
			changes: true,
			query: Source,
			body: VerifyEdisOtpRequest,
			data: EdisResults,
		}),
		async (c) => {
			const { otp, request_id } = await parseBody(c, VerifyEdisOtpRequest)
			const own = await requireOwn(parts, c, request_id)
			const results = await otps.verify(own, otp, async (tx, { id, client, payload }) => {
				const now = clock.now()
				const day = toIndianDay(now)
				await lockDemat(tx, client)
				const stocks = new Map((await readDemat({ db: tx }, client, day, now)).map((stock) => [stock.isin, stock]))
				const { trade_type, sold_on, lines } = Asked.parse(payload)
				// Units may have been pledged since the code was sent. Those lines fail, the others do not.
				const results = lines.map(({ isin, qty }) => {
					const stock = stocks.get(isin)
					return { isin, qty, status: stock && qty <= findLimit(stock, sold_on) ? ('SUCCESS' as const) : ('FAILED' as const) }
				})
				const grant = {
					request_id: id,
					client,
					trade_type,
					sold_on,
					granted_on: day,
					granted_at: now,
					valid_until: findVerificationEnd(now),
				}
				const granted = results.filter(({ status }) => status === 'SUCCESS')
				if (granted.length > 0)
					await tx.insert(edisAuthorisations).values(granted.map(({ isin, qty }) => ({ ...grant, instrument: isin, quantity: qty })))
				return results
			})
			const isAny = results.some(({ status }) => status === 'SUCCESS')
			return sendData(
				c,
				isAny ? 'Stocks verified successfully' : 'No stock could be verified',
				results satisfies z.input<typeof EdisResults>,
			)
		},
	)
}

function addStockVerifications(routes: Hono<SandboxEnv>, { clock, books }: SandboxParts) {
	routes.get(
		'/v1/ours/stock-verifications',
		describeOperation({ id: 'listStockVerifications', summary: 'What is verified now', query: Source, data: StockVerifications }),
		async (c) => {
			const now = clock.now()
			const day = toIndianDay(now)
			const alive = await readRows<{ id: number }>(
				books,
				sql`SELECT e.id::float8 AS id FROM edis_authorisations e WHERE e.client = ${c.var.client.code} AND ${isAlive(day, now)}`,
			)
			const ids = new Set(alive.map(({ id }) => id))
			const rows = await books.db
				.select({ authorisation: edisAuthorisations, name: instruments.name })
				.from(edisAuthorisations)
				.innerJoin(instruments, eq(instruments.id, edisAuthorisations.instrument))
				.where(eq(edisAuthorisations.client, c.var.client.code))
				.orderBy(desc(edisAuthorisations.id))
				.limit(1000)
			return sendData(c, 'Verifications fetched', {
				max_securities: MAX_SECURITIES,
				valid_until: findVerificationEnd(now).toISOString(),
				trade_days: listPostTradeDays(day),
				verifications: rows
					.filter(({ authorisation }) => ids.has(authorisation.id))
					.map(({ authorisation: { request_id, instrument, quantity, trade_type, granted_at, valid_until }, name }) => ({
						request_id,
						isin: instrument,
						stock_name: name,
						qty: quantity,
						trade_type: TradeType.parse(trade_type),
						verified_at: granted_at.toISOString(),
						valid_until: valid_until.toISOString(),
					})),
			} satisfies z.input<typeof StockVerifications>)
		},
	)
}

/** The day of the sale: today or the trading day before; null before a sale. */
function requireTradeDay(type: TradeType, typed: string, day: Day): Day | null {
	if (type === 'PRE') {
		if (typed !== '') throw refuseField('post_trade_date', 'A trade date is for POST alone')
		return null
	}
	const sold = parseDay(typed)
	if (sold === undefined) throw refuseField('post_trade_date', 'Select the trade date')
	if (!listPostTradeDays(day).includes(sold)) throw refuseField('post_trade_date', 'The trade date must be today or the trading day before')
	return sold
}
