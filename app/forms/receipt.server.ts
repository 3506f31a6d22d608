import { z } from 'zod/v4'
import { createDraft } from '~/session/sealed-cookie.server'

/*
 * What the broker answered to this browser's last request for money or a share issue. Its result page shows it while the broker's list does
 * not have the request yet, or where the broker has no such list. Sealed for the client, so an address alone shows nothing.
 */

const Line = z.object({ label: z.string(), value: z.string() })
const Outcome = z.object({
	isPlaced: z.boolean(),
	status: z.string(),
	/** The exchange's own words. */
	message: z.string(),
	application: z.string(),
	reference: z.string(),
	exchange: z.string(),
})

const Receipt = z.object({
	kind: z.enum(['payin', 'payout', 'mandate', 'bid']),
	/** The broker's reference; empty where it gives none before the client comes back. */
	ref: z.string(),
	lines: z.array(Line),
	outcomes: z.array(Outcome).optional(),
})
export type Receipt = z.infer<typeof Receipt>

/** Payment pages close a browser on some telephones, so this outlives it. */
const receipts = createDraft('receipt', 'receipt', Receipt, { most: 2, outlivesBrowser: true })
const LIFE_MS = 86_400_000

/**
 * The Set-Cookie headers that keep a receipt for a day in place of the last one, appended to those given. The request is done by now, so a
 * receipt that is too long for its cookies is left out and never an error.
 */
export function keepReceipt(client: string, receipt: Receipt, headers = new Headers()): Promise<Headers> {
	return receipts.keep(client, receipt, Date.now() + LIFE_MS, headers).catch(() => headers)
}

/** This client's last receipt, when it is of that kind and reference. */
export async function readReceipt(request: Request, client: string, kind: Receipt['kind'], ref: string): Promise<Receipt | undefined> {
	const kept = await receipts.read(request, client)
	return kept?.kind === kind && kept.ref === ref ? kept : undefined
}
