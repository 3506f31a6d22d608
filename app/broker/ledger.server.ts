import { type Day } from '~/lib/days'
import { type Broker, type FileType, orNone } from './client.server'
import { Deductions, type DownloadLedgerRequest, LedgerReport, Withdrawable } from './contract/ledger'
import { type LedgerCocd } from './contract/common'

export type LedgerQuery = {
	from: Day
	to: Day
	/** All ledgers, one after the other, when left out. */
	cocd?: LedgerCocd
	withMargin: boolean
	withOpening: boolean
}

const NO_ENTRIES: LedgerReport = { filtered_df: [], totals_df: [{ DR_AMT: 0, CR_AMT: 0, BALANCE: 0 }] }

export function getLedgerReport(
	broker: Broker,
	{ from, to, cocd, withMargin, withOpening }: LedgerQuery,
	options: { hardRefresh?: boolean } = {},
) {
	const query = {
		from_date: from,
		to_date: to,
		cocd,
		margin: withMargin ? 'Y' : 'N',
		with_opening: withOpening ? 'Y' : 'N',
		client_code: broker.clientCode,
	}
	return broker
		.getKept('/v2/service/reports/ledger', LedgerReport, { query, ...options }, (report) => report.filtered_df.length)
		.catch(orNone(NO_ENTRIES))
}

const FILE_TYPE = {
	pdf: 'application/pdf',
	excel: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<DownloadLedgerRequest['download_type'], FileType>

export function downloadLedger(broker: Broker, request: Omit<DownloadLedgerRequest, 'client_code'>) {
	return broker.download('POST', '/v1/reports/ledger', FILE_TYPE[request.download_type], {
		body: { ...request, client_code: broker.clientCode },
	})
}

export function getWithdrawableAmount(broker: Broker, cocd: LedgerCocd) {
	return broker.get('/v2/fund/withdrawable-amount', Withdrawable, { query: { company_code: cocd } })
}

/** Ours: a broker without it answers 404, and the page shows the sums alone. */
export function listDeductions(broker: Broker, cocd: LedgerCocd) {
	return broker.get('/v1/ours/deductions', Deductions, { query: { company_code: cocd } })
}
