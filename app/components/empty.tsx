import { Unbroken } from './unbroken'

/** Shown when there is no data and no error: one sentence that says why, and one link to go on. */
export function Empty({ text, action }: { text: string; action?: { href: string; label: string } }) {
	return (
		<div className="text-muted *:first:text-base-content py-2">
			<p>
				<Unbroken text={text} />
			</p>
			{action && (
				<p>
					<a href={action.href}>{action.label}</a>
				</p>
			)}
		</div>
	)
}
