import { randomUUID } from 'node:crypto'
import { IpoExchange } from '#contract/ipo'
import { type Day } from '#contract/values/dates'
import { type Facts } from '#scripts/broker-check/readings'
import { NEW_BANK, startPayin, writeBank } from '#scripts/broker-check/writings'
import { login } from '~/broker/auth.server'
import { type Broker } from '~/broker/client.server'
import * as closure from '~/broker/closure.server'
import * as depository from '~/broker/depository.server'
import { downloadPnlBundle, requestPnlBundle } from '~/broker/downloads.server'
import { getEsignStatus } from '~/broker/esign.server'
import { type FormFile } from '~/broker/form-body.server'
import * as funds from '~/broker/funds.server'
import * as ipo from '~/broker/ipo.server'
import * as modifications from '~/broker/modifications.server'
import { requestMtfEsign } from '~/broker/mtf.server'
import * as passwords from '~/broker/passwords.server'

/** Runs a function of the portal as a client, and returns its result. */
export type As = <Answer>(client: string, ask: (broker: Broker) => Promise<Answer>) => Promise<Answer>

/** Runs a function of the portal before login, and returns its result. */
export type Anonymous = <Answer>(ask: (broker: Broker) => Promise<Answer>) => Promise<Answer>

const OTP = '123456'
const verify = () => ({ otp: OTP, idempotencyKey: randomUUID() })

/** A PDF with only its first and its last line. */
const createProof = (name: string): FormFile => ({
	name,
	filename: `${name}.pdf`,
	type: 'application/pdf',
	body: (async function* () {
		yield Buffer.from('%PDF-1.7\nproof\n%%EOF')
	})(),
})

/**
 * Records the changes of the profile, each with its code. `passTime` moves the broker's clock (in ms), so that a code can be sent again.
 */
export async function recordChanges(as: As, facts: Facts, passTime: (ms: number) => void) {
	const client = 'DEMO01'
	await as(client, (broker) => modifications.sendProfileOtp(broker, 'email', 'aarav@example.com', 'send_otp'))
	passTime(31_000)
	await as(client, (broker) => modifications.sendProfileOtp(broker, 'email', 'aarav@example.com', 'resend_otp'))
	await as(client, (broker) => modifications.verifyProfileOtp(broker, 'email', 'aarav@example.com', verify()))
	await as(client, (broker) => modifications.sendBankOtp(broker, { ...NEW_BANK, set_default: false }, 'send_otp'))
	await as(client, (broker) => modifications.getPennyDrop(broker))
	await as(client, (broker) =>
		modifications.verifyBankOtp(broker, { ...NEW_BANK, set_default: false }, { ...verify(), files: [createProof('file')] }),
	)
	await as(client, (broker) => modifications.sendIncomeOtp(broker, 'Above 1 Crore', 'send_otp'))
	await as(client, (broker) => modifications.verifyIncomeOtp(broker, 'Above 1 Crore', { ...verify(), files: [createProof('file')] }))
	await as('CASH01', (broker) => modifications.sendSegmentOtp(broker, 'SLBM', 'send_otp'))
	await as('CASH01', (broker) => modifications.verifySegmentOtp(broker, 'SLBM', verify()))
	const nominee = { opt_out: true, nominees: [] }
	await as(client, (broker) => modifications.sendNomineesOtp(broker, nominee, 'send_otp'))
	await as(client, (broker) => modifications.verifyNomineesOtp(broker, nominee, verify()))
	const { bank } = facts
	const micr = '400240002'
	if (bank) {
		const named = { acc_no: bank.bank_acno, bank_name: bank.bank_name, micr_code: bank.micr_code ?? micr, ifsc_code: bank.ifsc_code_act }
		await as(client, (broker) => modifications.changeDefaultBank(broker, named, randomUUID()))
	}
	const changes = await as(client, (broker) => modifications.listChangeRequests(broker, { hardRefresh: true }))
	const done = changes.find(({ status, authorised_by }) => status === 'DONE' && authorised_by === 'OTP')
	const waiting = changes.find(({ status }) => status === 'WAITING')
	if (done) await as(client, (broker) => modifications.downloadChangeForm(broker, done.reference))
	if (waiting) {
		await as(client, (broker) => getEsignStatus(broker, waiting.reference))
		await as(client, (broker) => modifications.withdrawChange(broker, waiting.reference, randomUUID()))
	}
}

/** Records a pay-in, a withdrawal and mandates. */
export async function recordFunds(as: As, facts: Facts) {
	const client = 'DEMO01'
	await as(client, async (broker) => startPayin(broker, facts))
	const { bank } = facts
	if (!bank) return
	const payout = { ledgers: ['NSE_CASH' as const], amount: 100_000, bank_acno: bank.bank_acno }
	const { request_id } = await as(client, (broker) => funds.requestPayout(broker, payout, randomUUID()))
	await as(client, (broker) => funds.getPayoutTimetable(broker))
	await as(client, (broker) => funds.cancelPayout(broker, request_id, randomUUID()))
	const mandate = { amount: 500_000, bank_details: writeBank(bank), channel: 'netbanking' as const }
	await as(client, (broker) => funds.createOnlineEmandate(broker, mandate, randomUUID()))
	await as(client, (broker) => funds.createPhysicalEmandate(broker, mandate))
	const [registered] = await as(client, (broker) => funds.listMandates(broker))
	if (registered) await as(client, (broker) => funds.cancelMandate(broker, registered.reference, randomUUID()))
}

