type Option = { value: string; label: string }

/**
 * Returns the bank accounts to choose from. When there are none because they could not be loaded, returns only the account that was
 * chosen in the form sent, named by its last four digits; undefined when none was chosen.
 */
export function bankOptions(registered: Option[] | undefined, typed: unknown): Option[] | undefined {
	const ending = typeof typed === 'string' ? /-(\d{4})$/.exec(typed)?.[1] : undefined
	if (registered?.length || typeof typed !== 'string' || !ending) return registered
	return [{ value: typed, label: `The account ending ${ending}` }]
}
