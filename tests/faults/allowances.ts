/*
 * What a page may do when a call fails, besides showing the broker's message, each with its reason. Anything else fails the test.
 */

const CODES = 'GET /v2/account-profile/personal-details'

type Quiet = {
	call: string
	/** All pages when left out. */
	routes?: readonly string[]
	/** Every row of every table is still shown. */
	isWhole?: boolean
	why: string
}

/** Calls that only add to a page, so the page need not show their failure. */
export const QUIET: readonly Quiet[] = [
	{ call: 'GET /v2/user/verify-user', why: 'asks whether the session is good; figures come from other calls, and those say what fails' },
	{
		call: CODES,
		routes: ['funds'],
		why: 'the field says in the portal’s words that the other segments could not be loaded; none can be paid into that may not be the client’s',
	},
	{
		call: CODES,
		routes: [
			'',
			'dashboard',
			'funds/withdraw',
			'reports/:report',
			'reports/downloads',
			'reports/ledger',
			'reports/ledger/:type',
			'reports/ledger/deducted',
			'reports/profitnloss',
		],
		isWhole: true,
		why: 'says which segments are the client’s. Without it all are asked for and offered, so nothing that the client has is missing; of a segment that is not active the page has a dash, an empty table or the broker’s own nought more, and a note would speak of nothing that is lost',
	},
	{
		call: 'GET /v1/ours/fund-limits',
		routes: ['funds', 'funds/e-mandate'],
		why: 'the line of limits is left out; the broker checks the amount itself',
	},
	{
		call: 'GET /v1/ours/modification-limits',
		routes: ['myaccount/nominee'],
		why: 'the limit of the rule stands in for the broker’s; the broker checks the number itself',
	},
	{
		call: 'GET /v2/dashboard/deducted-ledger',
		routes: ['funds/withdraw'],
		why: 'is only compared with the lines of the page; what is shown comes from the withdrawable amounts',
	},
	...['GET /edis/edis/v1/edis-holding-data', 'GET /v1/ours/stock-verifications'].map((call) => ({
		call,
		routes: ['dpprocess/otp'],
		why: 'belongs to the page behind the dialog, which is drawn with a script only; the dialog has its answers from its own cookie',
	})),
	{
		call: 'GET /v1/ours/holding-facts',
		routes: ['reports/:report'],
		why: 'the note under the table says in the portal’s words which figures may be without some units',
	},
	{
		call: 'GET /v1/ours/stock-moves',
		routes: ['reports/:report'],
		why: 'the note under the table says in the portal’s words that splits and bonuses could not be loaded',
	},
]

/** Asked once a day, before a page links a file: a failure leaves the link, and the file says why it fails. */
export const ASKED_ONCE: readonly string[] = ['GET /v1/ours/schedule-112a', 'GET /v1/excel/download_approved_list']

/** Headings of parts that consist of one call: they disappear with it, and the message in their place names them. */
export const OWN_HEADINGS: Record<string, readonly string[]> = {
	'GET /v1/ours/attention': ['Needs your attention'],
	'GET /v2/service/reports/ledger': ['Balance at the end of each month'],
	'GET /v2/service/reports/holding': ['Allocation by holding', 'Allocation by sector'],
	'GET /v1/ours/holding-facts': ['Allocation by holding', 'Allocation by sector'],
	'POST /v1/user/report/incometax': ['Gain by month of sale', 'Realised by month'],
	// The symbol that names the page comes with the lots.
	'GET /v1/ours/lots': ['AXISBANK'],
	'GET /v1/quick-links': ['Useful links', 'Quick links'],
	'GET /v1/ours/cash-flows': ['Cash flows'],
	'GET /v1/ours/closure-tasks': ['What moves'],
	'GET /v1/ours/pnl-tie': ['How this ties to the ledger'],
	'GET /v1/ours/scrip-charges': ['Charges by kind'],
	'GET /v1/ours/tax-facts': [
		'Exemption and estimated tax',
		'Set-off of losses',
		'Losses carried forward',
		'Dividends',
		'Turnover',
		'Sales without a cost',
	],
	'GET /v1/user/rekyc': ['What you need'],
	'GET /v2/account-profile/mtf-details': ['Limit', 'Funded', 'Interest', 'Margin', 'Funded positions', 'Interest 2026-2027'],
	// A bundle that could not be loaded is not offered.
	'POST /v1/reports/pnl-segment': ['Summary bundle'],
}

/**
 * Pages whose h1 is the result of one call, or which show nothing without it: a failure changes the h1. A 404 is that page's own, in the
 * broker's words.
 */
export const OUTCOMES: Record<string, string> = {
	'funds/return': 'GET /v1/account_profile/list_of_funds_payout_payin',
	'funds/payout': 'GET /v1/account_profile/list_of_funds_payout_payin',
	'esign/return': 'GET /v1/ours/esign',
	'dpprocess/pledge/return': 'GET /v1/ours/pledge-requests',
}

/** Pages of one thing by its id: a refusal or a missing thing is a 404 under the page's own heading, in the broker's words. */
export const NAMED: Record<string, string> = {
	'reports/contractnbill/:bill': 'GET /v1/ours/contract-note',
	'reports/holding/:isin': 'GET /v1/ours/lots',
}
