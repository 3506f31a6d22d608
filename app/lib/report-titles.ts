/** Every report of the menu, in its order: the name in its address, and its title. */
export const REPORT_TITLES = {
	holding: 'Holding',
	ledger: 'Ledger',
	position: 'Position',
	contractnbill: 'Contract/Bill',
	profitnloss: 'Profit & Loss',
	'global-summary': 'Global Summary',
	'global-details': 'Global Details',
	'income-tax': 'Income Tax',
	downloads: 'Downloads',
} as const

export type ReportName = keyof typeof REPORT_TITLES

/** The title of a report. Without the report's data this title is for its error page, and `Report` for a name that is none. */
export function findReportTitle(name: string): string {
	return Object.hasOwn(REPORT_TITLES, name) ? REPORT_TITLES[name as ReportName] : 'Report'
}
