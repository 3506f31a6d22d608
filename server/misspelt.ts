import { distance } from 'fastest-levenshtein'
import { SETTING_NAMES } from '~/config/parse-settings.server'

/** A shorter name is near to too many words. */
const SHORTEST = 6
const LONG = 8

/**
 * The variables that are nearly a setting of the portal, each with the setting's name: `BRAND_COLOR`, `broker_url`, `REDIS_URI`. At most
 * two letters differ, in a name of less than eight at most one.
 */
export function findMisspelt(given: readonly string[]): { name: string; meant: string }[] {
	const known: ReadonlySet<string> = new Set(SETTING_NAMES)
	return given.flatMap((name) => {
		if (known.has(name)) return []
		const near = SETTING_NAMES.filter((meant) => meant.length >= SHORTEST)
			.map((meant) => ({ name, meant, letters: distance(name.toUpperCase(), meant) }))
			.filter(({ meant, letters }) => letters <= (meant.length < LONG ? 1 : 2))
		const [nearest] = near.sort((one, other) => one.letters - other.letters)
		return nearest ? [{ name, meant: nearest.meant }] : []
	})
}
