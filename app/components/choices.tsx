import { Fragment } from 'react'

type Props = { label: string; choices: readonly { label: string; href: string; isCurrent: boolean }[]; className?: string }

/** Links of which one is chosen, such as periods or segments. */
export function Choices({ label, choices, className = '' }: Props) {
	return (
		<nav aria-label={label} className={`flex flex-wrap gap-x-3 text-xs print:hidden ${className}`}>
			{choices.map((choice) => (
				<Fragment key={choice.label}>
					<a
						href={choice.href}
						data-keep-scroll
						aria-current={choice.isCurrent || undefined}
						className="py-2.5 max-sm:py-3 aria-[current]:font-semibold"
					>
						{choice.label}
					</a>{' '}
				</Fragment>
			))}
		</nav>
	)
}
