import { type BankAccount } from '#contract/profile'
import { type Day } from '#contract/values/dates'
import { type FinancialYear, findLastDay, startOfYear } from '#contract/values/financial-year'
import { listAttention } from '~/broker/attention.server'
import { getRekycDetails, verifyUser } from '~/broker/auth.server'
import { type Broker } from '~/broker/client.server'
import { getClosureDetails, listClosureTasks } from '~/broker/closure.server'
import * as dashboard from '~/broker/dashboard.server'
import * as depository from '~/broker/depository.server'
import * as downloads from '~/broker/downloads.server'
import * as funds from '~/broker/funds.server'
import * as ipo from '~/broker/ipo.server'
import * as ledger from '~/broker/ledger.server'
import * as modifications from '~/broker/modifications.server'
import { getMtfDetails, getMtfFacts, listMtfInterest } from '~/broker/mtf.server'
import { getBankDetails, getPersonalDetails } from '~/broker/profile.server'
import * as reports from '~/broker/reports.server'
import { drain } from './connection'

/** Values that one call needs from the reply of another. The readings fill them in, in their order. */
export type Facts = {
	year: FinancialYear
	today: Day
	/** A dormant client sees only re-KYC. */
	isDormant: boolean
	isin?: string
	filePath?: string
	bill?: string
	boId?: string
	change?: string
	bank?: BankAccount
	client?: { name: string; email: string; mobile: string }
	/** Parameters of a report link, if one was given. */
	link?: { UserId: string; SessionId: string; Product: string }
}

/** Calls one operation. Returns undefined when its input is missing. */
export type Probe = (broker: Broker, facts: Facts) => Promise<unknown> | undefined

const period = ({ year, today }: Facts) => ({ from: startOfYear(year), to: findLastDay(year, today) })

/** Runs both and returns the result of the first. */
async function both<First>(first: Promise<First>, second: Promise<unknown>): Promise<First> {
	const [answer, other] = await Promise.all([first, second])
	await drain(other)
	return answer
}

async function keepBanks(broker: Broker, facts: Facts) {
	const banks = await getBankDetails(broker)
	facts.bank = banks.find(({ set_default }) => set_default) ?? banks[0]
	return banks
}

async function keepProfile(broker: Broker, facts: Facts) {
	const profile = await getPersonalDetails(broker)
	const { first_name, last_name, email, mobile } = profile.personal_details
	facts.client = { name: `${first_name} ${last_name}`.trim(), email: email ?? '', mobile: mobile ?? '' }
	facts.boId = profile.dp_details.cdsl_bo_id ?? profile.dp_details.nsdl_bo_id ?? undefined
	return profile
}

async function keepBill(broker: Broker, facts: Facts) {
	const bills = await reports.listContractBills(broker, period(facts))
	const bill = bills.find(({ file_path }) => file_path)
	facts.filePath = bill?.file_path ?? undefined
	facts.bill = bill?.BILL_NO
	return bills
}

async function keepIsin(broker: Broker, facts: Facts) {
	const holdings = await reports.getHoldingReport(broker, period(facts))
	facts.isin = holdings.find(({ ISIN }) => ISIN)?.ISIN ?? undefined
	return holdings
}

async function keepChange(broker: Broker, facts: Facts) {
	const changes = await modifications.listChangeRequests(broker)
	facts.change = changes.find(({ status }) => status === 'DONE')?.reference
	return changes
}

