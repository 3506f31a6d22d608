import { Hono } from 'hono'
import { type z } from 'zod/v4'
import { FundLimits } from '#contract/funds'
import { type Paise, toRupees } from '#contract/values/money'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'

/** Minimum amounts: one rupee for a pay-in, a hundred for a mandate. Sandbox choices. */
export const PAYIN_MIN: Paise = 1_00
export const MANDATE_MIN: Paise = 100_00

/** The broker's limits, from its settings. */
export function fundLimits({ settings }: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	routes.get(
		'/v1/ours/fund-limits',
		describeOperation({ id: 'getFundLimits', summary: 'Limits of pay-ins and mandates', query: Source, data: FundLimits }),
		(c) =>
			sendData(c, 'Limits fetched', {
				payin_min: toRupees(PAYIN_MIN),
				payin_max: toRupees(settings.payinMax),
				upi_max: toRupees(settings.upiMax),
				mandate_min: toRupees(MANDATE_MIN),
				mandate_max: toRupees(settings.mandateMax),
				mandate_aadhaar_max: toRupees(settings.mandateAadhaarMax),
			} satisfies z.input<typeof FundLimits>),
	)
	return routes
}
