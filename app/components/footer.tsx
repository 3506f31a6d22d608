import { type Brand } from './brand'

/** The same help in the same place on every page. */
export function Footer({ brand, idleMs }: { brand: Brand; idleMs?: number }) {
	const hours = idleMs === undefined ? 0 : Math.round(idleMs / 3_600_000)
	return (
		<footer className="foot">
			<p>{brand.name}</p>
			{brand.support.map(({ label, href }) => (
				<a key={href} href={href} rel="noopener">
					{label}
				</a>
			))}
			{hours > 0 && <p>You are logged out after {hours === 1 ? 'an hour' : `${hours} hours`} without activity.</p>}
		</footer>
	)
}