/** Every operation that only reads. The order gives each call its input. Login comes before them and logout after them. */
export const READINGS: Record<string, Probe> = {
	verifyUser: (broker) => verifyUser(broker),
	getPersonalDetails: keepProfile,
	getBankDetails: keepBanks,
	getDashboard: (broker, { year }) => dashboard.getDashboard(broker, year),
	getDashboardLedger: (broker, { year }) => dashboard.getDashboardLedger(broker, year),
	getDashboardDeductedLedger: (broker) => dashboard.getDashboardDeductedLedger(broker),
	getDashboardHolding: (broker, { year }) => dashboard.getDashboardHolding(broker, year),
	getUnknownCost: (broker, { year }) => dashboard.getUnknownCost(broker, year),
	listQuickLinks: (broker) => dashboard.listQuickLinks(broker),
	listAttention: (broker) => listAttention(broker),
	getHoldingReport: keepIsin,
	listHoldingFacts: (broker, facts) => reports.listHoldingFacts(broker, period(facts)),
	listLots: (broker, { isin }) => (isin ? reports.listLots(broker, isin) : undefined),
	listHoldingActions: (broker, { isin }) => (isin ? reports.listHoldingActions(broker, isin) : undefined),
	listCashFlows: (broker) => reports.listCashFlows(broker),
	getLedgerReport: (broker, facts) => ledger.getLedgerReport(broker, { ...period(facts), withMargin: true, withOpening: true }),
	downloadLedger: (broker, { year }) => ledger.downloadLedger(broker, { type: 'ALL', year: String(year), download_type: 'pdf' }),
	getPositionReport: (broker, facts) => reports.getPositionReport(broker, period(facts)),
	getGlobalSummaryReport: (broker, facts) => reports.getGlobalSummaryReport(broker, period(facts)),
	getGlobalDetailsReport: (broker, facts) => reports.getGlobalDetailsReport(broker, period(facts)),
	listStockMoves: (broker, { year }) => reports.listStockMoves(broker, year),
	listContractBills: keepBill,
	downloadContractBill: (broker, { filePath }) => (filePath ? downloads.downloadContractBill(broker, filePath) : undefined),
	getContractNote: (broker, { bill }) => (bill ? reports.getContractNote(broker, bill) : undefined),
	getPnlSegmentReport: (broker, { year }) => reports.getPnlSegmentReport(broker, year),
	getPnlReport: (broker, { year }) => reports.getPnlReport(broker, year, 'NSE_CASH'),
	getPnlTie: (broker, { year }) => reports.getPnlTie(broker, year),
	listScripCharges: (broker, { year }) => reports.listScripCharges(broker, year),
	downloadPnlReport: (broker, { year }) => downloads.downloadPnlReport(broker, year, 'NSE_CASH', 'pdf'),
	getIncomeTaxReport: (broker, { year }) => reports.getIncomeTaxReport(broker, year),
	getTaxFacts: (broker, { year }) => reports.getTaxFacts(broker, year),
	listSchedule112a: (broker, { year }) => reports.listSchedule112a(broker, year),
	downloadIncomeTax: (broker, { year }) => downloads.downloadIncomeTax(broker, year),
	downloadHoldings: (broker) => both(downloads.downloadHoldings(broker, 'pdf'), downloads.downloadHoldings(broker, 'xlsx')),
	downloadGlobalDetails: (broker, { year }) => downloads.downloadGlobalDetails(broker, year),
	downloadGlobalSummary: (broker, { year }) => downloads.downloadGlobalSummary(broker, year),
	downloadClientDetails: (broker) => downloads.downloadClientDetails(broker),
	downloadClientMaster: (broker) => downloads.downloadClientMaster(broker),
	downloadApprovedList: (broker) => downloads.downloadApprovedList(broker, 'Margin'),
	getWithdrawableAmount: (broker) => ledger.getWithdrawableAmount(broker, 'NSE_CASH'),
	listDeductions: (broker) => ledger.listDeductions(broker, 'NSE_CASH'),
	listFundMovements: (broker) => both(funds.listFundMovements(broker, 'payin'), funds.listFundMovements(broker, 'payout')),
	listUnauthorizedPayments: (broker) => funds.listUnauthorizedPayments(broker),
	getFundLimits: (broker) => funds.getFundLimits(broker),
	getPayoutTimetable: (broker) => funds.getPayoutTimetable(broker),
	listMandates: (broker) => funds.listMandates(broker),
	getEdisHoldings: (broker) => depository.getEdisHoldings(broker),
	listStockVerifications: (broker) => depository.listStockVerifications(broker),
	getPledgeData: (broker) => depository.getPledgeData(broker),
	getPledgeTerms: (broker) => depository.getPledgeTerms(broker),
	listPledgeRequests: (broker) => depository.listPledgeRequests(broker),
	getDdpiDetails: (broker) => depository.getDdpiDetails(broker),
	downloadDdpiPdf: (broker, { boId }) => (boId ? depository.downloadDdpiPdf(broker, boId) : undefined),
	getIpoClientDetails: (broker) => ipo.getIpoClientDetails(broker),
	listIpos: (broker) => both(ipo.listIpos(broker, 'current'), ipo.listIpos(broker, 'upcoming')),
	getIpoFacts: (broker) => ipo.getIpoFacts(broker),
	listIpoBids: (broker, facts) => ipo.listIpoBids(broker, period(facts).from, facts.today),
	listIpoApplications: (broker) => ipo.listIpoApplications(broker),
	getMtfDetails: (broker) => getMtfDetails(broker),
	getMtfFacts: (broker) => getMtfFacts(broker),
	listMtfInterest: (broker, { year }) => listMtfInterest(broker, year),
	getModificationLimits: (broker) => modifications.getModificationLimits(broker),
	verifyNomineePan: (broker) => modifications.verifyNomineePan(broker, 'AAAPA1234A'),
	listChangeRequests: keepChange,
	downloadChangeForm: (broker, { change }) => (change ? modifications.downloadChangeForm(broker, change) : undefined),
	getClosureDetails: (broker) => getClosureDetails(broker),
	listClosureTasks: (broker) => listClosureTasks(broker),
	getRekycDetails: (broker, { isDormant }) => (isDormant ? getRekycDetails(broker) : undefined),
	validateReportLink: (broker, { link }) => (link ? downloads.validateReportLink(broker, link) : undefined),
}
