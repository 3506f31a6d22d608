import { and, eq } from 'drizzle-orm'
import { formatRupees } from '#contract/values/money'
import { changeRequests, clients, mtfAccounts } from '#sandbox/db/schema'
import { type Effect, type Esign, openEsign, withdrawEsign } from '#sandbox/esign/esign'
import { changeNotices, listContacts } from '#sandbox/modifications/notices'
import { finishChange } from '#sandbox/modifications/requests'
import { readStored } from '#sandbox/modifications/stored'
import { findPledgeCharge, MTF_INTEREST_PERCENT } from '#sandbox/rules/fees'
import { PLEDGE_BY, SMALLEST_MARGIN, SQUARE_OFF_DAYS } from '#sandbox/rules/mtf'
import { type SandboxParts } from '#sandbox/types'
import { requireMtfPossible } from './account'

/**
 * Asks a client to sign for margin funding, and returns the e-sign response. Withdraws an earlier unsigned request. Throws the broker's
 * refusal when the account is already active or not allowed.
 */
export async function askToActivate(parts: SandboxParts, client: string): Promise<string> {
	await requireMtfPossible(parts, client)
	const now = parts.clock.now()
	const limit = formatRupees(parts.settings.mtfLimit)
	return await parts.books.db.transaction(async (tx) => {
		// Two calls at once run one after the other; the later request replaces the earlier one.
		await tx.select({ code: clients.code }).from(clients).where(eq(clients.code, client)).for('update')
		const waiting = and(eq(changeRequests.client, client), eq(changeRequests.kind, 'MTF'), eq(changeRequests.status, 'WAITING'))
		for (const { reference } of await tx.update(changeRequests).set({ status: 'WITHDRAWN', done_at: now }).where(waiting).returning()) {
			await withdrawEsign(tx, client, reference, now)
		}
		const { reference, response } = await openEsign(parts, tx, {
			client,
			kind: 'MTF',
			title: 'Margin trading facility',
			lines: [
				{ label: 'Limit', value: limit },
				{ label: 'Interest', value: `${MTF_INTEREST_PERCENT} % a year on what is funded, every day from pay-in (T+1) to the sale` },
				{ label: 'Your margin', value: `${SMALLEST_MARGIN} % of the value or more, share by share, as the approved list says` },
				{
					label: 'Pledge',
					value: `By ${PLEDGE_BY} of the trade day; ${formatRupees(findPledgeCharge().total)} for each pledge and release`,
				},
				{ label: 'Sale by the broker', value: `${SQUARE_OFF_DAYS} trading days after margin or a pledge is missing` },
			],
			payload: {},
		})
		const change = { client, kind: 'MTF', was: 'Not active', becomes: `Active, limit ${limit}` }
		await tx.insert(changeRequests).values({ ...change, reference, authorised_by: 'ESIGN', status: 'WAITING', proofs: [], asked_at: now })
		return response
	})
}

/** Checks again at the signature, because the conditions may have changed since the request. */
export async function checkActivation(parts: SandboxParts, { client }: Esign): Promise<void> {
	await requireMtfPossible(parts, client)
}

/** The effect of the signature: the client may buy with margin funding. */
export const applyActivation: Effect = async (tx, { client, reference }, now) => {
	await tx.insert(mtfAccounts).values({ client, activated_at: now, reference }).onConflictDoNothing()
	await finishChange(tx, reference, now)
	return changeNotices(client, 'the margin trading facility was activated', listContacts(await readStored(tx, client)), now)
}
