import { randomBytes, randomInt } from 'node:crypto'
import { and, asc, eq, sql } from 'drizzle-orm'
import { type z } from 'zod/v4'
import { type IpoBidResults } from '#contract/ipo'
import { formatDashedDay, formatDay, toIndianDay } from '#contract/values/dates'
import { formatRupees } from '#contract/values/money'
import { Refused } from '#sandbox/api/responses'
import { type Client } from '#sandbox/clients/clients'
import { type Queries } from '#sandbox/db/open'
import { ipoApplications, ipoBids } from '#sandbox/db/schema'
import { sendMessages } from '#sandbox/messages/outbox'
import { CATEGORIES, TIMES } from '#sandbox/rules/ipo'
import { type SandboxParts } from '#sandbox/types'
import { type CheckedApplication } from './check-bid'
import { type Issue } from './issues'
import { UPI } from './mandate'

type Results = z.input<typeof IpoBidResults>
type Application = typeof ipoApplications.$inferSelect

/** The exchange refuses these ids, because no list has their bank. They let people see a refusal. */
const UNKNOWN_HANDLE = /@invalid$/i
const INVALID_UPI = 'Invalid UPI ID. Nothing was placed; check the ID and bid again'

const until = (day: string) => `${formatDashedDay(day)} ${TIMES.mandate}`

/** The response to an application. The first post and every repeat get the same one. */
export async function listResults(
	queries: Queries,
	{ application_no, reason }: Application,
	exchange: string,
	closeDate: string,
): Promise<Results> {
	const bids = await queries.select().from(ipoBids).where(eq(ipoBids.application_no, application_no)).orderBy(asc(ipoBids.id))
	return bids.map(({ reference_no }) => ({
		status: reference_no === '' ? ('FAILED' as const) : ('SUCCESS' as const),
		message: reference_no === '' ? (reason ?? INVALID_UPI) : `Bid accepted by the exchange. Accept the UPI mandate by ${until(closeDate)}`,
		application_no,
		bid_reference_no: reference_no,
		exchange: exchange === 'BSE' ? ('BSE' as const) : ('NSE' as const),
	}))
}

/** The number of the next application: the date and a count. A bank form needs one too, because the bank bids with it. */
export async function createApplicationNumber(queries: Pick<Queries, 'execute'>, now: Date): Promise<{ id: number; number: string }> {
	const { rows } = await queries.execute<{ id: number }>(
		sql`SELECT nextval(pg_get_serial_sequence('ipo_applications', 'id'))::float8 AS id`,
	)
	const id = rows[0]?.id ?? 0
	return { id, number: `KH${toIndianDay(now).replaceAll('-', '').slice(2)}${String(id).padStart(4, '0')}` }
}

/** The application of an Idempotency-Key; undefined when there is none. */
export async function findPlaced(queries: Queries, client: string, requestKey: string, issue: Issue): Promise<Results | undefined> {
	const its = and(eq(ipoApplications.client, client), eq(ipoApplications.request_key, requestKey))
	const [first] = await queries.select().from(ipoApplications).where(its)
	return first && (await listResults(queries, first, issue.exchange, issue.close_date))
}

/**
 * Places a checked application: once per Idempotency-Key (a unique column, which lasts longer than the cached responses), and once per
 * PAN and quota. Throws 409 for a second application.
 */
export async function placeApplication(
	parts: SandboxParts,
	client: Client,
	checked: CheckedApplication,
	requestKey: string | undefined,
): Promise<Results> {
	const { books, clock } = parts
	const { issue, category, boId, upiId, amount } = checked
	return await books.db.transaction(async (tx) => {
		if (requestKey !== undefined) {
			const placed = await findPlaced(tx, client.code, requestKey, issue)
			if (placed) return placed
		}
		const now = clock.now()
		const isRefused = UNKNOWN_HANDLE.test(upiId)
		const { id, number: application_no } = await createApplicationNumber(tx, now)
		const compact = toIndianDay(now).replaceAll('-', '')
		const [application] = await tx
			.insert(ipoApplications)
			.values({
				id,
				application_no,
				client: client.code,
				symbol: issue.symbol,
				category,
				quota: CATEGORIES[category].quota,
				bo_id: boId,
				upi_id: upiId.toLowerCase(),
				amount,
				status: isRefused ? 'REJECTED' : 'PENDING',
				upi_flag: isRefused ? UPI.invalid : UPI.atSponsorBank,
				mandate_status: isRefused ? 'REJECTED' : 'SENT',
				mandate_token: randomBytes(18).toString('base64url'),
				reason: isRefused ? INVALID_UPI : null,
				request_key: requestKey ?? null,
				asked_at: now,
			})
			.onConflictDoNothing()
			.returning()
		if (!application) throw new Refused(409, 'An application for this issue already exists')
		const number = () => (isRefused ? '' : `${compact}${String(randomInt(100_000_000)).padStart(8, '0')}`)
		await tx.insert(ipoBids).values(
			checked.bids.map(({ quantity, price, cutOff, amount }) => ({
				application_no: application.application_no,
				quantity,
				price,
				cut_off: cutOff,
				amount,
				reference_no: number(),
			})),
		)
		if (!isRefused) {
			const subject = `UPI mandate for ${issue.symbol}`
			const body = `Accept the mandate of ${formatRupees(amount)} for ${issue.name} (application ${application.application_no}) in your UPI app by ${TIMES.mandate} on ${formatDay(issue.close_date)}. Otherwise the bid is void.`
			const recipient = client.profile.personal_details.mobile
			await sendMessages(parts, [{ client: client.code, channel: 'SMS', recipient, subject, body }], tx)
		}
		return await listResults(tx, application, issue.exchange, issue.close_date)
	})
}
