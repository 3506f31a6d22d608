/*
 * The sandbox's clients. All are fictional; numbers have valid formats and belong to nobody. PANs: the fourth letter is P for a person,
 * the fifth is the surname's first.
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
