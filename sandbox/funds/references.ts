import { randomBytes, randomInt } from 'node:crypto'
import { type Day, toIndianDay } from '#contract/values/dates'
import { HOUSE_BANK } from '#sandbox/reference-data/bank-accounts'
import { formatUpiNumber, formatUtr } from '#sandbox/rules/utr'

const timeInIndia = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Kolkata', hour: '2-digit', hourCycle: 'h23' })

const compact = (day: Day) => day.slice(2).replaceAll('-', '')
const digits = (count: number) => String(randomInt(10 ** count)).padStart(count, '0')

/** `PI261121-4F09A2`: the kind, the day, and six random characters. */
export function createReference(prefix: 'PI' | 'PO' | 'EM', now: Date): string {
	return `${prefix}${compact(toIndianDay(now))}-${randomBytes(3).toString('hex').toUpperCase()}`
}

/** The token of a page of the sandbox. Only this client knows it. */
export function newToken(): string {
	return randomBytes(32).toString('base64url')
}

/** The bank's number of a payment: a UPI number, or the UTR of a transfer from the bank whose IFSC begins with `bank`. */
export function createUtr(mode: 'UPI' | 'BANK', now: Date, bank = HOUSE_BANK): string {
	const day = toIndianDay(now)
	const running = randomInt(1_000_000)
	return mode === 'UPI' ? formatUpiNumber(day, Number(timeInIndia.format(now)), running) : formatUtr(bank, day, running)
}

/** Unique mandate reference number (UMRN) of the clearing house: the bank's letters, then digits. */
export function createUmrn(bank: string, now: Date): string {
	return `${bank.slice(0, 4)}7${compact(toIndianDay(now))}${digits(9)}`
}
