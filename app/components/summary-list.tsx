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

/** The width of the labels on a phone. All values begin below each other. */
const LABEL = {
	narrow: '@xs:grid-cols-[5rem_minmax(0,1fr)_auto]',
	plain: '@xs:grid-cols-[7.5rem_minmax(0,1fr)_auto]',
	wide: '@xs:grid-cols-[10.5rem_minmax(0,1fr)]',
}

/** A label wraps only when the values need its space. A link to change the value needs space too. */
function findLabelWidth(items: readonly SummaryItem[]): keyof typeof LABEL {
	const plain = items.filter(({ change }) => !change)
	const longest = Math.max(...items.map(({ label }) => label.length))
	const areShort = plain.length > 0 && plain.every(({ value }) => typeof value === 'string' && value.length <= 20)
	if (plain.length === items.length) return longest > 15 && areShort ? 'wide' : 'plain'
	return longest > 10 && areShort ? 'plain' : 'narrow'
}

/** An e-mail address may break after its @. */
const listPieces = (value: string) => value.split(/(?<=@)/)

/** A word that would break beside its label, and beside the link to change it, stands below the label. */
const hasLongWord = ({ value, change }: SummaryItem) =>
	typeof value === 'string' && listPieces(value).some((piece) => (change ? /\S{17}/ : /\S{22}/).test(piece))

/** Below a wide label the names of a value would break beside the link, so on a phone they stand below the label. */
const isStacked = ({ value, note, change }: SummaryItem, width: keyof typeof LABEL) =>
	Boolean(change) && !note && width === 'plain' && typeof value === 'string' && value.length > 13

/** The label beside its value, where there is room. */
const BESIDE = '@sm:grid-cols-[minmax(7rem,10.5rem)_minmax(0,1fr)_auto] in-[dialog]:@sm:grid-cols-[minmax(0,9rem)_minmax(0,1fr)]'
/** From which width of the list the value stands beside its label: the classes of the label and the note. */
const FROM = {
	always: { label: '@max-xs:col-span-full', noted: '@xs:row-span-2', note: '@max-xs:col-span-full @xs:col-start-2' },
	tablet: { label: '@max-sm:col-span-full', noted: '', note: '' },
	laptop: { label: '@max-2xl:col-span-full', noted: '@2xl:row-span-2', note: '@max-2xl:col-span-full' },
}

/** A list of answers, each with a link to change it: a page to check before sending, or a record afterwards. */
export function SummaryList({ items }: { items: readonly SummaryItem[] }) {
	const width = findLabelWidth(items)
	return (
		<dl className="divide-line border-line @container mb-6 max-w-208 divide-y border-y last:mb-0 in-[section]:max-w-none in-[section]:first:-mt-2.5 in-[section]:first:border-t-0 in-[section]:last:-mb-2.5 in-[section]:last:border-b-0 [&:has(+details)]:mb-0 [&:has(+details)]:border-b-0 [&+details]:-mb-3! in-[dialog]:print:break-inside-avoid">
			{items.map((item) => (
				<Row key={item.label} item={item} width={width} />
			))}
		</dl>
	)
}

function Row({ item, width }: { item: SummaryItem; width: keyof typeof LABEL }) {
	const { label, value, note, status, change } = item
	const from = hasLongWord(item) ? 'laptop' : isStacked(item, width) ? 'tablet' : 'always'
	const columns = { always: `${LABEL[width]} ${BESIDE}`, tablet: BESIDE, laptop: '' }[from]
	return (
		<div
			className={`grid items-baseline grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1 py-2.5 @sm:gap-x-6 @2xl:grid-cols-[minmax(8rem,14rem)_minmax(0,1fr)_auto] in-[dialog]:gap-x-4 ${note ? 'grid-rows-[auto_1fr]' : ''} ${columns}`}
		>
			<dt className={`text-muted text-sm ${FROM[from].label} ${note ? FROM[from].noted : ''}`}>{label}</dt>
			<dd className="wrap-anywhere">
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
				<dd className={`text-sm wrap-anywhere ${FROM[from].note} @2xl:col-start-2 -col-end-1`}>
					{typeof note === 'string' ? <Unbroken text={note} /> : note}
				</dd>
			)}
		</div>
	)
}

const NO_BREAK = '\u00A0'

/** Words with a no-break space between them stay on one line where they fit. */
function Value({ text }: { text: string }) {
	if (!text.includes(NO_BREAK)) return <Pieces text={text} />
	return (
		<span className="block text-balance">
			{text.split(' ').map((words, at) => (
				<Fragment key={at}>
					{at > 0 && ' '}
					{words.includes(NO_BREAK) ? <span className="inline-block">{words.replaceAll(NO_BREAK, ' ')}</span> : words}
				</Fragment>
			))}
		</span>
	)
}

function Pieces({ text }: { text: string }) {
	return listPieces(text).map((piece, at) => (
		<Fragment key={at}>
			{at > 0 && <wbr />}
			<Unbroken text={piece} />
		</Fragment>
	))
}
