type Names = Record<'first_name' | 'middle_name' | 'last_name', string | null | undefined>

/** The client's whole name; empty when the broker gave no part of it. */
export function joinName({ first_name, middle_name, last_name }: Names): string {
	return [first_name, middle_name, last_name].filter(Boolean).join(' ')
}
