import { createHash } from 'node:crypto'
import { nominees } from '#sandbox/reference-data/bank-accounts'
import { people } from '#sandbox/reference-data/people'

const FIRST_NAMES = ['AARTI', 'ANIL', 'DEEPA', 'FARHAN', 'GEETA', 'HARISH', 'KIRAN', 'LATA', 'MANISH', 'NEHA', 'RAVI', 'SUNITA', 'VIJAY']
const SURNAMES =
	'AGARWAL BHAT CHOPRA DESAI ERANDE FERNANDES GUPTA HEGDE IYER JOSHI KAPOOR LAL MENON NAIR OJHA PATEL QURESHI RAO SHARMA THAKUR UPADHYAY VERMA WAGH XAVIER YADAV ZAVERI'.split(
		' ',
	)

/** Names of people known to the sandbox, by PAN. */
const KNOWN = new Map<string, string>([
	...people.map(
		({ pan, first_name, middle_name, last_name }) => [pan, [first_name, middle_name, last_name].filter(Boolean).join(' ')] as const,
	),
	...Object.values(nominees)
		.flat()
		.map(({ pan, name }) => [pan, name] as const),
])

/**
 * The name registered for a PAN, in capitals; undefined when it is not registered. A PAN that ends in Z, or whose fourth letter is not P
 * (a person), is not registered. Others get a made-up name whose surname begins with the PAN's fifth letter.
 */
export function findPanHolder(pan: string): string | undefined {
	const known = KNOWN.get(pan)
	if (known) return known.toUpperCase()
	if (pan.endsWith('Z') || pan[3] !== 'P') return undefined
	const at = createHash('sha256').update(pan).digest().readUInt16BE() % FIRST_NAMES.length
	return `${FIRST_NAMES[at]} ${SURNAMES.find((surname) => surname.startsWith(pan[4] ?? '')) ?? ''}`.trim()
}
