import { z } from 'zod/v4'
import { ClientCode, Day, Flag, Moment, NameInAddress, otpSeconds, whole } from './common'
import { EsignResponse } from './esign'
import { id, text, word, words } from './texts'
import { cells, maybe, rows, spare } from './tolerant'

/*
 * Changes of the profile. Schemas of requests are exact; schemas of responses name only what the portal needs.
 */

/** The steps of a change: request an OTP, submit it with the change, request another OTP. */
export const OtpProcess = z.enum(['send_otp', 'verify_otp', 'resend_otp'])

const Otp = z.string().regex(/^[0-9]{6}$/)
export const Pan = z.string().regex(/^[A-Z]{3}[ABCFGHJLPT][A-Z][0-9]{4}[A-Z]$/)
export const Mobile = z.string().regex(/^[6-9][0-9]{9}$/)
export const Email = z
	.string()
	.max(100)
	.regex(/^[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9-]{1,30}(\.[A-Za-z0-9-]{2,20}){1,3}$/)
export const AccountNo = z.string().regex(/^[0-9]{9,18}$/)
export const Ifsc = z.string().regex(/^[A-Z]{4}0[A-Z0-9]{6}$/)
export const Micr = z.string().regex(/^[0-9]{9}$/)

/** Seconds until the OTP expires, and until the client may request another. */
export const OtpSent = z.object({ request_id: spare(text(40, 1), () => ''), expires_in: otpSeconds(0), resend_in: otpSeconds(0) })

export const ProfileChange = z.enum(['mobile', 'email'])
export type ProfileChange = z.infer<typeof ProfileChange>
export const ModifyProfileRequest = z.object({ input: z.union([Mobile, Email]), otp: Otp.optional() })
/** The OTP's times after a request for an OTP; the e-sign response after the OTP is submitted. */
export const ModifyProfileData = z.union([OtpSent, EsignResponse])

export const BankAccountType = z.enum(['Savings', 'Current'])
export type BankAccountType = z.infer<typeof BankAccountType>

/** Forms send the text `true` or `false`. */
const FormFlag = z.enum(['true', 'false']).transform((text) => text === 'true')

/** The form's fields. The proofs are sent with them as `file` and `file2`. */
export const AddBankRequest = z.object({
	acc_number: AccountNo,
	ifsc_code: Ifsc,
	account_type: BankAccountType,
	set_default: FormFlag.default(false),
	micr_code: Micr.optional(),
	is_penny: FormFlag.optional(),
	otp: Otp.optional(),
})
/** With `is_penny` false the bank did not confirm the account; then the request with the OTP must carry a proof. */
export const BankOtpSent = OtpSent.extend({ is_penny: spare(Flag, () => false) })
export const BankAddResult = z.object({ esign: Flag, is_penny: spare(Flag, () => false), esign_response: maybe(EsignResponse) })
export const AddBankData = z.union([BankOtpSent, BankAddResult])

export const ChangeDefaultBankRequest = z.object({
	acc_no: AccountNo,
	bank_name: z.string().min(1).max(80),
	micr_code: Micr,
	ifsc_code: Ifsc,
})
export type ChangeDefaultBankRequest = z.infer<typeof ChangeDefaultBankRequest>

export const IncomeSlab = z.enum(['Below 1 Lakh', '1-5 Lakh', '5-10 Lakh', '10-25 Lakh', '25 Lakh-1 Crore', 'Above 1 Crore'])
export type IncomeSlab = z.infer<typeof IncomeSlab>
/** The proof is sent with it as `file`. */
export const ModifyIncomeRequest = z.object({ income: IncomeSlab, otp: Otp.optional() })

