import { type ApprovedListName, ClientMaster, ReportLinkSession } from '#contract/downloads'
import { PnlBundle } from '#contract/pnl'
import { type Segment } from '#contract/units'
import { type FinancialYear } from '#contract/values/financial-year'
import { type Broker } from './client.server'

/** `filePath` comes from the broker's list of bills, never from the URL of a request. */
export function downloadContractBill(broker: Broker, filePath: string) {
	return broker.download('POST', '/v1/reports/contract-bills-file', 'pdf', {
		body: { file_path: filePath, client_code: broker.clientCode },
	})
}

export function downloadPnlReport(broker: Broker, year: FinancialYear, type: Segment, format: 'pdf' | 'xls') {
	return broker.download('POST', '/v1/reports/pnl', format, {
		body: { client_code: broker.clientCode, type, year: String(year), download_type: format },
	})
}

const PNL_BUNDLE = '/v2/service/reports/pnl-summary'

/** Starts a new bundle of all segments. While one is being made, the broker returns the same one. */
export function requestPnlBundle(broker: Broker, year: FinancialYear) {
	const body = { client_code: broker.clientCode, year: String(year), process_type: 'new' }
	return broker.post(PNL_BUNDLE, PnlBundle, { body })
}

/** The same operation for the bundle made last. */
export function downloadPnlBundle(broker: Broker, year: FinancialYear) {
	const body = { client_code: broker.clientCode, year: String(year), process_type: 'old' }
	return broker.download('POST', PNL_BUNDLE, 'zip', { body })
}

export function downloadHoldings(broker: Broker, format: 'pdf' | 'xlsx') {
	return broker.download('GET', '/v1/downloads/download-holdings', format, {
		query: { download_type: format === 'pdf' ? 'pdf' : 'excel' },
	})
}

export function downloadGlobalDetails(broker: Broker, year: FinancialYear) {
	return broker.download('GET', '/v1/excel/download_global_details', 'xlsx', { query: { year: String(year) } })
}

export function downloadGlobalSummary(broker: Broker, year: FinancialYear) {
	return broker.download('GET', '/v1/account_profile/download_global_summary', 'pdf', { query: { year: String(year) } })
}

export function downloadIncomeTax(broker: Broker, year: FinancialYear) {
	return broker.download('GET', '/v1/excel/download_income_tax', 'xlsx', { query: { year: String(year) } })
}

export function downloadClientDetails(broker: Broker) {
	return broker.download('GET', '/v1/account_profile/download_client_details', 'pdf')
}

/** A PDF as base64 text inside JSON: the only file that does not stream. */
export function downloadClientMaster(broker: Broker) {
	return broker.get('/v1/downloads/download-client-master', ClientMaster)
}

export function downloadApprovedList(broker: Broker, name: ApprovedListName) {
	return broker.download('GET', '/v1/excel/download_approved_list', 'xlsx', { query: { type_name: name } })
}

/** Needs no session. Returns the link's client with a new token. Refused with 401, or 410 when the link is too old. */
export function validateReportLink(broker: Broker, { UserId, SessionId, Product }: { UserId: string; SessionId: string; Product: string }) {
	return broker.get('/v2/web/validate-report-link', ReportLinkSession, { query: { UserId, SessionId, Product } })
}
