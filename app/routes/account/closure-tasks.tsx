import { Folded } from '~/components/folded'
import { Status } from '~/components/status'
import { TaskList } from '~/components/task-list'
import { useRoot } from '~/components/use-root'
import { type ClosureTaskLine } from './closure-tasks.server'

type Props = {
	tasks: readonly ClosureTaskLine[]
	/** False when some tasks could not be read. */
	isWhole: boolean
	canClose: boolean
}

/** What is left to do before the account can be closed, and behind a fold what is done. */
export function Tasks({ tasks, isWhole, canClose }: Props) {
	const [helper] = useRoot().brand.support
	const help = helper && { href: helper.href, label: 'Ask support' }
	// The portal has no page for some tasks of a broker that sends only sentences.
	const todo = tasks.filter(({ isDone }) => !isDone).map((task) => ({ ...task, link: task.link ?? help }))
	const done = tasks.filter(({ isDone }) => isDone)
	return (
		<>
			{todo.length > 0 && (
				<>
					<p className="mb-3">
						{!canClose && <b>You cannot close your account yet. </b>}
						{`${todo.length} of ${tasks.length} things ${todo.length === 1 ? 'is' : 'are'} still to do.`}
					</p>
					<TaskList tasks={todo} />
				</>
			)}
			{todo.length === 0 && canClose && (
				<p className="mb-3 font-semibold">
					<Status kind="done" words="You can close your account." />
				</p>
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
