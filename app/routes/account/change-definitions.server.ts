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
import { formatDay } from '#contract/values/dates'
import { addBank, addSegment, changeNominees, modifyIncome, modifyProfile } from '~/broker/modifications.server'
import { CHANGE_PAGES } from '~/forms/change-pages'
import { maskAccount, maskMobile, maskPan } from '~/lib/masks'
import { formatSlab } from '~/lib/income-slab'
import { type Change, type ChangeKind, defineChange } from './change-journey.server'

/* Every change of the account that the client confirms with a code. */

export const mobileChange = defineChange('mobile', {
	...CHANGE_PAGES.mobile,
	Value: z.object({ input: Mobile }),
	lines: ({ input }) => [{ label: 'New mobile number', value: maskMobile(input) }],
	send: (broker, { input }, process) => modifyProfile(broker, 'mobile', input, { process }),
	verify: async (broker, { input }, { otp, idempotencyKey }) => ({
		esign: await modifyProfile(broker, 'mobile', input, { process: 'verify_otp', otp, idempotencyKey }),
	}),
})

export const emailChange = defineChange('email', {
	...CHANGE_PAGES.email,
	Value: z.object({ input: Email }),
	// Not masked, because a client who signs must see a wrong letter.
	lines: ({ input }) => [{ label: 'New e-mail', value: input }],
	send: (broker, { input }, process) => modifyProfile(broker, 'email', input, { process }),
	verify: async (broker, { input }, { otp, idempotencyKey }) => ({
		esign: await modifyProfile(broker, 'email', input, { process: 'verify_otp', otp, idempotencyKey }),
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

export function listBankLines({ acc_number, ifsc_code, account_type, set_default, micr_code }: z.output<typeof NewBankDetails>) {
	return [
		{ label: 'Account number', value: maskAccount(acc_number) },
		{ label: 'Bank', value: [ifsc_code, micr_code && `MICR ${micr_code}`, account_type].filter(Boolean).join(', ') },
		...(set_default ? [{ label: 'Set as default', value: 'Yes' }] : []),
	]
}

export const bankChange = defineChange('bank', {
	...CHANGE_PAGES.bank,
	Value: NewBankDetails,
	lines: listBankLines,
	proofWhy: 'The bank did not confirm the account. Add a cancelled cheque of it below.',
	proofs: ({ is_penny }) =>
		is_penny
			? []
			: [
					{ name: 'file', label: 'Proof file', required: 'Select a cancelled cheque' },
					{ name: 'file2', label: 'Second proof file (optional)' },
				],
	async send(broker, value, process) {
		const { is_penny, ...sent } = await addBank(broker, value, { process })
		return { ...sent, adds: { is_penny } }
	},
	async verify(broker, value, { otp, idempotencyKey, micr, files }) {
		const bank = micr ? { ...value, micr_code: micr } : value
		const { esign, esign_response } = await addBank(broker, bank, { process: 'verify_otp', otp, idempotencyKey, files })
		return esign && esign_response ? { esign: esign_response } : { message: 'Bank added successfully' }
	},
})

export const segmentChange = defineChange('segments', {
	...CHANGE_PAGES.segments,
	Value: z.object({ segment: SegmentName }),
	lines: ({ segment }) => [{ label: 'Segment to activate', value: segment }],
	proofWhy: 'Derivatives are opened only with a proof of income. Add it below.',
	proofs: ({ segment }) =>
		SEGMENTS_WITH_PROOF.includes(segment) ? [{ name: 'file', label: 'Proof file', required: 'Upload your proof' }] : [],
	hasProofType: ({ segment }) => SEGMENTS_WITH_PROOF.includes(segment),
	send: (broker, { segment }, process) => addSegment(broker, segment, { process }),
	verify: async (broker, { segment }, { otp, idempotencyKey, proofType, files }) => ({
		esign: await addSegment(broker, segment, {
			process: 'verify_otp',
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
						`${name}, ${relation}, ${share.toFixed(2)} %`,
						`born ${formatDay(dob)}`,
						registered[pan] ? `PAN ${maskPan(pan)} registered to ${registered[pan]}` : `PAN ${maskPan(pan)}, which could not be checked`,
						...(guardian ? [`guardian ${guardian.name}, ${guardian.relation}`] : []),
					].join('; '),
				})),
	send: (broker, { opt_out, nominees }, process) => changeNominees(broker, { opt_out, nominees }, { process }),
	verify: async (broker, { opt_out, nominees }, { otp, idempotencyKey }) => ({
		esign: await changeNominees(broker, { opt_out, nominees }, { process: 'verify_otp', otp, idempotencyKey }),
	}),
})

export const incomeChange = defineChange('income', {
	...CHANGE_PAGES.income,
	Value: z.object({ income: IncomeSlab }),
	lines: ({ income }) => [{ label: 'Annual income', value: formatSlab(income) }],
	proofWhy: 'Your income changes only with a proof of it. Add it below.',
	proofs: () => [{ name: 'file', label: 'Proof file', required: 'Upload proof of income' }],
	send: (broker, { income }, process) => modifyIncome(broker, income, { process }),
	verify: async (broker, { income }, { otp, idempotencyKey, files }) => ({
		pdf: await modifyIncome(broker, income, { process: 'verify_otp', otp, idempotencyKey, files }),
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
