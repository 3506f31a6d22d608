import { z } from 'zod/v4'
import { ClientCode, Day, Flag } from './common'
import { DdpiStatusWord } from './depository'
import { capitals, personName, text } from './texts'
import { bent, cells, inner, nullish, rows, spare } from './tolerant'
import { Share } from './units'

/*
 * Names only what the screens read. Other fields are dropped here, so that no page can show them by accident. Fields that a screen can do
 * without may be missing.
 */
const Text = nullish(text(254)).transform((text) => text || null)
const DayOrNone = nullish(Day)
	.catch(null)
	.transform((day) => day ?? null)

const AddressLines = z.object({ line1: Text, line2: Text, line3: Text, city: Text, state: Text, pincode: Text })
/** Some brokers write the whole address as one text. */
const Address = bent(AddressLines, (value) => AddressLines.safeParse(typeof value === 'string' ? { line1: value } : value).data)

/** Comma-separated codes. Brokers also write a list, small letters, and other separators. None, or `ALL`, names no code. */
const Codes = bent(text(120), (value) => {
	const codes: unknown = Array.isArray(value) ? value.join(',') : value
	if (typeof codes !== 'string') return undefined
	const list = codes.toUpperCase().split(/[,;|\s]+/)
	const named = list.filter((code) => code !== '' && code !== 'ALL')
	return named.join(',') || undefined
})

/** Comma-separated names. Brokers also write a list. */
const Names = bent(text(200), (value) => text(200).safeParse(z.array(z.string()).safeParse(value).data?.join(',') ?? value).data)

const OwnCode = bent(ClientCode, (value) => ClientCode.safeParse(typeof value === 'string' ? value.trim().toUpperCase() : value).data)

/** A nominee with a masked PAN. */
const Nominee = z.object({
	name: personName(80),
	relation: Text,
	pan: Text,
	dob: DayOrNone,
	/** Per cent. */
	...cells({ share: Share }),
	guardian: nullish(z.object({ name: personName(80), relation: Text, pan: Text })).transform((guardian) => guardian ?? null),
})

export const Profile = z.object({
	personal_details: z.object({
		...cells({ client_code: OwnCode }),
		/** A company or a family (HUF) has none. */
		first_name: spare(personName(40), () => ''),
		middle_name: Text,
		last_name: spare(personName(40), () => ''),
		/** Masked by the broker. */
		pan: Text,
		dob: DayOrNone,
		gender: Text,
		father_name: Text,
		marital_status: Text,
		occupation: Text,
		annual_income: Text,
		/** Not masked, because a payment needs them: mask them on screen. */
		email: Text,
		mobile: Text,
		...cells({ address: nullish(Address).transform((address) => address ?? null) }),
		account_status: Text,
		opened_on: DayOrNone,
		kyc_status: Text,
		last_trade_date: DayOrNone,
	}),
	dp_details: z.object({
		/** Comma-separated company codes, such as NSE_CASH,NSE_FNO,MCX. Null when they are not known. */
		company_code: spare(Codes, () => null),
		/** Comma-separated segment names. */
		activate_segment: spare(Names, () => ''),
		cdsl_bo_id: Text,
		nsdl_bo_id: Text,
		dp_name: Text,
		ddpi_status: spare(nullish(DdpiStatusWord), () => null).transform((status) => status || null),
	}),
	/** Empty when the client never named a nominee, or opted out. */
	nominees: nullish(inner(rows(Nominee, 10))).transform((nominees) => nominees ?? []),
})
export type Profile = z.infer<typeof Profile>

/** A registered bank account. Its number is not masked. */
export const BankAccount = z.object({
	/** Digits. A number with other characters is shown, but cannot be selected for a payment. */
	bank_acno: capitals(20, 6),
	bank_name: text(80),
	branch: Text,
	ifsc_code_act: capitals(11),
	micr_code: Text,
	account_type: text(20),
	/** True for exactly one account. */
	...cells({ set_default: Flag }),
})
export type BankAccount = z.infer<typeof BankAccount>
export const BankAccounts = rows(BankAccount, 50)
