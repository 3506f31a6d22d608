import { z } from 'zod/v4'
import {
	AccountNo,
	BankAccountType,
	Email,
	Ifsc,
	IncomeSlab,
	Micr,
	Mobile,
	NomineeChange,
	ProofType,
	SegmentName,
	SEGMENTS_WITH_PROOF,
} from '#contract/modifications'
import { type Profile } from '#contract/profile'
import { unreadIn } from '#contract/tolerant'
import { formatDay } from '#contract/values/dates'
import { type Broker } from '~/broker/client.server'
import {
	sendProfileOtp,
	verifyProfileOtp,
	sendBankOtp,
	verifyBankOtp,
	sendIncomeOtp,
	verifyIncomeOtp,
	sendSegmentOtp,
	verifySegmentOtp,
	sendNomineesOtp,
	verifyNomineesOtp,
} from '~/broker/modifications.server'
import { getBankDetails, getPersonalDetails } from '~/broker/profile.server'
import { CHANGE_PAGES } from '~/forms/change-pages'
import { maskAccount, maskEmail, maskMobile, maskPan } from '~/lib/masks'
import { formatSlab } from '~/lib/income-slab'
import { listActiveSegments } from './active-segments.server'
import { type Change, type ChangeKind, defineChange } from './change-journey.server'
import { listNominees, writeShare } from './nominee-lines.server'

/* Every change of the account that the client confirms with a code. */

/** Returns what the profile says about one value. */
const tellProfile = async (broker: Broker, tell: (profile: Profile) => string | null | undefined) =>
	tell(await getPersonalDetails(broker)) || undefined

export const mobileChange = defineChange('mobile', {
	...CHANGE_PAGES.mobile,
	Value: z.object({ input: Mobile }),
	// Not masked, because a client who signs must see a wrong digit.
	lines: ({ input }) => [{ label: 'New mobile number', value: `${input.slice(0, 5)} ${input.slice(5)}` }],
	findNow: (broker) => tellProfile(broker, ({ personal_details: { mobile } }) => mobile && maskMobile(mobile)),
	findTarget: ({ input }) => ({ name: 'your new mobile number', masked: maskMobile(input) }),
	send: (broker, { input }, process) => sendProfileOtp(broker, 'mobile', input, process),
	verify: async (broker, { input }, { otp, idempotencyKey }) => ({
		esign: await verifyProfileOtp(broker, 'mobile', input, { otp, idempotencyKey }),
	}),
})

export const emailChange = defineChange('email', {
	...CHANGE_PAGES.email,
	Value: z.object({ input: Email }),
	// Not masked either.
	lines: ({ input }) => [{ label: 'New e-mail', value: input }],
	findNow: (broker) => tellProfile(broker, ({ personal_details: { email } }) => email && maskEmail(email)),
	findTarget: ({ input }) => ({ name: 'your new e-mail address', masked: maskEmail(input) }),
	send: (broker, { input }, process) => sendProfileOtp(broker, 'email', input, process),
	verify: async (broker, { input }, { otp, idempotencyKey }) => ({
		esign: await verifyProfileOtp(broker, 'email', input, { otp, idempotencyKey }),
	}),
})

export const NewBankDetails = z.object({
	acc_number: AccountNo,
	ifsc_code: Ifsc,
	account_type: BankAccountType,
	set_default: z.boolean(),
	micr_code: Micr.optional(),
	/** The result of the bank's penny drop after the code was sent. */
	is_penny: z.boolean().optional(),
})

function listBankLines({ acc_number, ifsc_code, account_type, set_default, micr_code }: z.output<typeof NewBankDetails>) {
	return [
		{ label: 'Account number', value: maskAccount(acc_number) },
		{ label: 'Bank', value: `IFSC ${ifsc_code}`, note: [account_type, micr_code && `MICR ${micr_code}`].filter(Boolean).join(', ') },
		{ label: 'Set as default', value: set_default ? 'Yes: payouts go here' : 'No' },
	]
}

export const bankChange = defineChange('bank', {
	...CHANGE_PAGES.bank,
	Value: NewBankDetails,
	lines: listBankLines,
	async findNow(broker, { set_default: isDefault }) {
		// Another account replaces nothing.
		if (!isDefault) return undefined
		const banks = await getBankDetails(broker)
		const paid = banks.find(({ set_default }) => set_default)
		return paid
			? `${paid.bank_name} ${maskAccount(paid.bank_acno)} gets payouts`
			: banks.length === 0 && !unreadIn(banks)
				? 'No bank account'
				: undefined
	},
	proofWhy: 'Add a photo or scan of a cancelled cheque of this account.',
	proofs: ({ is_penny }) =>
		is_penny
			? []
			: [
					{ name: 'file', label: 'Proof file', required: 'Select a cancelled cheque' },
					{ name: 'file2', label: 'Second proof file (optional)' },
				],
	async send(broker, value, process) {
		const { is_penny, ...sent } = await sendBankOtp(broker, value, process)
		return { ...sent, adds: { is_penny } }
	},
	async verify(broker, value, { otp, idempotencyKey, micr, files }) {
		const bank = micr ? { ...value, micr_code: micr } : value
		const { esign, esign_response } = await verifyBankOtp(broker, bank, { otp, idempotencyKey, files })
		return esign && esign_response ? { esign: esign_response } : { message: 'Bank added successfully' }
	},
})

