import { type LedgerCocd, NoContent } from '#contract/common'
import {
	type CreatePayinRequest,
	type EmandateRequest,
	FundLimits,
	FundMovements,
	type FundMovementType,
	Mandates,
	MandateStarted,
	PayinResult,
	type PaymentType,
	PayoutResult,
	PayoutTimetable,
	UnauthorizedPayments,
} from '#contract/funds'
import { formatPlainAmount, toRupees, type Paise } from '#contract/values/money'
import { type Broker, orNone } from './client.server'

type Payin = Omit<CreatePayinRequest, 'amount'> & { amount: Paise }

/** Returns the address of the payment page. No money moves before the client has paid there. */
export function createPayinRequest(broker: Broker, payment_type: PaymentType, { amount, ...payin }: Payin, idempotencyKey: string) {
	const body = { ...payin, amount: toRupees(amount) }
	return broker.post('/atompay/v2/Request', PayinResult, { service: 'payment', query: { payment_type }, body, idempotencyKey })
}

/** Pay-ins or pay-outs, newest first. */
export function listFundMovements(broker: Broker, type: FundMovementType) {
	return broker.get('/v1/account_profile/list_of_funds_payout_payin', FundMovements, { query: { type } }).catch(orNone([]))
}

type Payout = { ledgers: LedgerCocd[]; amount: Paise; bank_acno: string }

/** Requests a payout from these ledgers, in this order. Refused above the withdrawable amount. */
export function requestPayout(broker: Broker, { ledgers, amount, bank_acno }: Payout, idempotencyKey: string) {
	const body = { client_code: broker.clientCode, checkbox_payout: ledgers, ledger_balance: toRupees(amount), bank_acno }
	return broker.post('/v1/account_profile/fund_payout', PayoutResult, { body, idempotencyKey })
}

export function listUnauthorizedPayments(broker: Broker) {
	return broker.get('/v2/fund/unauthorized-payments', UnauthorizedPayments).catch(orNone([]))
}

type NewMandate = Omit<EmandateRequest, 'amount'> & { amount: Paise }

const mandateBody = ({ amount, ...mandate }: NewMandate) => ({ ...mandate, amount: formatPlainAmount(amount) })

/** Returns the address of the registration page. */
export function createOnlineEmandate(broker: Broker, mandate: NewMandate, idempotencyKey: string) {
	return broker.post('/v1/account_profile/e_mandate/online', MandateStarted, { body: mandateBody(mandate), idempotencyKey })
}

/** The form to print and sign, a PDF stream. It registers nothing. */
export function createPhysicalEmandate(broker: Broker, mandate: NewMandate) {
	return broker.download('POST', '/v1/account_profile/e_mandate/physical', 'pdf', { body: mandateBody(mandate) })
}

/** Ours. A broker without this call answers 404; then the forms show no limits. */
export function getFundLimits(broker: Broker) {
	return broker.get('/v1/ours/fund-limits', FundLimits)
}

/** Ours: the next batches and the payouts under way. */
export function getPayoutTimetable(broker: Broker) {
	return broker.get('/v1/ours/payout-timetable', PayoutTimetable)
}

/** Ours: cancels a payout before its batch is closed. */
export function cancelPayout(broker: Broker, request_id: string, idempotencyKey: string) {
	return broker.post('/v1/ours/cancel-payout', NoContent, { body: { request_id }, idempotencyKey })
}

/** Ours: the mandates registered online. */
export function listMandates(broker: Broker) {
	return broker.get('/v1/ours/mandates', Mandates)
}

/** Ours: cancels a mandate, whether active or still being registered. */
export function cancelMandate(broker: Broker, reference: string, idempotencyKey: string) {
	return broker.post('/v1/ours/cancel-mandate', NoContent, { body: { reference }, idempotencyKey })
}
