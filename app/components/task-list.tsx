import { Status } from './status'
import { Unbroken } from './unbroken'

export type TaskLine = { id: string; label: string; isDone: boolean; words: string; link?: { href: string; label: string } }

/** The steps that the client must do first, those to do above those done. Each shows its figure, whether it is done, and a link to do it. */
export function TaskList({ tasks }: { tasks: readonly TaskLine[] }) {
	return (
		<ul className="divide-line -mt-1.5 mb-4 divide-y last:-mb-1.5">
			{tasks
				.toSorted((a, b) => Number(a.isDone) - Number(b.isDone))
				.map(({ id, label, isDone, words, link }) => (
					<li
						key={id}
						className="grid min-h-12 grid-cols-[1rem_minmax(0,1fr)] gap-x-2.5 py-1.5 sm:grid-cols-[5.5rem_minmax(0,1fr)] sm:items-center sm:gap-x-4 sm:py-1.5"
					>
						<span className={`relative text-sm/6 ${isDone ? '' : 'text-warning font-semibold'}`}>
							<Status kind={isDone ? 'done' : 'todo'} words={isDone ? 'Done' : 'To do'} isIconOnPhone />
						</span>{' '}
						{/* On a phone the link stands beside the figure, below the label. */}
						<span className="flex flex-wrap items-center justify-between gap-x-4 sm:flex-nowrap">
							<span className="max-sm:contents">
								<span className="block max-sm:basis-full">
									<Unbroken text={label} />
								</span>{' '}
								<span className="text-xs text-muted block max-sm:flex-[1_1_8rem]">
									<Unbroken text={words} />
								</span>
							</span>{' '}
							{link && (
								<a href={link.href} className="flex-none py-2 max-sm:-my-2 max-sm:text-sm/6">
									{link.label}
									<span className="sr-only">: {label}</span>
								</a>
							)}
						</span>
					</li>
				))}
		</ul>
	)
}
