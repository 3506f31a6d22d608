import { NavLink } from '@remix-run/react'

/** Pages of one area, each with its own address. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly { href: string; label: string }[] }) {
	return (
		<nav className="tabs" aria-label={label}>
			{tabs.map(({ href, label }) => (
				<NavLink key={href} to={href} end>
					{label}
				</NavLink>
			))}
		</nav>
	)
}
