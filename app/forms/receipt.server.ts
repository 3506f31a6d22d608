import { z } from 'zod/v4'
import { createDraft } from '~/session/drafts.server'

/*
 * The broker's answer to this browser's last payment, withdrawal, mandate or bid. The result page shows it while the broker's list does
 * not have the request yet, or when the broker has no such list. It is sealed for the client, so a URL alone shows nothing.
 */

const Line = z.object({ label: z.string(), value: z.string() })
const Outcome = z.object({
	isPlaced: z.boolean(),
	status: z.string(),
	/** The exchange's message. */
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
