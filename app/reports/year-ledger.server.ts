import { findLastDay, startOfYear, type FinancialYear } from '#contract/values/financial-year'
import { isContractLedger } from '#contract/values/segments'
import { type Broker, isAbsence } from '~/broker/client.server'
import { now, today } from '~/broker/clock.server'
import { downloadLedger, type LedgerQuery, listLedgerParts } from '~/broker/ledger.server'
import { findPersonalDetails } from '~/broker/profile.server'
import { joinName } from '~/lib/join-name'
import { type LedgerDocument, openLedgerPdf, openLedgerXlsx } from './ledger-document.server'
import { arrangeParts } from './ledger.server'

type Format = 'pdf' | 'xlsx'
type OwnLedger = Pick<LedgerDocument, 'brand' | 'query' | 'search'> & { format: Format; batches: Parameters<typeof openLedgerPdf>[1] }
type YearLedger = { brand: string; format: Format; year: FinancialYear; cocd?: LedgerQuery['cocd'] }

/** Makes a ledger as PDF or workbook from its rows, in the portal. */
export async function openOwnLedger(broker: Broker, { format, batches, ...chosen }: OwnLedger) {
	const document = { ...chosen, clientName: await readClientName(broker), clientCode: broker.clientCode, madeAt: now() }
	return await (format === 'pdf' ? openLedgerPdf : openLedgerXlsx)(document, batches)
}

/** Returns the query of a year's ledger up to today, with its opening balance and without margin. */
export function queryYear(year: FinancialYear, cocd?: LedgerQuery['cocd']): LedgerQuery {
	return { from: startOfYear(year), to: findLastDay(year, today()), withMargin: false, withOpening: true, cocd }
}

/**
 * Opens the ledger of a year as the broker makes it. When the broker makes none, or none of this ledger, the portal makes it from the
 * same rows.
 */
export async function openYearLedger(broker: Broker, { brand, format, year, cocd }: YearLedger) {
	const openOwn = () => {
		const query = queryYear(year, cocd)
		return openOwnLedger(broker, { brand, format, query, search: '', batches: arrangeParts(listLedgerParts(broker, query), cocd) })
	}
	if (cocd !== undefined && !isContractLedger(cocd)) return await openOwn()
	const asked = { type: cocd ?? 'ALL', download_type: format === 'pdf' ? 'pdf' : 'excel', year: String(year) } as const
	return await downloadLedger(broker, asked).catch((error: unknown) => {
		if (!isAbsence(error)) throw error
		return openOwn()
	})
}

/** Returns the name in the profile; undefined when the broker does not answer within three seconds. */
async function readClientName(broker: Broker): Promise<string | undefined> {
	const own = (await findPersonalDetails(broker))?.personal_details
	return own && joinName(own)
}
