import { type Profile } from '#contract/profile'

/** The broker does not name this segment: a company code of the client stands for it. */
export const COMMODITY = 'Commodity'

/** Returns the segments in which the client can trade, in the words of the broker. */
export function listActiveSegments({ activate_segment, company_code }: Profile['dp_details']): string[] {
	const names = activate_segment
		.split(',')
		.map((name) => name.trim())
		.filter(Boolean)
	const codes = company_code.split(',').map((code) => code.trim())
	const isNamed = names.some((name) => name.toLowerCase() === COMMODITY.toLowerCase())
	return codes.includes('MCX') && !isNamed ? [...names, COMMODITY] : names
}
