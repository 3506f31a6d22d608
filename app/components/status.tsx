import { type StatusKind } from '~/lib/status-kind'
import { Icon, type IconName } from './icon'
import { Unbroken } from './unbroken'

const LOOKS: Record<StatusKind, { icon: IconName; tone: string }> = {
	done: { icon: 'done', tone: 'text-success' },
	todo: { icon: 'alert', tone: 'text-warning' },
	waiting: { icon: 'clock', tone: 'text-info' },
	failed: { icon: 'failed', tone: 'text-error' },
	over: { icon: 'over', tone: 'text-muted' },
}

type Props = {
	/** Undefined for an unknown state, which has no icon. */
	kind: StatusKind | undefined
	/** The state. Text after a colon stands on the next line: `Pending: Accept in your UPI app`. */
	words: string
	/** The time since when or until when the state is valid. */
	note?: string | null
	/** A phone shows the note elsewhere. */
	isNoteWide?: boolean
	/** On a phone the note stands beside the state. */
	isBeside?: boolean
}

/** A state in words, with a different icon for each kind. The colour adds no information. */
export function Status({ kind, words, note, isNoteWide, isBeside }: Props) {
	const look = kind && LOOKS[kind]
	const [word = '', ...more] = words.split(': ')
	const why = more.join(': ')
	return (
		<span
			className={`grid items-baseline gap-x-1 sm:gap-x-1.5 grid-cols-[auto_1fr] ${isBeside ? '@max-2xl:grid-cols-[auto_auto_1fr]' : ''}`}
		>
			{look && <Icon name={look.icon} className={`h-lh self-start max-sm:w-4 sm:-mx-px ${look.tone}`} />}
			<span className="col-end-3">
				<Unbroken text={word} />
				{why && <span className="sr-only">:</span>}
			</span>
			{why && ' '}
			{why && (
				<span className={NOTE}>
					<Unbroken text={why} />
				</span>
			)}
			{note && ' '}
			{note && (
				<span className={`${NOTE} ${isNoteWide ? '@max-2xl:hidden' : ''} ${isBeside ? '@max-2xl:col-start-3 @max-2xl:ml-1' : ''}`}>
					<Unbroken text={note} />
				</span>
			)}
		</span>
	)
}

const NOTE = 'text-muted col-start-2 text-xs whitespace-normal sm:max-w-40'

/** The same distance from the edge as the words of a state. */
export const INDENT = 'pl-5 sm:pl-5.5'
