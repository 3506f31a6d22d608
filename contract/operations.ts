/*
 * The operations of the broker's API. A broker must have those in REQUIRED_OPERATIONS. Each of OPTIONAL_OPERATIONS adds something to pages
 * that also work without it. `pages` are addresses of the portal; … stands for a value that the client selects.
 */

export type RequiredOperation = { id: string; method: 'GET' | 'POST' | 'PUT'; path: string; pages: string }

/** One line for the broker's engineers: what clients gain by this operation. */
export type OptionalOperation = RequiredOperation & { adds: string }

type Line = readonly [id: string, call: string, pages: string]

const required: readonly Line[] = [
	['login', 'POST /v2/user/login', '/login'],
	['logout', 'GET /v2/user/logout', 'every page'],
	['verifyUser', 'GET /v2/user/verify-user', 'every page'],
	['updatePassword', 'POST /v1/user/update-password', '/change-password'],
	['getDashboard', 'POST /v1/user/dashboard', '/dashboard'],
	['getDashboardLedger', 'GET /v2/dashboard/ledger', '/dashboard'],
	['getDashboardDeductedLedger', 'GET /v2/dashboard/deducted-ledger', '/dashboard, /reports/ledger/deducted, /funds/withdraw'],
	['getDashboardHolding', 'GET /v2/dashboard/holding', '/dashboard'],
	[
		'getPersonalDetails',
		'GET /v2/account-profile/personal-details',
		'/myaccount, /funds, and which ledgers and segments every report offers',
	],
	['getBankDetails', 'GET /v2/account-profile/bank-details', '/myaccount/bank, /funds, /funds/withdraw, /funds/e-mandate'],
	['modifyProfile', 'POST /v1/modifications/profile-modifications', '/myaccount/mobile, /myaccount/email'],
	['addBank', 'POST /v1/modifications/bank-addition', '/myaccount/bank'],
	['changeDefaultBank', 'POST /v1/modifications/default-bank-change', '/myaccount/bank'],
	['modifyIncome', 'POST /v1/modifications/income-modification', '/myaccount/income'],
	['addSegment', 'POST /v1/modifications/segment-addition', '/myaccount/segments'],
	['changeNominees', 'POST /v1/modifications/nominee-addition', '/myaccount/nominee'],
	['verifyNomineePan', 'GET /v1/user/nom-pan-verify', '/myaccount/nominee'],
	['getClosureDetails', 'POST /v1/acc-closing-details', '/myaccount/closure'],
	['esignClosure', 'POST /v1/acc-closing-esign-proccess', '/myaccount/closure'],
	['esignClosureWithTransfer', 'POST /v1/acc-closing-with-transfer-esign-proccess', '/myaccount/closure/transfer'],
	['createPayinRequest', 'POST /atompay/v2/Request', '/funds'],
	['listFundMovements', 'GET /v1/account_profile/list_of_funds_payout_payin', '/funds/history, /funds/return, /funds/payout'],
	['requestPayout', 'POST /v1/account_profile/fund_payout', '/funds/withdraw'],
	['getWithdrawableAmount', 'GET /v2/fund/withdrawable-amount', '/funds/withdraw, /reports/ledger/deducted'],
	['listUnauthorizedPayments', 'GET /v2/fund/unauthorized-payments', '/funds'],
	['createOnlineEmandate', 'POST /v1/account_profile/e_mandate/online', '/funds/e-mandate'],
	['createPhysicalEmandate', 'POST /v1/account_profile/e_mandate/physical', '/funds/e-mandate'],
	['getHoldingReport', 'GET /v2/service/reports/holding', '/reports/holding'],
	['getLedgerReport', 'GET /v2/service/reports/ledger', '/reports/ledger'],
	['getPositionReport', 'GET /v2/service/reports/position', '/reports/position'],
	['getGlobalSummaryReport', 'GET /v2/service/reports/global-summary', '/reports/global-summary'],
	['getGlobalDetailsReport', 'GET /v2/service/reports/global-details', '/reports/global-details'],
	['listContractBills', 'POST /v1/reports/contractbills', '/reports/contractnbill'],
	['downloadContractBill', 'POST /v1/reports/contract-bills-file', '/reports/contractnbill'],
	['getIncomeTaxReport', 'POST /v1/user/report/incometax', '/reports/income-tax'],
	['getPnlSegmentReport', 'POST /v1/reports/pnl-segment', '/reports/profitnloss, /client/reports'],
	['getPnlReport', 'POST /v1/user/report/pnl', '/reports/profitnloss, /client/reports'],
	['downloadPnlReport', 'POST /v1/reports/pnl', '/reports/profitnloss, /reports/downloads'],
	['requestPnlBundle', 'POST /v2/service/reports/pnl-summary', '/reports/profitnloss, /client/reports'],
	['validateReportLink', 'GET /v2/web/validate-report-link', '/client/reports'],
	['downloadClientDetails', 'GET /v1/account_profile/download_client_details', '/reports/downloads'],
	['downloadHoldings', 'GET /v1/downloads/download-holdings', '/reports/downloads, /reports/holding'],
	['downloadGlobalDetails', 'GET /v1/excel/download_global_details', '/reports/downloads, /reports/global-details'],
	['downloadGlobalSummary', 'GET /v1/account_profile/download_global_summary', '/reports/downloads, /reports/global-summary'],
	['downloadIncomeTax', 'GET /v1/excel/download_income_tax', '/reports/downloads, /reports/income-tax'],
	['downloadClientMaster', 'GET /v1/downloads/download-client-master', '/reports/downloads'],
	['listQuickLinks', 'GET /v1/quick-links', '/dashboard, /reports/downloads'],
	['getPledgeData', 'GET /v1/margin_epledge_data', '/dpprocess/pledge'],
	['requestMarginPledge', 'POST /v1/margin_epledge', '/dpprocess/pledge'],
	['getDdpiDetails', 'GET /edis/v1/detailed_file', '/dpprocess/ddpi'],
	['downloadDdpiPdf', 'POST /edis/v1/get_pdf', '/dpprocess/ddpi'],
	['requestDdpiEsign', 'GET /edis/v1/request_esign', '/dpprocess/ddpi'],
	['getEdisHoldings', 'GET /edis/edis/v1/edis-holding-data', '/dpprocess'],
	['requestStockVerification', 'POST /edis/edis/v1/edis-stock-verify', '/dpprocess'],
	['resendStockVerificationOtp', 'GET /edis/edis/v1/resend-otp', '/dpprocess/otp'],
	['verifyStockVerificationOtp', 'POST /edis/edis/v1/edis-verify-otp', '/dpprocess/otp'],
	['getIpoClientDetails', 'GET /ipo/v1/fetch-client-details', '/connect/ipo/…'],
	['listIpos', 'POST /ipo/v1/get-ipo-details', '/connect/ipo'],
	['listIpoBids', 'GET /ipo/v1/get-client-wise-bid-report', '/connect/ipo/bids'],
	['updateIpoMandateStatus', 'PUT /ipo/v1/update-ipo-mandate-status', '/connect/ipo/bids'],
	['submitIpoBid', 'POST /ipo/v1/bid/bidSubmit', '/connect/ipo/…'],
	['requestMtfEsign', 'POST /v1/mtf_esign_process', '/connect/mtf'],
	['getMtfDetails', 'GET /v2/account-profile/mtf-details', '/connect/mtf'],
]

