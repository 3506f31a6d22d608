import { type Profile } from '#contract/profile'

/** Not one of the segments that the broker names: it is a company code of the client. */
export const COMMODITY = 'Commodity'

/** The segments in which the client can trade, as the broker writes them. */
export function listActiveSegments({ activate_segment, company_code }: Profile['dp_details']): string[] {
	const names = activate_segment
		.split(',')
		.map((name) => name.trim())
		.filter(Boolean)
	const codes = company_code.split(',').map((code) => code.trim())
	const isNamed = names.some((name) => name.toLowerCase() === COMMODITY.toLowerCase())
	return codes.includes('MCX') && !isNamed ? [...names, COMMODITY] : names
}
