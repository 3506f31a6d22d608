import { Fragment, type ReactNode } from 'react'
import { type StatusKind } from '~/lib/status-kind'
import { Status } from './status'
import { Unbroken } from './unbroken'

export type SummaryItem = {
	label: string
	value: ReactNode
	/** Below the value: what is about to change it. */
	note?: ReactNode
	/** The value is a state. */
	status?: StatusKind
	/** `word` is the text of the link, `Change` by default. `label` says to a screen reader what the link changes. */
	change?: { href: string; label: string; word?: string }
}

/** A link to change the value needs room too. */
const LABEL = { plain: '@xs:grid-cols-[7.5rem_minmax(0,1fr)_auto]', withLink: '@xs:grid-cols-[5rem_minmax(0,1fr)_auto]' }
/** The label beside its value. On a phone the label is narrow and wraps. */
const BESIDE = '@sm:grid-cols-[minmax(7rem,11rem)_minmax(0,1fr)_auto] in-[dialog]:@sm:grid-cols-[minmax(0,9rem)_minmax(0,1fr)]'

/** An e-mail address may break after its @. */
const listPieces = (value: string) => value.split(/(?<=@)/)

/** A word that would break beside its label, and beside the link to change it, stands below the label. */
const hasLongWord = (value: ReactNode, change: unknown) =>
	typeof value === 'string' && listPieces(value).some((piece) => (change ? /\S{17}/ : /\S{22}/).test(piece))

/** A list of answers, each with a link to change it: a page to check before sending, or a record afterwards. */
export function SummaryList({ items }: { items: readonly SummaryItem[] }) {
	// All values begin below each other.
	const labelled = items.some(({ change }) => change) ? LABEL.withLink : LABEL.plain
	return (
		<dl className="divide-line border-line @container mb-6 max-w-208 divide-y border-y last:mb-0 in-[section]:max-w-none in-[section]:first:-mt-2.5 in-[section]:first:border-t-0 in-[section]:last:-mb-2.5 in-[section]:last:border-b-0 [&:has(+details)]:mb-0 [&:has(+details)]:border-b-0 [&+details]:-mb-3! in-[dialog]:print:break-inside-avoid">
			{items.map(({ label, value, note, status, change }) => (
				<div
					key={label}
					className={`grid items-baseline grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1 py-2.5 @sm:gap-x-6 @2xl:grid-cols-[minmax(8rem,14rem)_minmax(0,1fr)_auto] in-[dialog]:gap-x-4 ${note ? 'grid-rows-[auto_1fr]' : ''} ${hasLongWord(value, change) ? '' : `${labelled} ${BESIDE}`}`}
				>
					<dt
						className={`text-muted text-sm ${hasLongWord(value, change) ? `@max-2xl:col-span-full ${note ? '@2xl:row-span-2' : ''}` : `@max-xs:col-span-full ${note ? '@xs:row-span-2' : ''}`}`}
					>
						{label}
					</dt>
					<dd className="text-pretty wrap-anywhere">
						{typeof value !== 'string' ? value : status ? <Status kind={status} words={value} /> : <Value text={value} />}
					</dd>
					{change && (
						<dd>
							<a href={change.href}>
								{change.word ?? 'Change'}
								<span className="sr-only"> {change.label}</span>
							</a>
						</dd>
					)}
					{note && (
						<dd
							className={`text-sm wrap-anywhere ${hasLongWord(value, change) ? '@max-2xl:col-span-full' : '@max-xs:col-span-full @xs:col-start-2'} @2xl:col-start-2 -col-end-1`}
						>
							{typeof note === 'string' ? <Unbroken text={note} /> : note}
						</dd>
					)}
				</div>
			))}
		</dl>
	)
}

function Value({ text }: { text: string }) {
	return listPieces(text).map((piece, at) => (
		<Fragment key={at}>
			{at > 0 && <wbr />}
			<Unbroken text={piece} />
		</Fragment>
	))
}
