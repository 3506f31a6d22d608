import { Hono } from 'hono'
import { type z } from 'zod/v4'
import { FundLimits } from '#contract/funds'
import { type Paise, toRupees } from '#contract/values/money'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { type SandboxEnv } from '#sandbox/types'

/** Minimum amounts: one rupee for a pay-in, a hundred for a mandate. Sandbox choices. */
export const PAYIN_MIN: Paise = 1_00
export const MANDATE_MIN: Paise = 100_00

/** Maximum of one UPI payment, of one pay-in of any kind, of one mandate, and of one mandate by Aadhaar. */
export const UPI_MAX: Paise = 5_00_000_00
export const PAYIN_MAX: Paise = 10_00_000_00
export const MANDATE_MAX: Paise = 10_00_000_00
export const MANDATE_AADHAAR_MAX: Paise = 1_00_000_00

/** The broker's limits. */
export function fundLimits() {
	const routes = new Hono<SandboxEnv>()
	routes.get(
		'/v1/ours/fund-limits',
		describeOperation({ id: 'getFundLimits', summary: 'Limits of pay-ins and mandates', query: Source, data: FundLimits }),
		(c) =>
			sendData(c, 'Limits fetched', {
				payin_min: toRupees(PAYIN_MIN),
				payin_max: toRupees(PAYIN_MAX),
				upi_max: toRupees(UPI_MAX),
				mandate_min: toRupees(MANDATE_MIN),
				mandate_max: toRupees(MANDATE_MAX),
				mandate_aadhaar_max: toRupees(MANDATE_AADHAAR_MAX),
			} satisfies z.input<typeof FundLimits>),
	)
	return routes
}
