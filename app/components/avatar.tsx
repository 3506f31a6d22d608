const TONES = ['hue-0', 'hue-1', 'hue-2', 'hue-3', 'hue-4', 'hue-5', 'hue-6', 'hue-7', 'hue-8', 'hue-9', 'hue-10', 'hue-11'] as const

/** The same name has the same colour on every page and device. */
export function pickAvatarTone(name: string): string {
	let sum = 0
	for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
	return TONES[sum % TONES.length] ?? TONES[0]
}

/** Decoration: the name is written out beside it. */
export function Avatar({ name }: { name: string }) {
	return (
		<span className={`avatar ${pickAvatarTone(name)}`} aria-hidden="true">
			{[...name.trim()][0]?.toUpperCase() ?? '?'}
		</span>
	)
}
