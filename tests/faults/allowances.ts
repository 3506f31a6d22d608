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
	{ call: 'GET /v2/user/verify-user', why: 'checks that the session is valid; figures come from other calls, whose failures are shown' },
	{
		call: CODES,
		routes: ['funds'],
		why: 'the field says that the other segments could not be loaded; a segment that may not be the client’s is not offered',
	},
	{
		call: CODES,
		routes: [
			'',
			'dashboard',
			'funds/withdraw',
			'myaccount/closure',
			'reports/:report',
			'reports/downloads',
			'reports/ledger',
			'reports/ledger/:type',
			'reports/ledger/deducted',
			'reports/profitnloss',
		],
		isWhole: true,
		why: 'lists the client’s segments. Without it the page asks for all segments and offers all, so nothing of the client is missing. For a segment that is not active it also shows a dash, an empty table or the broker’s zero, so there is nothing to report',
	},
	{
		call: 'GET /v1/ours/fund-limits',
		routes: ['funds', 'funds/e-mandate'],
		why: 'the line of limits is left out; the broker checks the amount itself',
	},
	{
		call: 'GET /v1/ours/mtf-facts',
		routes: ['dpprocess/pledge', 'dpprocess/pledge/review', 'dpprocess/pledge/return'],
		isWhole: true,
		why: 'only dates the sale of funded shares that stay unpledged; without it the notice says where the date is',
	},
	{
		call: 'GET /ipo/v1/fetch-client-details',
		routes: ['funds'],
		why: 'only fills in the UPI ID; without it the client types the UPI ID, as the help of the field says',
	},
	{
		call: 'GET /v1/ours/modification-limits',
		routes: ['myaccount/nominee'],
		why: 'the page uses the limit of the rule instead of the broker’s; the broker checks the number itself',
	},
	{
		call: 'GET /v1/ours/change-requests',
		routes: ['myaccount', 'myaccount/mobile', 'myaccount/email', 'myaccount/bank', 'myaccount/segments', 'myaccount/nominee'],
		why: 'only the line about a change that awaits the e-sign is left out; the list of requests says that it failed',
	},
	{
		call: 'GET /v2/fund/withdrawable-amount',
		routes: ['myaccount/closure'],
		why: 'only says how much of the money left can be withdrawn now; the task and its amount come from another call',
	},
	{
		call: 'GET /v2/dashboard/deducted-ledger',
		routes: ['funds/withdraw'],
		why: 'is only compared with the lines of the page; what is shown comes from the withdrawable amounts',
	},
	...['GET /edis/edis/v1/edis-holding-data', 'GET /v1/ours/stock-verifications'].map((call) => ({
		call,
		routes: ['dpprocess/otp'],
		why: 'belongs to the page behind the dialog, which is drawn only with scripts; the dialog reads its own cookie',
	})),
	...['GET /v1/ours/scrip-charges', 'GET /v1/ours/tax-facts'].map((call) => ({
		call,
		routes: ['reports/downloads'],
		why: 'only tells whether the broker has a file; after a failure the link stays, and the file shows the reason',
	})),
	{
		call: 'POST /v1/reports/pnl-segment',
		routes: ['reports/downloads'],
		why: 'only tells which segments have a profit and loss; after a failure all are offered, and a file shows the reason',
	},
	{
		call: 'GET /v1/ours/holding-facts',
		routes: ['reports/:report'],
		why: 'the note under the table says which figures may leave out some units',
	},
	{
		call: 'GET /v1/ours/stock-moves',
		routes: ['reports/:report', 'reports/profitnloss', 'client/reports'],
		why: 'the note under the table says that splits, bonuses or expired contracts could not be loaded',
	},
]

/** Calls made once a day, before a page links a file. After a failure the link stays, and the file shows the reason. */
export const ASKED_ONCE: readonly string[] = ['GET /v1/ours/schedule-112a', 'GET /v1/excel/download_approved_list']

/** Headings of parts that need one call. When it fails they disappear, and the message in their place names them. */
export const OWN_HEADINGS: Record<string, readonly string[]> = {
	[CODES]: ['Your nominees', 'Change nominees'],
	'GET /v1/ours/mandates': ['Another mandate'],
	'GET /v1/ours/attention': ['Needs your attention'],
	'GET /v2/service/reports/holding': ['Allocation by holding', 'Allocation by sector'],
	'GET /v1/ours/holding-facts': ['Allocation by holding', 'Allocation by sector'],
	'POST /v1/user/report/incometax': ['Gain by month', 'Realised by month'],
	// The symbol that names the page comes with the lots.
	'GET /v1/ours/lots': ['AXISBANK'],
	'GET /v1/account_profile/list_of_funds_payout_payin': ['Pay-ins', 'Pay-outs'],
	'GET /v1/quick-links': ['Quick links'],
	'GET /v1/ours/cash-flows': ['Cash flows'],
	'GET /v1/ours/closure-tasks': ['What moves'],
	'GET /v1/ours/pnl-tie': ['How this ties to the ledger'],
	'GET /v1/ours/scrip-charges': ['Charges by kind'],
	'GET /v1/ours/tax-facts': [
		'How the estimate is made up',
		'Exemption and taxes paid',
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
 * Pages whose h1 is the result of one call, or which show nothing without it. A failure changes the h1. A 404 shows the page with the
 * broker's message.
 */
export const OUTCOMES: Record<string, string> = {
	'funds/return': 'GET /v1/account_profile/list_of_funds_payout_payin',
	'funds/payout': 'GET /v1/account_profile/list_of_funds_payout_payin',
	'esign/return': 'GET /v1/ours/esign',
	'dpprocess/pledge/return': 'GET /v1/ours/pledge-requests',
}

/**
 * Pages of one item by its id. For a refusal or a missing item they show only its row, or are a 404 under their own heading; always with
 * the broker's message.
 */
export const NAMED: Record<string, string> = {
	'reports/contractnbill/:bill': 'GET /v1/ours/contract-note',
	'reports/holding/:isin': 'GET /v1/ours/lots',
}
