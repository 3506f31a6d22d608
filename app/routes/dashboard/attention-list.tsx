import { useId } from 'react'
import { Icon } from '~/components/icon'
import { Unbroken } from '~/components/unbroken'

const LOOKS: Record<string, string | undefined> = { 'Under way': 'text-info', Overdue: 'text-error font-semibold' }

type Line = { id: string; words: string; state: string; due?: string; link?: { href: string; label: string } }

/**
 * The client's tasks, the nearest deadline first, each with a link. They are paragraphs, because a text browser joins inline text. The
 * text describes the link and is not its name, so that a screen reader does not read it twice.
 */
export function AttentionList({ lines }: { lines: readonly Line[] }) {
	const list = useId()
	return (
		<ul className="attention divide-line -mt-1.5 mb-4 divide-y last:-mb-1.5">
			{lines.map(({ id, words, state, due, link }, index) => (
				<li key={id} className="grid min-h-12 items-center gap-x-4 gap-y-1 py-1.5 max-sm:pt-3 sm:grid-cols-[6.5rem_minmax(0,1fr)_auto]">
					<p className={`flex items-center gap-2 text-sm ${LOOKS[state] ?? 'text-warning font-semibold'}`}>
						<Icon name={state === 'Under way' ? 'info' : 'alert'} />
						{state}
					</p>
					<div className="what">
						<p id={`${list}${index}`}>
							<Unbroken text={words} />
						</p>
						{due && <p className="text-xs text-muted">{`${due.charAt(0).toUpperCase()}${due.slice(1)}`}</p>}
					</div>
					{link && (
						<p>
							<a href={link.href} className="inline-block py-2" aria-describedby={`${list}${index}`}>
								{link.label}
							</a>
						</p>
					)}
				</li>
			))}
		</ul>
	)
}
