import { z } from 'zod/v4'
import { ClientCode, Day } from './common'

/*
 * Only what the screens read. What is not named here is dropped at the border, so that it cannot end up in a page by accident; what a
 * screen can do without may be missing.
 */
const Text = z
	.string()
	.max(254)
	.nullish()
	.transform((text) => text || null)
const DayOrNone = Day.nullish()
	.catch(null)
	.transform((day) => day ?? null)

const Address = z.object({ line1: Text, line2: Text, line3: Text, city: Text, state: Text, pincode: Text })

/** A nominee as it may be shown: PANs come masked. */
const Nominee = z.object({
	name: z.string().max(80),
	relation: Text,
	pan: Text,
	dob: DayOrNone,
	/** Per cent. */
	share: z.number().min(0).max(100),
	guardian: z
		.object({ name: z.string().max(80), relation: Text, pan: Text })
		.nullish()
		.transform((guardian) => guardian ?? null),
})

export const Profile = z.object({
	personal_details: z.object({
		client_code: ClientCode,
		first_name: z.string().max(40),
		middle_name: Text,
		last_name: z.string().max(40),
		/** Masked by the broker. */
		pan: Text,
		dob: DayOrNone,
		gender: Text,
		father_name: Text,
		marital_status: Text,
		occupation: Text,
		annual_income: Text,
		/** These two come whole, since a payment needs them: mask them on screen. */
		email: Text,
		mobile: Text,
		address: Address.nullish().transform((address) => address ?? null),
		account_status: Text,
		opened_on: DayOrNone,
		kyc_status: Text,
		last_trade_date: DayOrNone,
	}),
	dp_details: z.object({
		/** Comma-separated company codes, such as NSE_CASH,NSE_FNO,MCX. */
		company_code: z.string().max(120),
		/** Comma-separated segment names. */
		activate_segment: z.string().max(200),
		cdsl_bo_id: Text,
		nsdl_bo_id: Text,
		dp_name: Text,
		ddpi_status: Text,
	}),
	/** None: never named, or opted out. */
	nominees: z
		.array(Nominee)
		.max(10)
		.nullish()
		.transform((nominees) => nominees ?? []),
})
export type Profile = z.infer<typeof Profile>

/** A registered bank account; its number comes whole. */
export const BankAccount = z.object({
	bank_acno: z.string().regex(/^[0-9]{6,20}$/),
	bank_name: z.string().max(80),
	branch: Text,
	ifsc_code_act: z.string().max(11),
	micr_code: Text,
	account_type: z.string().max(20),
	/** True for exactly one. */
	set_default: z.boolean(),
})
export type BankAccount = z.infer<typeof BankAccount>
export const BankAccounts = z.array(BankAccount).max(50)