export const SegmentName = z.enum(['Future & Options', 'Mutual fund', 'Currency Derivatives', 'SLBM', 'Cash'])
export type SegmentName = z.infer<typeof SegmentName>
export const ProofType = z.enum([
	'Bank Statement - last 6 months',
	'ITR Acknowledgement',
	'Form 16',
	'Salary Slip',
	'Net Worth Certificate',
	'Demat Holding Statement',
])
export type ProofType = z.infer<typeof ProofType>
/** Segments for which the law requires proof of income. */
export const SEGMENTS_WITH_PROOF: readonly SegmentName[] = ['Future & Options', 'Currency Derivatives']
/** The proof is sent with it as `file`. */
export const AddSegmentRequest = z.object({ segment: SegmentName, file_type: ProofType.optional(), otp: Otp.optional() })
export const AddSegmentData = z.union([OtpSent, EsignResponse])

export const Relation = z.enum(['Spouse', 'Son', 'Daughter', 'Father', 'Mother', 'Brother', 'Sister', 'Grandson', 'Granddaughter', 'Other'])
export type Relation = z.infer<typeof Relation>

const PersonName = z.string().min(1).max(80)

const GuardianInput = z.object({ name: PersonName, relation: Relation, pan: Pan })

export const NomineeInput = z.object({
	name: PersonName,
	relation: Relation,
	pan: Pan,
	dob: Day,
	/** Per cent, at most two decimals. The shares of all nominees add up to exactly 100. */
	share: z.number().min(0).max(100).multipleOf(0.01),
	address: z.string().min(1).max(300).optional(),
	mobile: Mobile.optional(),
	email: Email.optional(),
	/** Required for a minor, and not allowed for anyone else. */
	guardian: GuardianInput.nullish(),
})
export type NomineeInput = z.infer<typeof NomineeInput>

/** Replaces the whole list. `opt_out` with an empty list declares that the client wants no nominee. */
export const NomineeChange = z.object({ opt_out: z.boolean(), nominees: z.array(NomineeInput).max(10) })
export type NomineeChange = z.infer<typeof NomineeChange>
export const ChangeNomineesRequest = z.object({ client_code: ClientCode, nominee: NomineeChange, otp: Otp.optional() })
export const ChangeNomineesData = z.union([OtpSent, EsignResponse])

/** The name in the PAN register; empty when the PAN is not registered. */
export const NomineePan = z.object({ pan_no: id(Pan), name: words(z.string().max(80)), status: word(z.enum(['VALID', 'INVALID'])) })
export type NomineePan = z.infer<typeof NomineePan>

/** Not in the specification: the maximum number of nominees and of bank accounts. */
export const ModificationLimits = z.object({
	max_nominees: whole(1, 10),
	max_banks: spare(whole(1, 50), () => null),
})
export type ModificationLimits = z.infer<typeof ModificationLimits>

/** Not in the specification: the bank's response about the account for which the OTP was sent. NONE: the bank returned no name. */
export const PennyDrop = z.object({
	bank_name: text(80),
	branch: text(80),
	name_at_bank: maybe(text(80)),
	name_here: text(80),
	match: word(z.enum(['FULL', 'PARTIAL', 'NONE'])),
})
export type PennyDrop = z.infer<typeof PennyDrop>

/** Not in the specification: a change that the client requested, in words for the screen. */
export const ChangeRequest = z.object({
	reference: text(40),
	kind: text(20),
	title: text(80),
	/** WAITING for the e-sign until `expires_at`, then LAPSED. SIGNED while it is not made yet, as a closure until its day. */
	status: word(z.enum(['WAITING', 'SIGNED', 'DONE', 'WITHDRAWN', 'LAPSED'])),
	...cells({
		/** The name of the person who requested it. */
		by: text(120),
		/** Masked, but the old and the new value still look different. */
		was: maybe(text(400)),
		becomes: maybe(text(400)),
		/** LOGIN: confirmed by the session, without an OTP. */
		authorised_by: word(z.enum(['LOGIN', 'OTP', 'OTP_ESIGN', 'ESIGN'])),
		asked_at: Moment,
		/** When it was made, withdrawn or, while SIGNED, signed. */
		done_at: maybe(Moment),
		expires_at: maybe(Moment),
	}),
})
export type ChangeRequest = z.infer<typeof ChangeRequest>
export const ChangeRequests = rows(ChangeRequest, 500)

/** Not in the specification: identifies one change. */
export const ChangeReference = z.object({ reference: NameInAddress })
