import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod/v4'
import { OPTIONAL_OPERATIONS, REQUIRED_OPERATIONS } from '#contract/operations'
import { listOperations } from '#sandbox/api/describe-operation'
import { type Books, openBooks } from '#sandbox/db/open'
import { createTestSandbox } from '#sandbox/testing/sandbox'

let books: Books
beforeAll(async () => {
	books = await openBooks()
})
afterAll(() => books.close())

/** The calls of the sandbox. Add a line for each new call. */
const ANSWERED = [
	'addBank POST /v1/modifications/bank-addition',
	'addSegment POST /v1/modifications/segment-addition',
	'cancelMandate POST /v1/ours/cancel-mandate',
	'cancelPayout POST /v1/ours/cancel-payout',
	'changeDefaultBank POST /v1/modifications/default-bank-change',
	'changeNominees POST /v1/modifications/nominee-addition',
	'createOnlineEmandate POST /v1/account_profile/e_mandate/online',
	'createPayinRequest POST /atompay/v2/Request',
	'createPhysicalEmandate POST /v1/account_profile/e_mandate/physical',
	'downloadApprovedList GET /v1/excel/download_approved_list',
	'downloadChangeForm GET /v1/ours/change-form',
	'downloadClientDetails GET /v1/account_profile/download_client_details',
	'downloadClientMaster GET /v1/downloads/download-client-master',
	'downloadContractBill POST /v1/reports/contract-bills-file',
	'downloadDdpiPdf POST /edis/v1/get_pdf',
	'downloadGlobalDetails GET /v1/excel/download_global_details',
	'downloadGlobalSummary GET /v1/account_profile/download_global_summary',
	'downloadHoldings GET /v1/downloads/download-holdings',
	'downloadIncomeTax GET /v1/excel/download_income_tax',
	'downloadLedger POST /v1/reports/ledger',
	'downloadPnlReport POST /v1/reports/pnl',
	'esignClosure POST /v1/acc-closing-esign-proccess',
	'esignClosureWithTransfer POST /v1/acc-closing-with-transfer-esign-proccess',
	'getBankDetails GET /v2/account-profile/bank-details',
	'getClosureDetails POST /v1/acc-closing-details',
	'getContractNote GET /v1/ours/contract-note',
	'getDashboard POST /v1/user/dashboard',
	'getDashboardDeductedLedger GET /v2/dashboard/deducted-ledger',
	'getDashboardHolding GET /v2/dashboard/holding',
	'getDashboardLedger GET /v2/dashboard/ledger',
	'getDdpiDetails GET /edis/v1/detailed_file',
	'getEdisHoldings GET /edis/edis/v1/edis-holding-data',
	'getEsignStatus GET /v1/ours/esign',
	'getFundLimits GET /v1/ours/fund-limits',
	'getGlobalDetailsReport GET /v2/service/reports/global-details',
	'getGlobalSummaryReport GET /v2/service/reports/global-summary',
	'getHoldingReport GET /v2/service/reports/holding',
	'getIncomeTaxReport POST /v1/user/report/incometax',
	'getIpoClientDetails GET /ipo/v1/fetch-client-details',
	'getIpoFacts GET /v1/ours/ipo-facts',
	'getLedgerReport GET /v2/service/reports/ledger',
	'getModificationLimits GET /v1/ours/modification-limits',
	'getMtfDetails GET /v2/account-profile/mtf-details',
	'getMtfFacts GET /v1/ours/mtf-facts',
	'getPayoutTimetable GET /v1/ours/payout-timetable',
	'getPennyDrop GET /v1/ours/penny-drop',
	'getPersonalDetails GET /v2/account-profile/personal-details',
	'getPledgeData GET /v1/margin_epledge_data',
	'getPledgeTerms GET /v1/ours/pledge-terms',
	'getPnlReport POST /v1/user/report/pnl',
	'getPnlSegmentReport POST /v1/reports/pnl-segment',
	'getPnlTie GET /v1/ours/pnl-tie',
	'getPositionReport GET /v2/service/reports/position',
	'getRekycDetails GET /v1/user/rekyc',
	'getTaxFacts GET /v1/ours/tax-facts',
	'getUnknownCost GET /v1/ours/unknown-cost',
	'getWithdrawableAmount GET /v2/fund/withdrawable-amount',
	'listAttention GET /v1/ours/attention',
	'listCashFlows GET /v1/ours/cash-flows',
	'listChangeRequests GET /v1/ours/change-requests',
	'listClosureTasks GET /v1/ours/closure-tasks',
	'listContractBills POST /v1/reports/contractbills',
	'listDeductions GET /v1/ours/deductions',
	'listFundMovements GET /v1/account_profile/list_of_funds_payout_payin',
	'listHoldingActions GET /v1/ours/holding-actions',
	'listHoldingFacts GET /v1/ours/holding-facts',
	'listIpoApplications GET /v1/ours/ipo-applications',
	'listIpoBids GET /ipo/v1/get-client-wise-bid-report',
	'listIpos POST /ipo/v1/get-ipo-details',
	'listLots GET /v1/ours/lots',
	'listMandates GET /v1/ours/mandates',
	'listMtfInterest GET /v1/ours/mtf-interest',
	'listPledgeRequests GET /v1/ours/pledge-requests',
	'listQuickLinks GET /v1/quick-links',
	'listSchedule112a GET /v1/ours/schedule-112a',
	'listScripCharges GET /v1/ours/scrip-charges',
	'listStockMoves GET /v1/ours/stock-moves',
	'listStockVerifications GET /v1/ours/stock-verifications',
	'listUnauthorizedPayments GET /v2/fund/unauthorized-payments',
	'login POST /v2/user/login',
	'logout GET /v2/user/logout',
	'modifyIncome POST /v1/modifications/income-modification',
	'modifyProfile POST /v1/modifications/profile-modifications',
	'requestDdpiEsign GET /edis/v1/request_esign',
	'requestMarginPledge POST /v1/margin_epledge',
	'requestMtfEsign POST /v1/mtf_esign_process',
	'requestPasswordReset POST /v1/user/forgot-password',
	'requestPayout POST /v1/account_profile/fund_payout',
	'requestPnlBundle POST /v2/service/reports/pnl-summary',
	'requestStockVerification POST /edis/edis/v1/edis-stock-verify',
	'resendPasswordResetOtp POST /v1/user/forgot-password-resend',
	'resendStockVerificationOtp GET /edis/edis/v1/resend-otp',
	'resetPassword POST /v1/user/reset-password',
	'submitIpoBid POST /ipo/v1/bid/bidSubmit',
	'updateIpoMandateStatus PUT /ipo/v1/update-ipo-mandate-status',
	'updatePassword POST /v1/user/update-password',
	'validateReportLink GET /v2/web/validate-report-link',
	'verifyNomineePan GET /v1/user/nom-pan-verify',
	'verifyPasswordResetOtp POST /v1/user/forgot-password-verify',
	'verifyStockVerificationOtp POST /edis/edis/v1/edis-verify-otp',
	'verifyUser GET /v2/user/verify-user',
	'withdrawChange POST /v1/ours/change-withdrawal',
	'withdrawClosure POST /v1/ours/withdraw-closure',
]

