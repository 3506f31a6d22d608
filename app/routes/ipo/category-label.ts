type Category = { code: string; label: string }

/** Returns the name of a category without its limits: `High net worth` from `High net worth (above ₹ 2 lakh)`. */
export const removeLimits = (label: string): string => label.replace(/ \(.*\)$/, '')

/** The application that already uses a category: in which one it was made, and whether in this one. */
export type Used = { name: string; isSame: boolean }

/** Returns the name of a category, with its code when the broker gives two categories the same name, or none. */
export function labelCategory(categories: readonly Category[], { code, label }: Category): string {
	const isClear = label !== '' && categories.filter((each) => each.label === label).length === 1
	return isClear ? label : `${code}: ${label}`
}

/** Returns the same for a choice: with what already uses the category, when it takes no further application. */
export function labelChoice(categories: readonly Category[], { used, ...category }: Category & { used?: Used }): string {
	const label = labelCategory(categories, category)
	return used ? `${label}: already applied${used.isSame ? '' : ` as ${used.name}`}` : label
}
