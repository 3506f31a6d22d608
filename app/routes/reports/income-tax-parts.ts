export const ADVICE = 'Not tax advice. Check with your Annual Information Statement\u00a0(AIS).'

/** The parts of the page that have a link at its top. */
export const PARTS = {
	estimate: { title: 'How the estimate is made up', anchor: 'estimate', link: 'Estimate' },
	exemption: { title: 'Exemption and taxes paid', anchor: 'exemption', link: 'Exemption' },
	windows: { title: 'Advance tax: gains by window', anchor: 'advance-tax', link: 'Advance tax' },
	setOff: { title: 'Set-off of losses', anchor: 'set-off', link: 'Set-off' },
	losses: { title: 'Losses carried forward', anchor: 'losses', link: 'Losses' },
	lots: { title: 'Lots sold', anchor: 'lots', link: 'Lots sold' },
	dividends: { title: 'Dividends', anchor: 'dividends', link: 'Dividends' },
	turnover: { title: 'Turnover', anchor: 'turnover', link: 'Turnover' },
} as const

/** Returns the parts that a year has. */
export function listParts(has: Partial<Record<keyof typeof PARTS, unknown>>) {
	return Object.entries(PARTS).flatMap(([name, part]) => (has[name as keyof typeof PARTS] ? [part] : []))
}
