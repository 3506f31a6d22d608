import { z } from 'zod/v4'
import { envelope } from '#contract/common'
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
import { type Broker, orNone, orNoneOffered } from './client.server'
import { listFields, type FormFile } from './form-body.server'
import { type ReadOptions } from './requests.server'

/** Requests a code, or another one. */
type SendStep = { process: 'send_otp' | 'resend_otp' }
/** Makes the change with the code. With a key, a repeat gets the first reply instead of a refusal. */
type VerifyStep = { process: 'verify_otp'; otp: string; idempotencyKey?: string }
/** Files follow the fields, one after the other. */
type Files = { files?: AsyncIterable<FormFile> | Iterable<FormFile> }

/** Times in seconds, and the broker's sentence on where the code was sent: `OTP sent to ******3210`. */
const CodeSent = envelope(OtpSent).transform(({ message, data }) => ({ ...data, message }))
export type CodeSent = z.infer<typeof CodeSent>
const BankCodeSent = envelope(BankOtpSent).transform(({ message, data }) => ({ ...data, message }))
export type BankCodeSent = z.infer<typeof BankCodeSent>

async function* streamForm(fields: ReturnType<typeof listFields>, files: Files['files'] = []) {
	yield* fields
	yield* files
}

/** The code goes to the new number or address. With the code the reply is the e-sign response; nothing changes before the e-sign. */
export function modifyProfile(broker: Broker, types: ProfileChange, input: string, step: SendStep): Promise<CodeSent>
export function modifyProfile(broker: Broker, types: ProfileChange, input: string, step: VerifyStep): Promise<string>
export function modifyProfile(broker: Broker, types: ProfileChange, input: string, step: SendStep | VerifyStep) {
	const path = '/v1/modifications/profile-modifications'
	const query = { process: step.process, types }
	if (step.process !== 'verify_otp') return broker.postWhole(path, CodeSent, { query, body: { input } })
	return broker.post(path, EsignResponse, { query, body: { input, otp: step.otp }, idempotencyKey: step.idempotencyKey })
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

/** When the first reply has `is_penny` false, the second step needs proof: the file `file`, and `file2` if there are two. */
export function addBank(broker: Broker, bank: NewBank, step: SendStep): Promise<BankCodeSent>
export function addBank(broker: Broker, bank: NewBank, step: VerifyStep & Files): Promise<z.infer<typeof BankAddResult>>
export function addBank(broker: Broker, bank: NewBank, step: SendStep | (VerifyStep & Files)) {
	const path = '/v1/modifications/bank-addition'
	const query = { process: step.process }
	if (step.process !== 'verify_otp') return broker.postWhole(path, BankCodeSent, { query, form: listFields(bank) })
	const form = streamForm(listFields({ ...bank, otp: step.otp }), step.files)
	return broker.post(path, BankAddResult, { query, form, idempotencyKey: step.idempotencyKey })
}

/** One step, without a code. A 404 means that the account is not registered. */
export function changeDefaultBank(broker: Broker, bank: ChangeDefaultBankRequest, idempotencyKey: string) {
	return broker.post('/v1/modifications/default-bank-change', z.null(), { body: bank, idempotencyKey })
}

/** With the code and the proof (`file`) the reply is the declaration, a PDF stream. */
export function modifyIncome(broker: Broker, income: IncomeSlab, step: SendStep): Promise<CodeSent>
export function modifyIncome(broker: Broker, income: IncomeSlab, step: VerifyStep & Files): Promise<ReadableStream<Uint8Array>>
export function modifyIncome(broker: Broker, income: IncomeSlab, step: SendStep | (VerifyStep & Files)) {
	const path = '/v1/modifications/income-modification'
	const query = { process: step.process }
	if (step.process !== 'verify_otp') return broker.postWhole(path, CodeSent, { query, form: listFields({ income }) })
	const form = streamForm(listFields({ income, otp: step.otp }), step.files)
	return broker.download('POST', path, 'application/pdf', { query, form, idempotencyKey: step.idempotencyKey })
}

/** A derivative segment needs `file_type` and a proof (`file`) with the code. With the code the reply is the e-sign response. */
export function addSegment(broker: Broker, segment: SegmentName, step: SendStep): Promise<CodeSent>
export function addSegment(broker: Broker, segment: SegmentName, step: VerifyStep & Files & { file_type?: ProofType }): Promise<string>
export function addSegment(broker: Broker, segment: SegmentName, step: SendStep | (VerifyStep & Files & { file_type?: ProofType })) {
	const path = '/v1/modifications/segment-addition'
	const query = { process: step.process }
	if (step.process !== 'verify_otp') return broker.postWhole(path, CodeSent, { query, form: listFields({ segment }) })
	const form = streamForm(listFields({ segment, file_type: step.file_type, otp: step.otp }), step.files)
	return broker.post(path, EsignResponse, { query, form, idempotencyKey: step.idempotencyKey })
}

/** Sends the whole new list, or the declaration that the client wants no nominee. With the code the reply is the e-sign response. */
export function changeNominees(broker: Broker, nominee: NomineeChange, step: SendStep): Promise<CodeSent>
export function changeNominees(broker: Broker, nominee: NomineeChange, step: VerifyStep): Promise<string>
export function changeNominees(broker: Broker, nominee: NomineeChange, step: SendStep | VerifyStep) {
	const path = '/v1/modifications/nominee-addition'
	const query = { process: step.process }
	const body = { client_code: broker.clientCode, nominee }
	if (step.process !== 'verify_otp') return broker.postWhole(path, CodeSent, { query, body })
	return broker.post(path, EsignResponse, { query, body: { ...body, otp: step.otp }, idempotencyKey: step.idempotencyKey })
}

/** The name and status in the PAN register; an unknown PAN is INVALID, not a refusal. Sent to the e-KYC host. */
export function verifyNomineePan(broker: Broker, pan: string) {
	return broker.get('/v1/user/nom-pan-verify', NomineePan, { service: 'ekyc', query: { pan_no: pan } })
}

/* Ours: when a broker answers 404, only that part of the page is missing. */

/** Maximum number of nominees and bank accounts of a client. */
export function getModificationLimits(broker: Broker): Promise<ModificationLimits> {
	return broker.get('/v1/ours/modification-limits', ModificationLimits).catch(orNone({ max_nominees: 3, max_banks: 5 }))
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
	return broker.download('GET', '/v1/ours/change-form', 'application/pdf', { query: { reference } })
}

/** Withdraws a change that waits for its e-sign. */
export function withdrawChange(broker: Broker, reference: string, idempotencyKey: string) {
	return broker.post('/v1/ours/change-withdrawal', z.null(), { body: { reference }, idempotencyKey })
}
