import { CHANGE_STEPS } from '~/forms/change-pages'

/** The steps of a change, unless they are details, OTP and e-sign. A declaration of income is complete without an e-sign. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
	income: ['details', 'OTP'],
	bank: ['details', 'OTP', 'e-sign if needed'],
	closure: ['details', 'check', 'e-sign'],
	transfer: ['details', 'new account', 'check', 'e-sign'],
}

export const ADD_BANK = 'Add bank account'
export const ADD_SEGMENT = 'Add a segment'

/** The heading of the form, where it does not only change a value: then the page's heading says enough. */
export const findFormTitle = (change: string) => (change === 'bank' ? ADD_BANK : change === 'segments' ? ADD_SEGMENT : undefined)

/** Returns the steps of a change of the account. For a bank account the broker says only after the OTP if an e-sign is needed. */
export function listSteps(change: string) {
	return { steps: STEPS[change] ?? CHANGE_STEPS, isUncounted: change === 'bank' }
}
