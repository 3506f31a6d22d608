import { useId } from 'react'
import { Icon } from '~/components/icon'

const LOOKS: Record<string, string | undefined> = { 'Under way': 'under-way', Overdue: 'overdue' }

type Line = { id: string; words: string; state: string; due?: string; link?: { href: string; label: string } }

/**
 * The client's tasks, nearest deadline first, each with a link. Paragraphs, because a text browser joins inline text. The link is described
 * by the text and not named with it, so that a screen reader does not read it twice.
 */
export function AttentionList({ lines }: { lines: readonly Line[] }) {
	const list = useId()
	return (
		<ul className="tasks attention">
			{lines.map(({ id, words, state, due, link }, index) => (
				<li key={id} className={LOOKS[state]}>
					<p className="state">
						<Icon name={state === 'Under way' ? 'info' : 'alert'} />
						<b>{state}</b>
					</p>
					<div className="what">
						<p id={`${list}${index}`}>{words}</p>
						{due && <p className="small text-muted">{`${due.charAt(0).toUpperCase()}${due.slice(1)}`}</p>}
					</div>
					{link && (
						<p>
							<a href={link.href} aria-describedby={`${list}${index}`}>
								{link.label}
							</a>
						</p>
					)}
				</li>
			))}
		</ul>
	)
}