/** The specification names the first seven and gives no path for them. The others are not in the specification. */
const optional: readonly (readonly [...Line, adds: string])[] = [
	['requestPasswordReset', 'POST /v1/user/forgot-password', '/forgot-password', 'Forgotten password: a client asks for a code'],
	['verifyPasswordResetOtp', 'POST /v1/user/forgot-password-verify', '/forgot-password', 'Forgotten password: the code is checked'],
	['resendPasswordResetOtp', 'POST /v1/user/forgot-password-resend', '/forgot-password', 'Forgotten password: another code'],
	['resetPassword', 'POST /v1/user/reset-password', '/forgot-password', 'Forgotten password: the new password is set'],
	['getRekycDetails', 'GET /v1/user/rekyc', '/rekyc', 'A dormant client sees why, and what to send'],
	[
		'downloadLedger',
		'POST /v1/reports/ledger',
		'/reports/ledger, /reports/downloads',
		'The ledger of a year as PDF and Excel, made by the broker',
	],
	['downloadApprovedList', 'GET /v1/excel/download_approved_list', '/reports/downloads', 'The lists of approved securities as Excel'],
	['cancelMandate', 'POST /v1/ours/cancel-mandate', '/funds/e-mandate', 'A client ends a mandate'],
	['cancelPayout', 'POST /v1/ours/cancel-payout', '/funds/payout', 'A client takes a withdrawal back before its batch'],
	['downloadChangeForm', 'GET /v1/ours/change-form', '/myaccount/requests', 'The signed form of a finished change as PDF'],
	['getContractNote', 'GET /v1/ours/contract-note', '/reports/contractnbill/…', 'A contract note as a page with its trades and charges'],
	['getEsignStatus', 'GET /v1/ours/esign', '/esign/return', 'After an e-sign the client sees how it ended'],
	[
		'getFundLimits',
		'GET /v1/ours/fund-limits',
		'/funds, /funds/withdraw, /funds/e-mandate',
		'Payment forms state their limits before the client types',
	],
	[
		'getIpoFacts',
		'GET /v1/ours/ipo-facts',
		'/connect/ipo, /connect/ipo/…',
		'The limit of online bids, and the dates and deadlines of an issue',
	],
	[
		'getModificationLimits',
		'GET /v1/ours/modification-limits',
		'/myaccount/nominee, /myaccount/bank',
		'How many nominees and bank accounts the broker allows',
	],
	['getMtfFacts', 'GET /v1/ours/mtf-facts', '/connect/mtf', 'Terms, margin and margin call of margin funding'],
	[
		'getPayoutTimetable',
		'GET /v1/ours/payout-timetable',
		'/funds/withdraw, /funds/payout, /funds',
		'When a withdrawal is paid, and what is under way',
	],
	['getPennyDrop', 'GET /v1/ours/penny-drop', '/myaccount/bank/otp', 'The name that the bank has for a new account'],
	['getPledgeTerms', 'GET /v1/ours/pledge-terms', '/dpprocess/pledge', 'Fee and deadlines of a pledge'],
	['getPnlTie', 'GET /v1/ours/pnl-tie', '/reports/profitnloss, /client/reports', 'How profit and loss follows from holding and bills'],
	['getTaxFacts', 'GET /v1/ours/tax-facts', '/reports/income-tax', 'Set-off of losses, and what is carried forward'],
	['getUnknownCost', 'GET /v1/ours/unknown-cost', '/dashboard', 'Holdings without a known cost leave the gain of the dashboard'],
	['listAttention', 'GET /v1/ours/attention', '/dashboard', 'What needs the client’s attention, with its deadline'],
	['listCashFlows', 'GET /v1/ours/cash-flows', '/reports/holding/…', 'The yearly return (XIRR) of a holding'],
	['listChangeRequests', 'GET /v1/ours/change-requests', '/myaccount/requests', 'The changes that a client has asked for'],
	[
		'listClosureTasks',
		'GET /v1/ours/closure-tasks',
		'/myaccount/closure',
		'What must be done before an account is closed, and the state of a closure',
	],
	[
		'listDeductions',
		'GET /v1/ours/deductions',
		'/funds/withdraw, /reports/ledger/deducted',
		'What is deducted from the withdrawable amount, line by line',
	],
	['listHoldingActions', 'GET /v1/ours/holding-actions', '/reports/holding/…', 'Bonus, split and dividend of a holding'],
	['listHoldingFacts', 'GET /v1/ours/holding-facts', '/reports/holding', 'Unpaid, funded and long-term units of a holding'],
	[
		'listIpoApplications',
		'GET /v1/ours/ipo-applications',
		'/connect/ipo/bids',
		'The answer to an application, and until when its mandate waits',
	],
	['listLots', 'GET /v1/ours/lots', '/reports/holding/…', 'The purchases behind a holding'],
	['listMandates', 'GET /v1/ours/mandates', '/funds/e-mandate', 'The mandates that were registered online'],
	['listMtfInterest', 'GET /v1/ours/mtf-interest', '/connect/mtf', 'Interest of margin funding, day by day'],
	['listPledgeRequests', 'GET /v1/ours/pledge-requests', '/dpprocess/pledge', 'The pledges that a client has asked for'],
	['listSchedule112a', 'GET /v1/ours/schedule-112a', '/reports/income-tax', 'Schedule 112A to copy from for the tax return'],
	['listScripCharges', 'GET /v1/ours/scrip-charges', '/reports/profitnloss', 'Charges by security'],
	[
		'listStockMoves',
		'GET /v1/ours/stock-moves',
		'/reports/global-details, /reports/global-summary',
		'How each security came and went in a year',
	],
	['listStockVerifications', 'GET /v1/ours/stock-verifications', '/dpprocess', 'What is verified for sale, and until when'],
	['withdrawChange', 'POST /v1/ours/change-withdrawal', '/myaccount/requests', 'A client takes back a change that waits for its e-sign'],
	['withdrawClosure', 'POST /v1/ours/withdraw-closure', '/myaccount/closure', 'A client takes back a closure'],
]

function readLine([id, call, pages]: Line): RequiredOperation {
	const [method, path = ''] = call.split(' ')
	return { id, method: method as RequiredOperation['method'], path, pages }
}

export const REQUIRED_OPERATIONS: readonly RequiredOperation[] = required.map((line) => readLine(line))

export const OPTIONAL_OPERATIONS: readonly OptionalOperation[] = optional.map(([id, call, pages, adds]) => ({
	...readLine([id, call, pages]),
	adds,
}))
