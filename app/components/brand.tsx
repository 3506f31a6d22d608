import { type Brand, useRoot } from './use-root'

/** 175 px wide. A broker without a logo gets its name as text: a long one is smaller, has more room, and takes more lines. */
export function Logo({ brand: { name, logo, logoDark } }: { brand: Brand }) {
	const { theme } = useRoot()
	if (logo)
		return (
			<picture>
				{logoDark && theme === 'system' && <source media="(prefers-color-scheme: dark)" srcSet={logoDark} />}
				<img src={(theme === 'dark' && logoDark) || logo} alt={name} width={175} className="max-h-10 object-contain object-left" />
			</picture>
		)
	const size = name.length > 20 ? 'text-xs/4 tracking-[-0.01em]' : name.length > 11 ? 'text-[1rem]/5' : 'text-[1.375rem]/10'
	return (
		<span className="flex min-h-10 max-w-60 items-center gap-2.5">
			<svg width="31" height="40" viewBox="0 0 31 40" aria-hidden className="flex-none">
				<rect x="1" y="5" width="30" height="30" rx="6" className="fill-primary" />
				<path
					d="M8 14h10M8 20h6M8 26h4M15 27l4.5-5 3.5 2.500 3-4"
					fill="none"
					className="stroke-primary-content"
					strokeWidth="2"
					strokeLinecap="round"
					strokeLinejoin="round"
				/>
			</svg>
			<span className={`min-w-0 font-semibold wrap-anywhere text-balance ${size}`}>{name}</span>
		</span>
	)
}
