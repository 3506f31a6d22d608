/** The steps of a change, unless they are details, OTP and e-sign. A declaration of income is complete without an e-sign. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
	income: ['details', 'OTP'],
	closure: ['details', 'check', 'e-sign'],
	transfer: ['details', 'new account', 'check', 'e-sign'],
}

/**
 * Returns where the client is in a change of the account. For a bank account the broker says only after the OTP if an e-sign is needed.
 */
export function tellStep(change: string, step: 1 | 2 | 3): string {
	if (change === 'bank') return `Step ${step}: details · OTP · e-sign if needed`
	const steps = STEPS[change] ?? ['details', 'OTP', 'e-sign']
	return `Step ${step} of ${steps.length}: ${steps.join(' · ')}`
}
