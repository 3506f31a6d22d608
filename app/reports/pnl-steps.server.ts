import { formatAmount, formatGain, type Paise } from '#contract/values/money'

/** Returns what leads from Realised to Net on a phone: `Unrealised +1,234.00 · Charges 12.00`. A part that is 0 is left out. */
export const tellSteps = ({ UNREALISED, CHARGES }: { UNREALISED: Paise | null; CHARGES: Paise | null }) =>
	[UNREALISED && `Unrealised\u00a0${formatGain(UNREALISED)}`, CHARGES && `Charges\u00a0${formatAmount(CHARGES)}`]
		.filter(Boolean)
		.join(' · ')
		.replaceAll('₹ ', '') || undefined

/** On a phone the foot says the same as the rows below the name. */
export const BELOW_TOTAL = [
	{ key: 'unrealised', name: 'Unrealised' },
	{ key: 'charges', name: 'Charges' },
]
