/** Returns where the client is in a change of the account. Only a declaration of income is complete without an e-sign. */
export function tellStep(change: string, step: 1 | 2): string {
	return change === 'income' ? `Step ${step} of 2: details · OTP` : `Step ${step} of 3: details · OTP · e-sign`
}
