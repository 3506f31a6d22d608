import { type BankAccount, bankAccounts, type Nominee, nominees } from '#sandbox/reference-data/bank-accounts'
import { people } from '#sandbox/reference-data/people'

/** personal_details, dp_details, nominees and banks as in the contract, with full numbers; responses mask them. */
export interface StoredProfile {
	personal_details: {
		client_code: string
		first_name: string
		middle_name: string
		last_name: string
		pan: string
		dob: string
		gender: 'Female' | 'Male' | 'Transgender'
		father_name: string
		marital_status: 'Single' | 'Married' | 'Widowed' | 'Divorced'
		occupation: string
		annual_income: string
		email: string
		mobile: string
		address: { line1: string; line2: string; line3: string; city: string; state: string; pincode: string }
		account_status: 'ACTIVE' | 'DORMANT'
		opened_on: string
		kyc_status: string
		last_trade_date: string | null
	}
	dp_details: {
		company_code: string
		activate_segment: string
		cdsl_bo_id: string | null
		nsdl_bo_id: string | null
		dp_name: string
		ddpi_status: 'NOT_SIGNED' | 'PENDING' | 'ACTIVE'
	}
	nominees: readonly Nominee[]
	banks: readonly BankAccount[]
}

/** A client's profile from reference-data/people.ts. The seed fills in the last trade day. Throws RangeError for an unknown code. */
export function createProfile(code: string): StoredProfile {
	const person = people.find((each) => each.code === code)
	if (!person) throw new RangeError(`Nobody is ${code}`)
	const { address, account_status, company_code, activate_segment, cdsl_bo_id, ddpi_status, code: client_code, ...rest } = person
	const [line1, line2, city, state, pincode] = address
	return {
		personal_details: {
			client_code,
			...rest,
			address: { line1, line2, line3: '', city, state, pincode },
			account_status,
			kyc_status: account_status === 'DORMANT' ? 'KYC ON HOLD' : 'KYC VALIDATED',
			last_trade_date: null,
		},
		dp_details: { company_code, activate_segment, cdsl_bo_id, nsdl_bo_id: null, dp_name: 'Khata Sandbox Broking Ltd.', ddpi_status },
		nominees: nominees[code] ?? [],
		banks: bankAccounts[code] ?? [],
	}
}
