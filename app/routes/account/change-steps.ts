import { CHANGE_STEPS } from '~/forms/change-pages'

/** The steps of a change, unless they are details, OTP and e-sign. A declaration of income is complete without an e-sign. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
	income: ['details', 'OTP'],
	bank: ['details', 'OTP', 'e-sign if needed'],
	closure: ['details', 'check', 'e-sign'],
	transfer: ['details', 'new account', 'check', 'e-sign'],
}

/** Returns the steps of a change of the account. For a bank account the broker says only after the OTP if an e-sign is needed. */
export function listSteps(change: string) {
	return { steps: STEPS[change] ?? CHANGE_STEPS, isUncounted: change === 'bank' }
}
