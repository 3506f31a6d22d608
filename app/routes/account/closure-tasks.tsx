import { Folded } from '~/components/folded'
import { TaskList } from '~/components/task-list'
import { type ClosureTaskLine } from './closure-tasks.server'

type Props = {
	tasks: readonly ClosureTaskLine[]
	/** False when some tasks could not be read. */
	isWhole: boolean
}

/** What is left to do before the account can be closed, and behind a fold what is done. */
export function Tasks({ tasks, isWhole }: Props) {
	const todo = tasks.filter(({ isDone }) => !isDone)
	const done = tasks.filter(({ isDone }) => isDone)
	return (
		<>
			{todo.length > 0 && (
				<>
					<p className="mb-3">{`${todo.length} of ${tasks.length} things ${todo.length === 1 ? 'is' : 'are'} still to do.`}</p>
					<TaskList tasks={todo} />
				</>
			)}
			{done.length > 0 && (
				<div className="mb-4">
					<Folded label={todo.length === 0 && isWhole ? 'Everything is done' : 'What is done'} figure={String(done.length)}>
						<TaskList tasks={done} />
					</Folded>
				</div>
			)}
		</>
	)
}
