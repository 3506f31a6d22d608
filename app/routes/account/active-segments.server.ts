import { type Profile } from '#contract/profile'

/** The broker does not name this segment: a company code of the client stands for it. */
export const COMMODITY = 'Commodity'

/** The order on pages: what most clients trade first. */
export const SEGMENT_ORDER = ['Cash', 'Future & Options', 'Currency Derivatives', COMMODITY, 'Mutual fund', 'SLBM']

function findPlace(name: string): number {
	const place = SEGMENT_ORDER.findIndex((known) => known.toLowerCase() === name.toLowerCase())
	return place < 0 ? SEGMENT_ORDER.length : place
}

/** Returns the segments in which the client can trade, in the words of the broker. */
export function listActiveSegments({ activate_segment, company_code }: Profile['dp_details']): string[] {
	const names = activate_segment
		.split(',')
		.map((name) => name.trim())
		.filter(Boolean)
	const isNamed = names.some((name) => name.toLowerCase() === COMMODITY.toLowerCase())
	const all = company_code?.split(',').includes('MCX') && !isNamed ? [...names, COMMODITY] : names
	return all.toSorted((one, other) => findPlace(one) - findPlace(other))
}
