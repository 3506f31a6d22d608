import { type ReactNode, useId } from 'react'
import { type Tone } from '~/lib/table'
import { DASH } from '~/lib/unknown'
import { Failed, type FailureNotice } from './failed'
import { isZero, TONES } from './tones'
import { Unbroken } from './unbroken'

export type FigureRow = { label: string; figure: string; href?: string; tone?: Tone; isTotal?: boolean }

type Props = {
	title: string
	figure?: string
	/** What the figure is, when the title does not say it. */
	figureLabel?: string
	tone?: Tone
	note?: string
	failure?: FailureNotice
	/** The figure steps back, because the page has a more important answer. */
	isQuiet?: boolean
	more?: { href: string; label: string }
	children?: ReactNode
}

/** Text reads the label first, as in a list; the eye sees the figure first, in line with the figures of other cards. */
const BEFORE = 'flex flex-row-reverse flex-wrap-reverse items-baseline justify-end gap-x-2'

/** One figure, its parts, and a link to the page that proves it. When it fails, the other cards stay. */
export function Card({ title, figure, figureLabel, tone, note, failure, isQuiet, more, children }: Props) {
	const id = useId()
	const isLabelled = !failure && figure !== undefined && figureLabel !== undefined
	return (
		<section
			className="card border-line bg-base-100 border px-5 pt-4 pb-3 break-inside-avoid max-sm:px-3 max-sm:pt-2 max-sm:pb-2"
			aria-labelledby={id}
		>
			<h2 id={id} className="text-muted text-xs font-normal">
				{title}
			</h2>
			<p
				className={`figure mt-0.5 mb-2 font-semibold whitespace-normal max-sm:mb-1 ${isQuiet ? 'text-muted text-[1.0625rem]' : 'text-[1.75rem]/9 tracking-[-0.015em] max-sm:text-[1.5rem]/7'} ${tone ? TONES[tone] : ''} ${isLabelled ? BEFORE : ''}`}
			>
				{isLabelled && (
					<>
						<span className="text-muted text-xs font-normal tracking-normal">{figureLabel}</span>{' '}
					</>
				)}
				{(!failure && figure) || DASH}
			</p>
			{failure ? (
				<Failed what={title} failure={failure} isPlain />
			) : (
				<>
					{note && <p className="text-xs text-muted sm:mb-1">{note}</p>}
					{children}
				</>
			)}
			{more && !failure && (
				<p className="absolute top-1.5 right-5 text-xs max-[20rem]:static max-sm:top-0 max-sm:right-3 print:hidden">
					<a href={more.href} className="inline-block py-2">
						{more.label}
						<span className="sr-only"> {title}</span>
					</a>
				</p>
			)}
		</section>
	)
}

/**
 * A grid of cards. As many stand in a row as fit. Four cards form two rows of two, never three and one. A third card below two is as
 * wide as both. `arePairs`: two short cards share a row of a phone.
 */
export function Cards({ arePairs, children }: { arePairs?: boolean; children: ReactNode }) {
	return <div className={`cards mb-4 grid gap-4 max-sm:mb-3 max-sm:gap-2 ${arePairs ? 'pairs' : ''}`}>{children}</div>
}

const ROWS = { list: '', row: 'max-sm:py-1', label: '', figure: '' }
const SIDE_BY_SIDE = {
	list: 'max-sm:in-[.card]:grid max-sm:in-[.card]:grid-cols-[repeat(auto-fit,minmax(7.5rem,1fr))] max-sm:in-[.card]:gap-x-2 max-sm:in-[.card]:divide-y-0',
	row: 'max-sm:in-[.card]:block max-sm:in-[.card]:py-0.5',
	label: 'max-sm:in-[.card]:text-xs/4.5',
	figure: 'max-sm:in-[.card]:text-left max-sm:in-[.card]:text-sm/4.5 max-sm:in-[.card]:whitespace-normal',
}

/** A rate that has no room beside its gain moves below it. */
const RATED = 'text-right whitespace-normal'

/**
 * Labels on the left, figures on the right. In a card on a phone the pairs stand side by side, each figure under its label, unless
 * `isRows`. Words in place of a figure step back, unless they are facts of a record like the figures (`isRecord`).
 */
export function FigureList({ rows = [], isRows, isRecord }: { rows?: readonly FigureRow[]; isRows?: boolean; isRecord?: boolean }) {
	const look = isRows ? ROWS : SIDE_BY_SIDE
	const ofWords = `text-right whitespace-normal ${isRecord ? '' : 'text-muted text-sm'}`
	return (
		<dl className={`divide-line divide-y [section>h2+&:last-child]:-my-1.75 ${look.list}`}>
			{rows.map(({ label, figure, href, tone, isTotal }) => (
				<div key={label} className={`flex items-baseline justify-between gap-4 py-1.75 ${look.row} ${isTotal ? 'font-semibold' : ''}`}>
					<dt className={`text-sm text-balance ${isTotal ? '' : 'text-muted'} ${look.label}`}>
						{href ? (
							<a href={href} className="-my-2 inline-block py-2">
								<Unbroken text={label} />
							</a>
						) : (
							<Unbroken text={label} />
						)}
					</dt>
					<dd
						className={`figure ${/\d/.test(figure) ? '' : ofWords} ${figure.includes('(') ? RATED : ''} ${look.figure} ${tone ? TONES[tone] : isZero(figure) ? TONES.zero : ''}`}
					>
						<Unbroken text={figure} />
					</dd>
				</div>
			))}
		</dl>
	)
}
