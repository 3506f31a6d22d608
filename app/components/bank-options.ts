type Option = { value: string; label: string }

/**
 * Returns the bank accounts to choose from. When there are none (the call failed), returns only the account chosen in the form that was
 * sent, named by its last four digits; without a chosen account, returns `registered` as it is.
 */
export function bankOptions(registered: Option[] | undefined, typed: unknown): Option[] | undefined {
	const ending = typeof typed === 'string' ? /-(\d{4})$/.exec(typed)?.[1] : undefined
	if (registered?.length || typeof typed !== 'string' || !ending) return registered
	return [{ value: typed, label: `The account ending ${ending}` }]
}
