/*
 * The sandbox's clients. All fictional; numbers have valid shapes and belong to nobody. PANs: fourth letter P for a person, fifth the
 * surname's first.
 */
export interface Person {
	code: string
	first_name: string
	middle_name: string
	last_name: string
	pan: string
	dob: string
	gender: 'Female' | 'Male'
	father_name: string
	marital_status: 'Single' | 'Married' | 'Widowed' | 'Divorced'
	occupation: string
	annual_income: string
	email: string
	mobile: string
	/** Two lines, city, state, PIN code. */
	address: readonly [string, string, string, string, string]
	account_status: 'ACTIVE' | 'DORMANT'
	opened_on: string
	company_code: string
	activate_segment: string
	cdsl_bo_id: string
	ddpi_status: 'NOT_SIGNED' | 'PENDING' | 'ACTIVE'
}

const ALL_BOOKS = 'NSE_CASH,NSE_FNO,CD_NSE,MCX'
const ALL_SEGMENTS = 'Cash,Future & Options,Currency Derivatives,Mutual fund'

const active = { account_status: 'ACTIVE', ddpi_status: 'NOT_SIGNED' } as const

export const people: readonly Person[] = [
	{
		...active,
		code: 'DEMO01',
		first_name: 'Aarav',
		middle_name: 'Rajesh',
		last_name: 'Mehta',
		pan: 'BKQPM4821K',
		dob: '1986-03-14',
		gender: 'Male',
		father_name: 'Rajesh Kantilal Mehta',
		marital_status: 'Married',
		occupation: 'Private Sector Service',
		annual_income: '25 Lakh-1 Crore',
		email: 'aarav.mehta@example.com',
		mobile: '9820012345',
		address: ['B-1204, Saptarishi Heights', 'Link Road, Andheri West', 'Mumbai', 'Maharashtra', '400053'],
		opened_on: '2016-08-22',
		company_code: ALL_BOOKS,
		activate_segment: ALL_SEGMENTS,
		cdsl_bo_id: '1209990000100419',
	},
	{
		...active,
		code: 'CASH01',
		first_name: 'Kavita',
		middle_name: '',
		last_name: 'Hegde',
		pan: 'CVRPH7364M',
		dob: '1991-11-02',
		gender: 'Female',
		father_name: 'Raghunath Hegde',
		marital_status: 'Single',
		occupation: 'Professional',
		annual_income: '10-25 Lakh',
		email: 'kavita.hegde@example.com',
		mobile: '9886054321',
		address: ['17, 4th Cross', 'Malleshwaram', 'Bengaluru', 'Karnataka', '560003'],
		opened_on: '2021-06-15',
		company_code: 'NSE_CASH',
		activate_segment: 'Cash',
		cdsl_bo_id: '1209990000100427',
	},
	{
		...active,
		code: 'DORM01',
		first_name: 'Prakash',
		middle_name: 'Vinayak',
		last_name: 'Joshi',
		pan: 'AFZPJ5190H',
		dob: '1958-01-26',
		gender: 'Male',
		father_name: 'Vinayak Joshi',
		marital_status: 'Widowed',
		occupation: 'Retired',
		annual_income: '5-10 Lakh',
		email: 'prakash.joshi@example.com',
		mobile: '9422098765',
		address: ['Flat 3, Shree Niwas', 'Karve Road, Kothrud', 'Pune', 'Maharashtra', '411038'],
		account_status: 'DORMANT',
		opened_on: '2012-02-09',
		company_code: 'NSE_CASH,NSE_FNO',
		activate_segment: 'Cash,Future & Options',
		cdsl_bo_id: '1209990000100435',
	},
	{
		...active,
		code: 'DEBT01',
		first_name: 'Imran',
		middle_name: 'Yusuf',
		last_name: 'Shaikh',
		pan: 'DLWPS2087C',
		dob: '1983-07-09',
		gender: 'Male',
		father_name: 'Yusuf Shaikh',
		marital_status: 'Married',
		occupation: 'Business',
		annual_income: '10-25 Lakh',
		email: 'imran.shaikh@example.com',
		mobile: '9769043210',
		address: ['12, Noor Manzil', 'Mira Road East', 'Thane', 'Maharashtra', '401107'],
		opened_on: '2019-09-30',
		company_code: 'NSE_CASH,NSE_FNO,MCX',
		activate_segment: 'Cash,Future & Options',
		cdsl_bo_id: '1209990000100443',
	},
	{
		...active,
		code: 'CLOS01',
		first_name: 'Meenakshi',
		middle_name: '',
		last_name: 'Iyer',
		pan: 'AGTPI6642D',
		dob: '1979-05-30',
		gender: 'Female',
		father_name: 'Subramanian Iyer',
		marital_status: 'Married',
		occupation: 'Government Service',
		annual_income: '10-25 Lakh',
		email: 'meenakshi.iyer@example.com',
		mobile: '9840076543',
		address: ['8/2, Kamaraj Street', 'Mylapore', 'Chennai', 'Tamil Nadu', '600004'],
		opened_on: '2018-04-03',
		company_code: 'NSE_CASH',
		activate_segment: 'Cash',
		cdsl_bo_id: '1209990000100451',
	},
	{
		...active,
		code: 'NEW001',
		first_name: 'Rohan',
		middle_name: '',
		last_name: 'Das',
		pan: 'FXNPD9315B',
		dob: '2003-12-19',
		gender: 'Male',
		father_name: 'Subir Das',
		marital_status: 'Single',
		occupation: 'Student',
		annual_income: '1-5 Lakh',
		email: 'rohan.das@example.com',
		mobile: '7003056789',
		address: ['24B, Lake View Road', 'Ballygunge', 'Kolkata', 'West Bengal', '700029'],
		opened_on: '2026-10-28',
		company_code: 'NSE_CASH',
		activate_segment: 'Cash',
		cdsl_bo_id: '1209990000100468',
	},
	{
		...active,
		code: 'BULK01',
		first_name: 'Nilesh',
		middle_name: 'Harshad',
		last_name: 'Shah',
		pan: 'AHCPS1408J',
		dob: '1975-02-17',
		gender: 'Male',
		father_name: 'Harshad Shah',
		marital_status: 'Married',
		occupation: 'Business',
		annual_income: 'Above 1 Crore',
		email: 'nilesh.shah@example.com',
		mobile: '9821187654',
		address: ['501, Panchratna', 'Opera House', 'Mumbai', 'Maharashtra', '400004'],
		opened_on: '2010-11-11',
		company_code: 'NSE_CASH,NSE_FNO,MCX',
		activate_segment: 'Cash,Future & Options',
		cdsl_bo_id: '1209990000100476',
	},
]

