import { Icon } from './icon'

export type TaskLine = { id: string; label: string; isDone: boolean; words: string; link?: { href: string; label: string } }

/** What has to be done first: each with its figure, whether it is done, and where it is done. */
export function TaskList({ tasks }: { tasks: readonly TaskLine[] }) {
	return (
		<ul className="tasks">
			{tasks.map(({ id, label, isDone, words, link }) => (
				<li key={id} className={isDone ? 'done' : undefined}>
					<span className="state">
						<Icon name={isDone ? 'done' : 'alert'} />
						<b>{isDone ? 'Done' : 'To do'}</b>
					</span>
					<span className="what">
						<span>{label}</span>
						<span className="small text-muted">{words}</span>
					</span>
					{link && (
						<a href={link.href}>
							{link.label}
							<span className="sr-only">: {label}</span>
						</a>
					)}
				</li>
			))}
		</ul>
	)
}