export const segmentChange = defineChange('segments', {
	...CHANGE_PAGES.segments,
	Value: z.object({ segment: SegmentName }),
	lines: ({ segment }) => [{ label: 'Segment to activate', value: segment }],
	findNow: (broker) => tellProfile(broker, ({ dp_details }) => listActiveSegments(dp_details).join(', ')),
	proofWhy: 'Derivatives are opened only with proof of income.',
	proofs: ({ segment }) =>
		SEGMENTS_WITH_PROOF.includes(segment) ? [{ name: 'file', label: 'Proof file', required: 'Upload your proof' }] : [],
	hasProofType: ({ segment }) => SEGMENTS_WITH_PROOF.includes(segment),
	send: (broker, { segment }, process) => sendSegmentOtp(broker, segment, process),
	verify: async (broker, { segment }, { otp, idempotencyKey, proofType, files }) => ({
		esign: await verifySegmentOtp(broker, segment, {
			otp,
			idempotencyKey,
			files,
			file_type: ProofType.optional().parse(proofType),
		}),
	}),
})

export const nomineeChange = defineChange('nominee', {
	...CHANGE_PAGES.nominee,
	Value: NomineeChange.extend({
		/** The names registered for the PANs, from the broker. */
		registered: z.record(z.string(), z.string()),
	}),
	lines: ({ nominees, registered }) =>
		nominees.length === 0
			? [{ label: 'Nominees', value: 'I do not wish to nominate' }]
			: nominees.map(({ name, relation, share, pan, dob, guardian }, at) => ({
					label: `Nominee ${at + 1}`,
					value: [
						`${name}, ${relation}, ${writeShare(share)} %`,
						`born ${formatDay(dob)}`,
						registered[pan] ? `PAN ${maskPan(pan)} registered to ${registered[pan]}` : `PAN ${maskPan(pan)}, which could not be checked`,
						...(guardian ? [`guardian ${guardian.name}, ${guardian.relation}`] : []),
					].join('; '),
				})),
	findNow: (broker) =>
		tellProfile(broker, ({ nominees }) =>
			unreadIn(nominees)
				? undefined
				: listNominees(nominees)
						.map(({ name, share }) => `${name}, ${share}`)
						.join('; ') || 'No nominee',
		),
	send: (broker, { opt_out, nominees }, process) => sendNomineesOtp(broker, { opt_out, nominees }, process),
	verify: async (broker, { opt_out, nominees }, { otp, idempotencyKey }) => ({
		esign: await verifyNomineesOtp(broker, { opt_out, nominees }, { otp, idempotencyKey }),
	}),
})

export const incomeChange = defineChange('income', {
	...CHANGE_PAGES.income,
	Value: z.object({ income: IncomeSlab }),
	lines: ({ income }) => [{ label: 'New annual income', value: formatSlab(income) }],
	findNow: (broker) => tellProfile(broker, ({ personal_details: { annual_income } }) => annual_income && formatSlab(annual_income)),
	proofs: () => [{ name: 'file', label: 'Proof file', required: 'Upload proof of income' }],
	send: (broker, { income }, process) => sendIncomeOtp(broker, income, process),
	verify: async (broker, { income }, { otp, idempotencyKey, files }) => ({
		pdf: await verifyIncomeOtp(broker, income, { otp, idempotencyKey, files }),
	}),
})

const CHANGES: Record<ChangeKind, Pick<Change, 'kind' | 'title' | 'what' | 'path' | 'open'>> = {
	mobile: mobileChange,
	email: emailChange,
	bank: bankChange,
	segments: segmentChange,
	nominee: nomineeChange,
	income: incomeChange,
}

/** Returns the change named in an address. Throws a 404 for any other name. */
export function requireChange(kind: string | undefined) {
	const change = kind !== undefined && Object.hasOwn(CHANGES, kind) ? CHANGES[kind as ChangeKind] : undefined
	if (!change) throw Response.json({ message: 'There is no such change.' }, { status: 404 })
	return change
}
