/** Comes from configuration, so a broker sets its name without touching code. */
export type Brand = {
	name: string
	logo?: string
	/** Contacts for a client who needs help. */
	support: readonly { label: string; href: string }[]
	/** The entry of `support` that is the phone number. */
	phone?: { label: string; href: string }
	/** Where a client complains about the broker. */
	complaints?: { label: string; href: string }
	/** The rule that a new password must follow. */
	passwordRule?: string
	/** Texts that the regulator requires on every page, one sentence each. */
	legal?: readonly string[]
}

/** 175 px wide. A broker without a logo gets its name as text. */
export function Logo({ brand }: { brand: Brand }) {
	if (brand.logo) return <img src={brand.logo} alt={brand.name} width={175} className="max-h-10" />
	return (
		<svg width="175" height="40" viewBox="0 0 175 40" role="img" aria-label={brand.name}>
			<rect x="1" y="5" width="30" height="30" rx="6" className="fill-primary" />
			<path
				d="M8 14h10M8 20h6M8 26h4M15 27l4.5-5 3.5 2.500 3-4"
				fill="none"
				className="stroke-primary-content"
				strokeWidth="2"
				strokeLinecap="round"
				strokeLinejoin="round"
			/>
			<text
				x="42"
				y="27"
				fill="currentColor"
				fontSize="22"
				fontWeight="600"
				textLength={brand.name.length > 11 ? 131 : undefined}
				lengthAdjust="spacingAndGlyphs"
			>
				{brand.name}
			</text>
		</svg>
	)
}
