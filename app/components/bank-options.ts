type Option = { value: string; label: string }

/**
 * The accounts to choose from. When they cannot be loaded, a form shown again keeps the account chosen in it, by its last four digits;
 * undefined when none was chosen.
 */
export function bankOptions(registered: Option[] | undefined, typed: unknown): Option[] | undefined {
	const ending = typeof typed === 'string' ? /-(\d{4})$/.exec(typed)?.[1] : undefined
	if (registered?.length || typeof typed !== 'string' || !ending) return registered
	return [{ value: typed, label: `The account ending ${ending}` }]
}
