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

/** The title of the report with this name in its address; `Report` for any other name. */
export function findReportTitle(name: string): string {
	return Object.hasOwn(REPORT_TITLES, name) ? REPORT_TITLES[name as ReportName] : 'Report'
}
