import { type FinancialYear } from '#contract/values/financial-year'
import { type Broker } from '~/broker/client.server'
import { downloadApprovedList } from '~/broker/downloads.server'
import { getTaxFacts, listSchedule112a, listScripCharges } from '~/broker/reports.server'
import { SIDE_CALL_MS, withTimeout } from '~/lib/with-timeout'

/* Whether a broker has files that a page would lead to. A client asks once a day at most, or once in ten minutes for what is absent. */

export function offersSchedule(broker: Broker, year: FinancialYear): Promise<boolean> {
	return broker.offers('listSchedule112a', () => withTimeout(listSchedule112a(broker, year), SIDE_CALL_MS))
}

export function offersDividends(broker: Broker, year: FinancialYear): Promise<boolean> {
	return broker.offers('getTaxFacts', () => withTimeout(getTaxFacts(broker, year), SIDE_CALL_MS))
}

export function offersCharges(broker: Broker, year: FinancialYear): Promise<boolean> {
	return broker.offers('listScripCharges', () => withTimeout(listScripCharges(broker, year), SIDE_CALL_MS))
}

/** Starts to download one of the approved lists, then cancels it. */
export function offersApprovedLists(broker: Broker): Promise<boolean> {
	return broker.offers('downloadApprovedList', async () =>
		(await withTimeout(downloadApprovedList(broker, 'Margin'), SIDE_CALL_MS)).cancel(),
	)
}
