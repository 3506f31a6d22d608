import { Status } from './status'
import { Unbroken } from './unbroken'

export type TaskLine = {
	id: string
	label: string
	isDone: boolean
	/** It is done by time, not by the client. */
	isWait?: boolean
	/** The client may leave it. */
	isOptional?: boolean
	words: string
	/** `isMain`: the main button of the page. */
	link?: { href: string; label: string; isMain?: boolean }
}

/** The steps that the client must do first, those to do above those done. Each shows its figure, whether it is done, and a link to do it. */
export function TaskList({ tasks }: { tasks: readonly TaskLine[] }) {
	return (
		<ul className="divide-line -mt-1.5 mb-4 divide-y last:-mb-3!">
			{tasks
				.toSorted((a, b) => Number(a.isDone) - Number(b.isDone))
				.map(({ id, label, isDone, isWait, isOptional, words, link }) => (
					<li
						key={id}
						className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 py-1.5 sm:grid-cols-[4.25rem_minmax(0,1fr)_auto]"
					>
						<span className={`relative text-sm/6 ${isDone || isWait || isOptional ? '' : 'text-warning font-semibold'}`}>
							{isOptional && !isDone ? 'Optional' : <Status {...(isDone ? DONE : isWait ? WAIT : OPEN)} />}
						</span>{' '}
						{/* On a phone the state and the link share a line above the words. */}
						<span className="text-balance max-sm:order-last max-sm:col-span-full max-sm:pb-1">
							<span className="block">
								<Unbroken text={label} />
							</span>{' '}
							<span className="text-xs text-muted block">
								<Unbroken text={words} />
							</span>
						</span>{' '}
						{link && (
							<a href={link.href} className={link.isMain ? 'btn btn-primary' : 'py-2 max-sm:text-sm/6'}>
								{link.label}
								<span className="sr-only">: {label}</span>
							</a>
						)}
					</li>
				))}
		</ul>
	)
}

const DONE = { kind: 'done', words: 'Done' } as const
const WAIT = { kind: 'waiting', words: 'Wait' } as const
const OPEN = { kind: 'todo', words: 'To do' } as const
