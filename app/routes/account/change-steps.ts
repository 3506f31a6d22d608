/**
 * Returns where the client is in a change of the account. A declaration of income is complete without an e-sign. For a bank account the
 * broker says only after the OTP if an e-sign is needed.
 */
export function tellStep(change: string, step: 1 | 2): string {
	if (change === 'bank') return `Step ${step}: details · OTP · e-sign if needed`
	return change === 'income' ? `Step ${step} of 2: details · OTP` : `Step ${step} of 3: details · OTP · e-sign`
}
