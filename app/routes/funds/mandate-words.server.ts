import { type Mandate } from '#contract/funds'
import { formatRupees } from '#contract/values/money'
import { type Receipt } from '~/forms/receipt.server'
import { nameCode, orDash } from '~/lib/unknown'
import { type Toast } from '~/session/toast.server'
import { MANDATE_STATUS, tellBank } from './fund-tables.server'

/* The texts about a mandate on the e-mandate page. */

/** Describes the mandate that a form can cancel. */
export function describeEnding({ reference, amount, bank_name, bank_acno }: Mandate) {
	return { reference, words: `${orDash(amount, formatRupees)} from ${tellBank({ bank_name, bank_acno })}, reference ${reference}` }
}

/** For a client who is back from the bank, when the list of the broker does not have the mandate. */
export function describeReceipt({ lines }: Receipt): Toast {
	const what = lines.map(({ value }) => value).join('. ')
	return {
		kind: 'info',
		message: `You are back from your bank’s page. A mandate that you confirmed there begins when your bank has registered it. ${what}.`,
	}
}

/** For a client who is back from the bank: describes the state of the mandate. */
export function describeMandate({ status, remarks, reference, umrn }: Mandate): Toast {
	const tail = `Reference ${reference}.`
	const why = remarks ? `${remarks.replace(/\.$/, '')}. ` : ''
	if (status === 'ACTIVE') return { kind: 'success', message: `The mandate is active.${umrn ? ` UMRN ${umrn}.` : ''} ${tail}` }
	if (status === 'AT_BANK')
		return { kind: 'success', message: `You confirmed the mandate. Your bank registers it by the next working day. ${tail}` }
	if (status === 'STARTED') return { kind: 'info', message: `The mandate has not been confirmed at your bank yet. ${tail}` }
	const kind = status === 'REJECTED' ? 'error' : 'info'
	const state =
		status !== null && Object.hasOwn(MANDATE_STATUS, status)
			? `is ${nameCode(MANDATE_STATUS, status).toLowerCase()}`
			: `has the status ${nameCode({}, status)}`
	return { kind, message: `The mandate ${state}. ${why}${tail}` }
}
