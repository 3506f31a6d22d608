import { type Paise } from '#contract/values/money'

/** Collects figures by name, with the places that show them. Describes the figures that differ between places. */
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
