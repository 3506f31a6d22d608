import { randomBytes, randomInt } from 'node:crypto'
import { type Day, today } from '~/lib/days'

const compact = (day: Day) => day.slice(2).replaceAll('-', '')
const digits = (count: number) => String(randomInt(10 ** count)).padStart(count, '0')

/** `PI261121-4F09A2`: what it is, the day, and six letters that nobody guesses. */
export function newReference(prefix: 'PI' | 'PO' | 'EM', now: Date): string {
	return `${prefix}${compact(today(now))}-${randomBytes(3).toString('hex').toUpperCase()}`
}

/** What a page of the sandbox is opened with: known to this client alone. */
export function newToken(): string {
	return randomBytes(32).toString('base64url')
}

/** The bank's own number of a payment: twelve digits of UPI, or `HDFCN26112104821` of a transfer. */
export function newUtr(mode: 'UPI' | 'BANK', now: Date): string {
	const day = today(now)
	return mode === 'UPI' ? `${day.slice(3, 4)}${day.slice(5).replace('-', '')}${digits(7)}` : `HDFCN${compact(day)}${digits(5)}`
}

/** Unique mandate reference number of the clearing house: bank, then digits. */
export function newUmrn(bank: string, now: Date): string {
	return `${bank.slice(0, 4)}7${compact(today(now))}${digits(9)}`
}
