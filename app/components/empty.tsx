import { Link } from '@remix-run/react'

/** Nothing is there, and nothing is wrong: one sentence why, one link what to do. */
export function Empty({ text, action }: { text: string; action?: { href: string; label: string } }) {
	return (
		<div className="empty">
			<p>{text}</p>
			{action && (
				<p>
					<Link to={action.href}>{action.label}</Link>
				</p>
			)}
		</div>
	)
}
