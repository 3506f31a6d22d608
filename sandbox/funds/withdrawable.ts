import { Hono } from 'hono'
import { type z } from 'zod/v4'
import { LedgerCocd } from '#contract/common'
import { Deductions, Withdrawable } from '#contract/ledger'
import { toIndianDay } from '#contract/values/dates'
import { toRupees } from '#contract/values/money'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData, parseQuery } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { readFreeBalance } from '#sandbox/book/read-deductions'
import { readMarginNeed } from '#sandbox/book/read-margin'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'

const OneLedger = Source.extend({ company_code: LedgerCocd })

/** The withdrawable amount, and the deductions from the balance. */
export function computeWithdrawable({ books, clock }: SandboxParts) {
	const routes = new Hono<SandboxEnv>()

	routes.get(
		'/v2/fund/withdrawable-amount',
		describeOperation({ id: 'getWithdrawableAmount', summary: 'Withdrawable amount of a ledger', query: OneLedger, data: Withdrawable }),
		async (c) => {
			const { company_code } = parseQuery(c, OneLedger)
			const place = [c.var.client.code, company_code, toIndianDay(clock.now())] as const
			const [found, { margin, collateral }] = await Promise.all([readFreeBalance(books, ...place), readMarginNeed(books, ...place)])
			const { ledger, unsettled, marginUsed, interest, payouts, free } = found
			return sendData(c, 'Withdrawable amount fetched', {
				balance: toRupees(Math.max(0, free)),
				ledger: toRupees(ledger),
				unsettled: toRupees(unsettled),
				margin_used: toRupees(marginUsed),
				margin_required: toRupees(margin),
				collateral: toRupees(collateral.securities + collateral.cashEquivalents),
				interest_accrued: toRupees(interest),
				payouts_under_way: toRupees(payouts),
			} satisfies z.input<typeof Withdrawable>)
		},
	)

	routes.get(
		'/v1/ours/deductions',
		describeOperation({ id: 'listDeductions', summary: 'What makes up the deductions of a ledger', query: OneLedger, data: Deductions }),
		async (c) => {
			const { company_code } = parseQuery(c, OneLedger)
			const { lines } = await readFreeBalance(books, c.var.client.code, company_code, toIndianDay(clock.now()))
			const rows: z.input<typeof Deductions> = lines.map((line) => ({
				COCD: line.cocd,
				KIND: line.kind,
				NARRATION: line.narration,
				CLEARS_ON: line.clearsOn,
				AMOUNT: toRupees(line.amount),
				BILL_NO: line.billNo,
				REFERENCE: line.reference ?? null,
			}))
			return sendData(c, 'Deductions fetched', rows)
		},
	)
	return routes
}
