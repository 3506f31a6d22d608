import { Icon } from './icon'

const LOOKS: Record<string, string | undefined> = { 'Under way': 'under-way', Overdue: 'overdue' }

type Line = { id: string; words: string; state: string; due?: string; link?: { href: string; label: string } }

/** What a person has to do, the nearest deadline first, each with the place where it is done. */
export function AttentionList({ lines }: { lines: readonly Line[] }) {
	return (
		<ul className="tasks attention">
			{lines.map(({ id, words, state, due, link }) => (
				<li key={id} className={LOOKS[state]}>
					<span className="state">
						<Icon name={state === 'Under way' ? 'info' : 'alert'} />
						<b>{state}</b>
					</span>
					<span className="what">
						<span>{words}</span>
						{due && <span className="small text-muted">{`${due.charAt(0).toUpperCase()}${due.slice(1)}`}</span>}
					</span>
					{link && (
						<a href={link.href}>
							{link.label}
							<span className="sr-only">: {words}</span>
						</a>
					)}
				</li>
			))}
		</ul>
	)
}
