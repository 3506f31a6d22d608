/*
 * Bank accounts and nominees of the clients in people.ts. They are fictional, in valid formats. Branch codes have the format of real
 * ones.
 */
export interface BankAccount {
	bank_acno: string
	bank_name: string
	branch: string
	ifsc_code_act: string
	micr_code: string
	account_type: 'Savings' | 'Current'
	set_default: boolean
}

/** Bank accounts by client; exactly one of each client's is the default. */
export const bankAccounts: Readonly<Record<string, readonly BankAccount[]>> = {
	DEMO01: [
		{
			bank_acno: '50100042104821',
			bank_name: 'HDFC BANK LTD',
			account_type: 'Savings',
			branch: 'FORT MUMBAI',
			ifsc_code_act: 'HDFC0000060',
			micr_code: '400240015',
			set_default: true,
		},
		{
			bank_acno: '002401533917',
			bank_name: 'ICICI BANK LTD',
			branch: 'ANDHERI WEST',
			ifsc_code_act: 'ICIC0000024',
			micr_code: '400229010',
			account_type: 'Savings',
			set_default: false,
		},
	],
	CASH01: [
		{
			bank_acno: '64093177254',
			bank_name: 'STATE BANK OF INDIA',
			branch: 'MALLESHWARAM',
			ifsc_code_act: 'SBIN0003297',
			micr_code: '560002043',
			account_type: 'Savings',
			set_default: true,
		},
	],
	DORM01: [
		{
			bank_acno: '20118876341',
			bank_name: 'BANK OF MAHARASHTRA',
			branch: 'KOTHRUD',
			ifsc_code_act: 'MAHB0000852',
			micr_code: '411014021',
			account_type: 'Savings',
			set_default: true,
		},
	],
	DEBT01: [
		{
			bank_acno: '917020045518823',
			bank_name: 'AXIS BANK LTD',
			branch: 'MIRA ROAD',
			ifsc_code_act: 'UTIB0000642',
			micr_code: '400211061',
			account_type: 'Current',
			set_default: true,
		},
	],
	CLOS01: [
		{
			bank_acno: '6012875539',
			bank_name: 'INDIAN BANK',
			branch: 'MYLAPORE',
			ifsc_code_act: 'IDIB000M013',
			micr_code: '600019031',
			account_type: 'Savings',
			set_default: true,
		},
	],
	NEW001: [
		{
			bank_acno: '50100611908237',
			bank_name: 'HDFC BANK LTD',
			account_type: 'Savings',
			branch: 'BALLYGUNGE',
			ifsc_code_act: 'HDFC0000214',
			micr_code: '700240007',
			set_default: true,
		},
	],
	BULK01: [
		{
			bank_acno: '50200008827461',
			bank_name: 'HDFC BANK LTD',
			account_type: 'Savings',
			branch: 'OPERA HOUSE',
			ifsc_code_act: 'HDFC0000357',
			micr_code: '400240046',
			set_default: true,
		},
	],
}

/** The first letters of the IFSC of the broker's own bank. */
export const HOUSE_BANK = 'HDFC'

/** Accounts that were a client's default before the present one, and their last day as the default. */
export const earlierDefaults: Readonly<Record<string, { bank_acno: string; until: string }>> = {
	DEMO01: { bank_acno: '002401533917', until: '2023-03-31' },
}

/** The account to which a client was paid on a day of the history. Throws RangeError for a client without one. */
export function findAccountOn(client: string, day: string): BankAccount {
	const own = bankAccounts[client] ?? []
	const earlier = earlierDefaults[client]
	const isEarlier = earlier !== undefined && day <= earlier.until
	const account = own.find(({ bank_acno, set_default }) => (isEarlier ? bank_acno === earlier.bank_acno : set_default))
	if (!account) throw new RangeError(`${client} has no bank account`)
	return account
}

export interface Nominee {
	name: string
	relation: string
	pan: string
	dob: string
	share: number
	guardian: { name: string; relation: string; pan: string } | null
}

/** Nominees by client; shares sum to 100. CASH01 and NEW001 have none. */
export const nominees: Readonly<Record<string, readonly Nominee[]>> = {
	DEMO01: [
		{ name: 'Ananya Mehta', relation: 'Spouse', pan: 'CJMPM7364L', dob: '1988-09-02', share: 60, guardian: null },
		{
			name: 'Vihaan Mehta',
			relation: 'Son',
			pan: 'HTRPM5190Q',
			dob: '2015-06-21',
			share: 40,
			guardian: { name: 'Ananya Mehta', relation: 'Mother', pan: 'CJMPM7364L' },
		},
	],
	DORM01: [{ name: 'Sanjay Joshi', relation: 'Son', pan: 'BNSPJ3321F', dob: '1987-04-18', share: 100, guardian: null }],
	DEBT01: [{ name: 'Nasreen Shaikh', relation: 'Spouse', pan: 'EKQPS8874R', dob: '1986-01-30', share: 100, guardian: null }],
	CLOS01: [{ name: 'Ramesh Iyer', relation: 'Spouse', pan: 'AQVPI2290G', dob: '1976-08-12', share: 100, guardian: null }],
	BULK01: [{ name: 'Hetal Shah', relation: 'Spouse', pan: 'AJLPS7705N', dob: '1978-10-05', share: 100, guardian: null }],
}