const hdfc = { bank_name: 'HDFC BANK LTD', account_type: 'Savings' } as const

/** Bank accounts by client; exactly one of each client's is the default. */
export const bankAccounts = [
	{
		client: 'DEMO01',
		bank_acno: '50100042104821',
		...hdfc,
		branch: 'FORT MUMBAI',
		ifsc_code_act: 'HDFC0000060',
		micr_code: '400240015',
		set_default: true,
	},
	{
		client: 'DEMO01',
		bank_acno: '002401533917',
		bank_name: 'ICICI BANK LTD',
		branch: 'ANDHERI WEST',
		ifsc_code_act: 'ICIC0000024',
		micr_code: '400229010',
		account_type: 'Savings',
		set_default: false,
	},
	{
		client: 'CASH01',
		bank_acno: '64093177254',
		bank_name: 'STATE BANK OF INDIA',
		branch: 'MALLESHWARAM',
		ifsc_code_act: 'SBIN0003297',
		micr_code: '560002043',
		account_type: 'Savings',
		set_default: true,
	},
	{
		client: 'DORM01',
		bank_acno: '20118876341',
		bank_name: 'BANK OF MAHARASHTRA',
		branch: 'KOTHRUD',
		ifsc_code_act: 'MAHB0000852',
		micr_code: '411014021',
		account_type: 'Savings',
		set_default: true,
	},
	{
		client: 'DEBT01',
		bank_acno: '917020045518823',
		bank_name: 'AXIS BANK LTD',
		branch: 'MIRA ROAD',
		ifsc_code_act: 'UTIB0000642',
		micr_code: '400211061',
		account_type: 'Current',
		set_default: true,
	},
	{
		client: 'CLOS01',
		bank_acno: '6012875539',
		bank_name: 'INDIAN BANK',
		branch: 'MYLAPORE',
		ifsc_code_act: 'IDIB000M013',
		micr_code: '600019031',
		account_type: 'Savings',
		set_default: true,
	},
	{
		client: 'NEW001',
		bank_acno: '50100611908237',
		...hdfc,
		branch: 'BALLYGUNGE',
		ifsc_code_act: 'HDFC0000214',
		micr_code: '700240007',
		set_default: true,
	},
	{
		client: 'BULK01',
		bank_acno: '50200008827461',
		...hdfc,
		branch: 'OPERA HOUSE',
		ifsc_code_act: 'HDFC0000357',
		micr_code: '400240046',
		set_default: true,
	},
] as const

/** Nominees by client; shares sum to 100. CASH01 and NEW001 have none. */
export const nominees = [
	{ client: 'DEMO01', name: 'Ananya Mehta', relation: 'Spouse', pan: 'CJMPM7364L', dob: '1988-09-02', share: 60, guardian: null },
	{
		client: 'DEMO01',
		name: 'Vihaan Mehta',
		relation: 'Son',
		pan: 'HTRPM5190Q',
		dob: '2015-06-21',
		share: 40,
		guardian: { name: 'Ananya Mehta', relation: 'Mother', pan: 'CJMPM7364L' },
	},
	{ client: 'DORM01', name: 'Sanjay Joshi', relation: 'Son', pan: 'BNSPJ3321F', dob: '1987-04-18', share: 100, guardian: null },
	{ client: 'DEBT01', name: 'Nasreen Shaikh', relation: 'Spouse', pan: 'EKQPS8874R', dob: '1986-01-30', share: 100, guardian: null },
	{ client: 'CLOS01', name: 'Ramesh Iyer', relation: 'Spouse', pan: 'AQVPI2290G', dob: '1976-08-12', share: 100, guardian: null },
	{ client: 'BULK01', name: 'Hetal Shah', relation: 'Spouse', pan: 'AJLPS7705N', dob: '1978-10-05', share: 100, guardian: null },
] as const
