import { useId } from 'react'
import { Banner } from '~/components/banner'
import { Empty } from '~/components/empty'
import { Failed, type FailureNotice } from '~/components/failed'
import { Icon } from '~/components/icon'
import { Section } from '~/components/section'
import { Unbroken } from '~/components/unbroken'

const LOOKS: Record<string, string | undefined> = { 'Under way': 'text-info', Overdue: 'text-error font-semibold' }

type Line = { id: string; words: string; state: string; due?: string; link?: { href: string; label: string } }

const TITLE = 'Needs your attention'
/** Of the sentence that it could not be loaded. */
export const ATTENTION = 'What needs your attention'
const ANCHOR = 'attention'

/** How many tasks there are and the first deadline, under the h1: on a phone the list itself is below the first screen. */
export function AttentionCall({ call }: { call?: string }) {
	if (!call) return null
	return (
		<p className="-mt-4 text-sm sm:-mt-6 sm:mb-2">
			<a href={`#${ANCHOR}`} className="inline-block py-2">
				{call}
			</a>
		</p>
	)
}

type Props = {
	attention: { failure?: FailureNotice; lines?: readonly Line[]; unread?: string }
	/** The page has other tasks to show, so an empty list is left out. */
	hasSteps: boolean
}

/** The section with the client's tasks; nothing for a broker without this list. */
export function Attention({ attention: { failure, lines, unread }, hasSteps }: Props) {
	const isNothing = !lines || (hasSteps && lines.length === 0 && !unread)
	if (isNothing && !failure) return null
	return (
		<Section title={TITLE} anchor={ANCHOR}>
			{unread && <Banner kind="warning">{unread}</Banner>}
			{lines ? (
				lines.length > 0 ? (
					<AttentionList lines={lines} />
				) : unread ? null : (
					<Empty text="Nothing needs your attention." />
				)
			) : (
				<Failed what={ATTENTION} failure={failure} />
			)}
		</Section>
	)
}

/**
 * The client's tasks, the nearest deadline first, each with a link. They are paragraphs, because a text browser joins inline text. The
 * text describes the link and is not its name, so that a screen reader does not read it twice.
 */
function AttentionList({ lines }: { lines: readonly Line[] }) {
	const list = useId()
	return (
		<ul className="attention divide-line -mt-1.5 mb-4 divide-y last:-mb-3!">
			{lines.map(({ id, words, state, due, link }, index) => (
				<li
					key={id}
					className="grid min-h-12 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 py-1.5 sm:grid-cols-[6.5rem_minmax(0,1fr)_auto]"
				>
					<p className={`flex items-center gap-2 text-sm ${LOOKS[state] ?? 'text-warning font-semibold'}`}>
						<Icon name={state === 'Under way' ? 'info' : 'alert'} />
						{state}
					</p>
					{/* On a phone the state and the link share a line above the words, as in every list of tasks. */}
					<div className="what max-sm:order-last max-sm:col-span-full max-sm:pb-1 max-sm:text-sm max-sm:*:inline">
						<p id={`${list}${index}`}>
							<Unbroken text={words} />
						</p>{' '}
						{due && <p className="text-xs text-muted max-sm:block!">{`${due.charAt(0).toUpperCase()}${due.slice(1)}`}</p>}
					</div>
					{link && (
						<p>
							<a href={link.href} className="inline-flex min-h-10 items-center max-sm:text-sm" aria-describedby={`${list}${index}`}>
								{link.label}
							</a>
						</p>
					)}
				</li>
			))}
		</ul>
	)
}
