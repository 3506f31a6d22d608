import { type Paise } from '#contract/values/money'

/** Figures by name, with the places that show them. Lists those that differ between places, in words. */
export function createFigures() {
	const figures: { name: string; places: Record<string, Paise> }[] = []
	return {
		see: (name: string, places: Record<string, Paise>) => void figures.push({ name, places }),
		differing: () =>
			figures
				.filter(({ places }) => new Set(Object.values(places)).size !== 1 || Object.keys(places).length < 2)
				.map(({ name, places }) => `${name}: ${JSON.stringify(places)}`),
	}
}
