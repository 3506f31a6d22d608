type Category = { code: string; label: string }

/** Returns the name of a category, with its code when the broker gives two categories the same name, or none. */
export function labelCategory(categories: readonly Category[], { code, label }: Category): string {
	const isClear = label !== '' && categories.filter((each) => each.label === label).length === 1
	return isClear ? label : `${code}: ${label}`
}
