import { bankAccounts } from './bank-accounts'

/** Banks that clients use most, by the first four letters of an IFSC, with the names of the Reserve Bank's register. */
const BANKS: Readonly<Record<string, string>> = {
	AUBL: 'AU SMALL FINANCE BANK LTD',
	BARB: 'BANK OF BARODA',
	BKID: 'BANK OF INDIA',
	CBIN: 'CENTRAL BANK OF INDIA',
	CITI: 'CITIBANK N A',
	CNRB: 'CANARA BANK',
	CSBK: 'CSB BANK LTD',
	DBSS: 'DBS BANK INDIA LTD',
	DCBL: 'DCB BANK LTD',
	ESFB: 'EQUITAS SMALL FINANCE BANK LTD',
	FDRL: 'FEDERAL BANK LTD',
	HDFC: 'HDFC BANK LTD',
	HSBC: 'HSBC BANK',
	IBKL: 'IDBI BANK LTD',
	ICIC: 'ICICI BANK LTD',
	IDFB: 'IDFC FIRST BANK LTD',
	IDIB: 'INDIAN BANK',
	INDB: 'INDUSIND BANK LTD',
	IOBA: 'INDIAN OVERSEAS BANK',
	JAKA: 'JAMMU AND KASHMIR BANK LTD',
	KARB: 'KARNATAKA BANK LTD',
	KKBK: 'KOTAK MAHINDRA BANK LTD',
	KVBL: 'KARUR VYSYA BANK LTD',
	MAHB: 'BANK OF MAHARASHTRA',
	PSIB: 'PUNJAB AND SIND BANK',
	PUNB: 'PUNJAB NATIONAL BANK',
	RATN: 'RBL BANK LTD',
	SBIN: 'STATE BANK OF INDIA',
	SCBL: 'STANDARD CHARTERED BANK',
	SIBL: 'SOUTH INDIAN BANK LTD',
	UBIN: 'UNION BANK OF INDIA',
	UCBA: 'UCO BANK',
	UTIB: 'AXIS BANK LTD',
	YESB: 'YES BANK LTD',
	ZZZZ: 'SANDBOX BANK',
}

/** The first four letters of a bank's IFSC codes, by its name; undefined for a bank that is not in the register. */
export function findBankCode(name: string): string | undefined {
	return Object.entries(BANKS).find(([, known]) => known === name)?.[0]
}

/** The IFSC that has no MICR code in the register, so that the portal asks the client for it. */
const IFSC_WITHOUT_MICR = 'ZZZZ0MICR01'

export type Branch = { bank_name: string; branch: string; /** Null when the client must enter it. */ micr_code: string | null }

/** The branch of an IFSC; undefined for an unknown bank. Branches without a client's account get a made-up MICR code. */
export function findBranch(ifsc: string): Branch | undefined {
	const prefix = ifsc.slice(0, 4)
	const bank_name = Object.hasOwn(BANKS, prefix) ? BANKS[prefix] : undefined
	if (bank_name === undefined) return undefined
	if (ifsc === IFSC_WITHOUT_MICR) return { bank_name, branch: 'NO MICR BRANCH', micr_code: null }
	const known = Object.values(bankAccounts)
		.flat()
		.find((account) => account.ifsc_code_act === ifsc)
	if (known) return { bank_name: known.bank_name, branch: known.branch, micr_code: known.micr_code }
	const bank = String(Object.keys(BANKS).indexOf(prefix) + 2).padStart(3, '0')
	const branch = String([...ifsc.slice(5)].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 999, 1)).padStart(3, '0')
	return { bank_name, branch: `BRANCH ${ifsc.slice(5)}`, micr_code: `400${bank}${branch}` }
}