const Description = z.object({
	openapi: z.literal('3.1.0'),
	paths: z.record(
		z.string(),
		z.record(
			z.string(),
			z.object({
				operationId: z.string(),
				tags: z.array(z.string()),
				description: z.string().optional(),
				responses: z.record(z.string(), z.unknown()),
			}),
		),
	),
})

test('describes every call that exists, and every described call exists', async () => {
	const { app } = createTestSandbox(books)
	const { paths } = Description.parse(await (await app.request('/docs/openapi.json')).json())
	const described = Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
	)
	expect(described.sort()).toEqual(ANSWERED)
	const answered = listOperations(app).map(({ id, method, path }) => `${id} ${method} ${path}`)
	expect(answered.sort()).toEqual(ANSWERED)
	const page = await (await app.request('/docs')).text()
	for (const { id } of listOperations(app)) expect(page).toContain(id)
})

test('says which operations a broker must have, and what clients gain from each of the others', async () => {
	const write = ({ id, method, path }: { id: string; method: string; path: string }) => `${id} ${method} ${path}`
	expect([...REQUIRED_OPERATIONS, ...OPTIONAL_OPERATIONS].map(write).sort()).toEqual(ANSWERED)
	// 63 have a path in the specification. Of the others, 7 are named there without a path, and 33 are the portal's additions.
	expect([REQUIRED_OPERATIONS.length, OPTIONAL_OPERATIONS.length]).toEqual([63, 40])
	expect(OPTIONAL_OPERATIONS.filter(({ path }) => path.startsWith('/v1/ours/'))).toHaveLength(33)
	expect(REQUIRED_OPERATIONS.filter(({ path }) => path.startsWith('/v1/ours/'))).toEqual([])
	const { app } = createTestSandbox(books)
	const { paths } = Description.parse(await (await app.request('/docs/openapi.json')).json())
	const described = Object.values(paths).flatMap((methods) => Object.values(methods))
	expect(described.filter(({ tags }) => tags.includes('Required'))).toHaveLength(63)
	const optional = described.filter(({ tags }) => tags.includes('Optional'))
	expect(optional).toHaveLength(40)
	const page = await (await app.request('/docs')).text()
	expect(page).toContain('Required (63)')
	expect(page).toContain('Optional (40)')
	for (const { adds } of OPTIONAL_OPERATIONS) {
		expect(optional.some(({ description }) => description === `What clients gain: ${adds}.`)).toBe(true)
		expect(page).toContain(adds)
	}
})

/** Calls that need no session. Setting the new password is not one of them: it needs the key of a correct code. */
const OPEN = new Set(['login', 'validateReportLink', 'requestPasswordReset', 'resendPasswordResetOtp', 'verifyPasswordResetOtp'])

test('writes amounts as numbers, and refuses a caller without a session in every call that needs one', async () => {
	const { app } = createTestSandbox(books)
	expect(await (await app.request('/docs/openapi.json')).text()).toMatch(/"DUE_AMT":\{"type":"number"/)
	for (const { id, method, path } of listOperations(app)) {
		const { status } = await app.request(path, { method })
		expect([id, status]).toEqual([id, OPEN.has(id) ? 422 : 401])
	}
})