/** Records e-DIS, a pledge, DDPI, margin funding and the bundle of profit and loss. */
export async function recordDepository(as: As, facts: Facts, passTime: (ms: number) => void) {
	const client = 'DEMO01'
	const share = (await as(client, (broker) => depository.getEdisHoldings(broker))).find(({ free_qty }) => free_qty > 0)
	if (share) {
		const { isin, stock_name, poa_qty, free_qty } = share
		const asked = {
			eDis_type: '2',
			trade_type: 'PRE',
			post_trade_date: '',
			data: [{ isin, stock_name, poa_qty, free_qty, qty: 1 }],
		} as const
		const { request_id } = await as(client, (broker) => depository.requestStockVerification(broker, { ...asked, data: [...asked.data] }))
		passTime(31_000)
		await as(client, (broker) => depository.resendStockVerificationOtp(broker, request_id))
		await as(client, (broker) => depository.verifyStockVerificationOtp(broker, request_id, OTP, randomUUID()))
		await as(client, (broker) => depository.listStockVerifications(broker))
	}
	const free = (await as(client, (broker) => depository.getPledgeData(broker))).filtered_df.find(({ FREE_QTY }) => FREE_QTY > 0)
	if (free) {
		const pledge = { action: 'pledge' as const, data: [{ isin: free.ISIN, qty: 1 }], idempotencyKey: randomUUID() }
		await as(client, (broker) => depository.requestMarginPledge(broker, pledge))
	}
	await as('CASH01', (broker) => depository.requestDdpiEsign(broker))
	await as('CASH01', (broker) => requestMtfEsign(broker, randomUUID()))
	await as(client, (broker) => requestPnlBundle(broker, facts.year))
	passTime(60_000)
	await as(client, (broker) => downloadPnlBundle(broker, facts.year))
}

/** Records a bid for a public issue. */
export async function recordIpo(as: As, { today }: { today: Day }) {
	const { BOId } = await as('DEMO01', (broker) => ipo.getIpoClientDetails(broker))
	const [issue] = await as('DEMO01', (broker) => ipo.listIpos(broker, 'current'))
	if (!issue || !BOId[0]) return
	const quantity = issue.min_bid_qty
	const price = issue.max_price
	const bid = {
		symbol: issue.symbol,
		category: 'IND',
		upi_id: 'aarav@examplebank',
		quantity,
		price,
		amount: quantity * price,
		BOId: BOId[0].id,
	}
	await as('DEMO01', (broker) => ipo.submitIpoBid(broker, { bid, idempotencyKey: randomUUID() }))
	await as('DEMO01', (broker) => ipo.updateIpoMandateStatus(broker, IpoExchange.parse(issue.exchange)))
	await as('DEMO01', (broker) => ipo.listIpoBids(broker, today, today))
}

/** Records two closures: of an empty account, then withdrawn, and of an account whose holdings are transferred. */
export async function recordClosure(as: As, sign: (response: string) => Promise<void>) {
	const asked = { reason: 'I use another broker', clouser_for: 'Trading and Demat' as const }
	const response = await as('NEW001', (broker) => closure.esignClosure(broker, { ...asked, idempotencyKey: randomUUID() }))
	await sign(response)
	const { request } = await as('NEW001', (broker) => closure.listClosureTasks(broker, { hardRefresh: true }))
	if (request)
		await as('NEW001', (broker) => closure.withdrawClosure(broker, { reference: request.reference, idempotencyKey: randomUUID() }))
	const files = [createProof('client_master'), createProof('signature')]
	const transfer = { account_type: 'CDSL' as const, bo_id: '1208160000012345', files, idempotencyKey: randomUUID() }
	await as('CLOS01', (broker) => closure.esignClosureWithTransfer(broker, { ...asked, ...transfer }))
}

/** Records a forgotten password, a failed login and a changed password. */
export async function recordPasswords(as: As, anonymous: Anonymous, passTime: (ms: number) => void) {
	const { request_id } = await anonymous((broker) => passwords.requestPasswordReset(broker, 'CASH01'))
	passTime(31_000)
	const again = await anonymous((broker) => passwords.resendPasswordResetOtp(broker, request_id))
	const key = await anonymous((broker) => passwords.verifyPasswordResetOtp(broker, again.request_id, OTP))
	await anonymous((broker) => passwords.resetPassword(broker, key.pwdResetToken, 'Sahyadri@1042'))
	await anonymous((broker) => login(broker, { username: 'CASH01', password: 'not-the-password' })).catch(() => undefined)
	await as('DEBT01', (broker) => passwords.updatePassword(broker, { old_password: 'Demo@1234', new_password: 'Sahyadri@1042' }))
}
