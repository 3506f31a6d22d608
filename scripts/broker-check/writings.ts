import { randomUUID } from 'node:crypto'
import { type Broker } from '~/broker/client.server'
import * as depository from '~/broker/depository.server'
import { requestPnlBundle } from '~/broker/downloads.server'
import * as funds from '~/broker/funds.server'
import * as modifications from '~/broker/modifications.server'
import { type Facts, type Probe } from './readings'

/** Values that a step passes to the next one. */
type Begun = { verification?: string }

/**
 * Returns the writing operations for `--write`. Each sends a code, starts a payment that nobody completes, or makes a form. Nothing
 * changes without a code or a signature, so the test client stays unchanged. `readOtp` asks a person for the code of the stock
 * verification.
 */
export function createWritings(readOtp: (what: string) => Promise<string>): Record<string, Probe> {
	const begun: Begun = {}

	async function verifyStock(broker: Broker, requestId: string) {
		const otp = await readOtp('OTP of the stock verification (Enter to skip)')
		return otp ? depository.verifyStockVerificationOtp(broker, requestId, otp, randomUUID()) : undefined
	}

	return {
		modifyProfile: (broker) => modifications.sendProfileOtp(broker, 'email', 'broker.check@example.com', 'send_otp'),
		addBank: (broker) => modifications.sendBankOtp(broker, { ...NEW_BANK, set_default: false }, 'send_otp'),
		getPennyDrop: (broker) => modifications.getPennyDrop(broker),
		modifyIncome: (broker) => modifications.sendIncomeOtp(broker, '5-10 Lakh', 'send_otp'),
		addSegment: (broker) => modifications.sendSegmentOtp(broker, 'SLBM', 'send_otp'),
		changeNominees: (broker) => modifications.sendNomineesOtp(broker, { opt_out: true, nominees: [] }, 'send_otp'),
		createPayinRequest: (broker, facts) => startPayin(broker, facts),
		createPhysicalEmandate: (broker, { bank }) =>
			bank && funds.createPhysicalEmandate(broker, { amount: 100_000, bank_details: writeBank(bank), channel: 'netbanking' }),
		requestPnlBundle: (broker, { year }) => requestPnlBundle(broker, year),
		async requestStockVerification(broker) {
			const [share] = (await depository.getEdisHoldings(broker)).filter(({ free_qty }) => free_qty > 0)
			if (!share) return undefined
			const { isin, stock_name, poa_qty, free_qty } = share
			const data = [{ isin, stock_name, poa_qty, free_qty, qty: 1 }]
			const sent = await depository.requestStockVerification(broker, { eDis_type: '2', trade_type: 'PRE', post_trade_date: '', data })
			begun.verification = sent.request_id
			return sent
		},
		verifyStockVerificationOtp: (broker) => (begun.verification ? verifyStock(broker, begun.verification) : undefined),
		resendStockVerificationOtp: (broker) =>
			begun.verification ? depository.resendStockVerificationOtp(broker, begun.verification) : undefined,
	}
}

/** A bank account that no client has. */
export const NEW_BANK = { acc_number: '50100099887766', ifsc_code: 'HDFC0000060', account_type: 'Savings' } as const

export function writeBank({ bank_acno, ifsc_code_act, bank_name, account_type }: NonNullable<Facts['bank']>) {
	const type = account_type === 'Current' ? ('Current' as const) : ('Savings' as const)
	return { bank_acno, ifsc_code: ifsc_code_act, bank_name, account_type: type }
}

/** Starts a payment of one rupee by net banking. It ends at the payment page. */
export function startPayin(broker: Broker, { bank, client }: Facts) {
	if (!bank || !client) return undefined
	const payer = { client_name: client.name, client_email: client.email, client_mobile_no: client.mobile }
	const account = { account_no: bank.bank_acno, bank_name: bank.bank_name, bank_ifsc: bank.ifsc_code_act }
	return funds.createPayinRequest(broker, 'netbanking', { ...payer, ...account, amount: 100, segment: 'BSE', upi_id: '' }, randomUUID())
}
