const TONES = ['[--hue:5]', '[--hue:65]', '[--hue:125]', '[--hue:185]', '[--hue:245]', '[--hue:335]'] as const

/** Returns the class of a colour. The same name has the same colour on every page and device. */
function pickAvatarTone(name: string): string {
	let sum = 0
	for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
	return TONES[sum % TONES.length] ?? TONES[0]
}

/** Decoration: the name is written out beside it. */
export function Avatar({ name }: { name: string }) {
	return (
		<span
			className={`grid size-9 place-items-center rounded-full bg-[oklch(46%_0.1_var(--hue))] font-semibold text-white ${pickAvatarTone(name)}`}
			aria-hidden="true"
		>
			{[...name.trim()][0]?.toUpperCase() ?? '?'}
		</span>
	)
}
