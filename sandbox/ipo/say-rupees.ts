import { type Paise } from '#contract/values/money'

const SMALL =
	'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
		' ',
	)
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const UNITS = [
	[1_00_00_000, 'crore'],
	[1_00_000, 'lakh'],
	[1000, 'thousand'],
	[100, 'hundred'],
] as const

function say(number: number): string {
	for (const [unit, name] of UNITS) {
		if (number < unit) continue
		const rest = number % unit
		return `${say(Math.floor(number / unit))} ${name}${rest > 0 ? ` ${say(rest)}` : ''}`
	}
	if (number < 20) return SMALL[number] ?? ''
	const rest = number % 10
	return `${TENS[Math.floor(number / 10)]}${rest > 0 ? `-${SMALL[rest]}` : ''}`
}

/** An amount in words, as on a bank's form: `Rupees five lakh twenty-nine thousand seven hundred forty and fifty paise`. */
export function sayRupees(amount: Paise): string {
	const paise = amount % 100
	return `Rupees ${say(Math.floor(amount / 100))}${paise > 0 ? ` and ${say(paise)} paise` : ''}`
}
