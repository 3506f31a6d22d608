import { Folded } from '~/components/folded'
import { Status } from '~/components/status'
import { type TaskLine, TaskList } from '~/components/task-list'
import { useRoot } from '~/components/use-root'

type Props = {
	tasks: readonly TaskLine[]
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
						{canClose ? (
							`${todo.length} of ${tasks.length} things ${todo.length === 1 ? 'is' : 'are'} still to do.`
						) : (
							<>
								<b className="block">You cannot close your account yet.</b> {sayWhatIsLeft(todo)}
							</>
						)}
					</p>
					<TaskList tasks={todo} />
				</>
			)}
			{todo.length === 0 && (
				<p className="mb-3 font-semibold">
					{canClose ? <Status kind="done" words="You can close your account." /> : 'You cannot close your account yet.'}
				</p>
			)}
			{done.length > 0 && (
				<div className="mb-4">
					<Folded
						label={`${todo.length === 0 && isWhole ? 'All ' : ''}${done.length} ${done.length === 1 ? 'check is' : 'checks are'} done`}
					>
						<TaskList tasks={done} />
					</Folded>
				</div>
			)}
		</>
	)
}

function sayWhatIsLeft(todo: readonly TaskLine[]): string {
	const waits = todo.filter(({ isWait }) => isWait).length
	const left = `${todo.length} ${todo.length === 1 ? 'thing is' : 'things are'} left`
	return waits > 0 ? `${left}: ${todo.length - waits} to do, ${waits} to wait for.` : `${left}.`
}
