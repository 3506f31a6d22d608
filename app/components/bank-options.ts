type Option = { value: string; label: string }

/**
 * The accounts to choose from. While they cannot be loaded, a form that is shown again keeps the one that was chosen in it, by its last four
 * digits; undefined when there is none.
 */
export function bankOptions(registered: Option[] | undefined, typed: unknown): Option[] | undefined {
	const ending = typeof typed === 'string' ? /-(\d{4})$/.exec(typed)?.[1] : undefined
	if (registered?.length || typeof typed !== 'string' || !ending) return registered
	return [{ value: typed, label: `The account ending ${ending}` }]
}
