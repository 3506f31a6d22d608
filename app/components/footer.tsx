import { formatDuration } from '~/lib/durations'
import { type Brand } from './brand'

/** The same help in the same place on every page. */
export function Footer({ brand, idleMs }: { brand: Brand; idleMs?: number }) {
	return (
		<footer className="foot">
			<p>{brand.name}</p>
			{brand.support.map(({ label, href }) => (
				<a key={href} href={href} rel="noopener">
					{label}
				</a>
			))}
			{brand.legal?.map((words) => (
				<p key={words}>{words}</p>
			))}
			{idleMs !== undefined && <p>You are logged out after {formatDuration(idleMs)} without activity.</p>}
		</footer>
	)
}
