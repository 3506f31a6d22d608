import { envelope, NoContent } from '#contract/common'
import { EsignResponse } from '#contract/esign'
import {
	BankAddResult,
	type BankAccountType,
	BankOtpSent,
	type ChangeDefaultBankRequest,
	ChangeRequests,
	type IncomeSlab,
	ModificationLimits,
	type NomineeChange,
	NomineePan,
	OtpSent,
	PennyDrop,
	type ProfileChange,
	type ProofType,
	type SegmentName,
} from '#contract/modifications'
import { part } from '#contract/tolerant'
import { type Broker, orNone, orNoneOffered } from './client.server'
import { listFields, type FormFile } from './form-body.server'
import { type ReadOptions } from './requests.server'

/** Each change has two steps: a code is sent, or another one (`resend_otp`), and the change is made with the code. */
export type Sending = 'send_otp' | 'resend_otp'
const VERIFY = { process: 'verify_otp' }
/** The code of the client. With a key, a repeat gets the first reply instead of a refusal. */
type Code = { otp: string; idempotencyKey?: string }
/** Files follow the fields, one after the other. */
type Files = { files?: AsyncIterable<FormFile> | Iterable<FormFile> }

/** Times in seconds, and the broker's sentence on where the code was sent: `OTP sent to ******3210`. */
const CodeSent = envelope(part(OtpSent)).transform(({ message, data }) => ({ ...data, message }))
const BankCodeSent = envelope(part(BankOtpSent)).transform(({ message, data }) => ({ ...data, message }))

async function* streamForm(fields: ReturnType<typeof listFields>, files: Files['files'] = []) {
	yield* fields
	yield* files
}

const PROFILE = '/v1/modifications/profile-modifications'

/** The code goes to the new number or address. */
export function sendProfileOtp(broker: Broker, types: ProfileChange, input: string, process: Sending) {
	return broker.post(PROFILE, CodeSent, { isWhole: true, query: { process, types }, body: { input } })
}

/** Returns the e-sign response: nothing changes before the e-sign. */
export function verifyProfileOtp(broker: Broker, types: ProfileChange, input: string, { otp, idempotencyKey }: Code) {
	return broker.post(PROFILE, EsignResponse, { query: { ...VERIFY, types }, body: { input, otp }, idempotencyKey })
}

/** A bank account to add. `micr_code` is needed when the broker refuses with `Invalid MICR code.`; it may be sent with the code. */
export type NewBank = {
	acc_number: string
	ifsc_code: string
	account_type: BankAccountType
	set_default: boolean
	micr_code?: string
	is_penny?: boolean
}

const BANK = '/v1/modifications/bank-addition'

/** When the reply has `is_penny` false, the code needs proof with it: the file `file`, and `file2` if there are two. */
export function sendBankOtp(broker: Broker, bank: NewBank, process: Sending) {
	return broker.post(BANK, BankCodeSent, { isWhole: true, query: { process }, form: listFields(bank) })
}

export function verifyBankOtp(broker: Broker, bank: NewBank, { otp, idempotencyKey, files }: Code & Files) {
	return broker.post(BANK, BankAddResult, { query: VERIFY, form: streamForm(listFields({ ...bank, otp }), files), idempotencyKey })
}

/** One step, without a code. A 404 means that the account is not registered. */
export function changeDefaultBank(broker: Broker, bank: ChangeDefaultBankRequest, idempotencyKey: string) {
	return broker.post('/v1/modifications/default-bank-change', NoContent, { body: bank, idempotencyKey })
}

const INCOME = '/v1/modifications/income-modification'

export function sendIncomeOtp(broker: Broker, income: IncomeSlab, process: Sending) {
	return broker.post(INCOME, CodeSent, { isWhole: true, query: { process }, form: listFields({ income }) })
}

/** Sends the code with the proof (`file`). Returns the declaration, a PDF stream. */
export function verifyIncomeOtp(broker: Broker, income: IncomeSlab, { otp, idempotencyKey, files }: Code & Files) {
	const form = streamForm(listFields({ income, otp }), files)
	return broker.download('POST', INCOME, 'pdf', { query: VERIFY, form, idempotencyKey })
}

const SEGMENT = '/v1/modifications/segment-addition'

export function sendSegmentOtp(broker: Broker, segment: SegmentName, process: Sending) {
	return broker.post(SEGMENT, CodeSent, { isWhole: true, query: { process }, form: listFields({ segment }) })
}

/** A derivative segment needs `file_type` and a proof (`file`). Returns the e-sign response. */
export function verifySegmentOtp(broker: Broker, segment: SegmentName, step: Code & Files & { file_type?: ProofType }) {
	const { otp, idempotencyKey, file_type, files } = step
	return broker.post(SEGMENT, EsignResponse, {
		query: VERIFY,
		form: streamForm(listFields({ segment, file_type, otp }), files),
		idempotencyKey,
	})
}

const NOMINEES = '/v1/modifications/nominee-addition'

/** Sends the whole new list, or the declaration that the client wants no nominee. */
export function sendNomineesOtp(broker: Broker, nominee: NomineeChange, process: Sending) {
	return broker.post(NOMINEES, CodeSent, { isWhole: true, query: { process }, body: { client_code: broker.clientCode, nominee } })
}

/** Returns the e-sign response. */
export function verifyNomineesOtp(broker: Broker, nominee: NomineeChange, { otp, idempotencyKey }: Code) {
	return broker.post(NOMINEES, EsignResponse, { query: VERIFY, body: { client_code: broker.clientCode, nominee, otp }, idempotencyKey })
}

/** The name and status in the PAN register; an unknown PAN is INVALID, not a refusal. Sent to the e-KYC host. */
export function verifyNomineePan(broker: Broker, pan: string) {
	return broker.get('/v1/user/nom-pan-verify', NomineePan, { service: 'ekyc', query: { pan_no: pan } })
}

/* Ours: when a broker answers 404, only that part of the page is missing. */

/** Maximum number of nominees and bank accounts of a client. */
export function getModificationLimits(broker: Broker): Promise<ModificationLimits> {
	return broker.get('/v1/ours/modification-limits', ModificationLimits)
}

/** The bank's result for the account being added, while its code is valid; undefined when unknown. */
export function getPennyDrop(broker: Broker): Promise<PennyDrop | undefined> {
	return broker.get('/v1/ours/penny-drop', PennyDrop).catch(orNone(undefined))
}

/** The client's change requests, latest first. */
export function listChangeRequests(broker: Broker, options: ReadOptions = {}) {
	return broker.get('/v1/ours/change-requests', ChangeRequests, options).catch(orNoneOffered([]))
}

/** The signed form of a finished change, as PDF. A 404 means that it is not the client's. */
export function downloadChangeForm(broker: Broker, reference: string) {
	return broker.download('GET', '/v1/ours/change-form', 'pdf', { query: { reference } })
}

/** Withdraws a change that waits for its e-sign. */
export function withdrawChange(broker: Broker, reference: string, idempotencyKey: string) {
	return broker.post('/v1/ours/change-withdrawal', NoContent, { body: { reference }, idempotencyKey })
}
