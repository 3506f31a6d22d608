import { type KeyFigure } from '~/lib/table'
import { isZero, TONES } from './tones'
import { Unbroken } from './unbroken'

/** On a phone two figures stand in a row. */
const HALF = { look: 'max-sm:basis-[calc(50%-0.5rem)] max-sm:grow', text: 'text-[1.0625rem]' }
/** Three stand in a row when they fit: each is as wide as its amount, and only a long label wraps. */
const THIRD = { look: 'max-sm:w-min', text: 'max-sm:text-sm sm:text-[1.0625rem]' }

const LONG_LABEL = 16
/** A longer one does not fit half a phone. */
const HALF_LABEL = 24

/**
 * The main figures of a table or chart, shown above it. The answer is the first and the largest. On a phone a rate moves below its gain when
 * both do not fit on one line. `isBeside`: something stands beside them where there is room, so the answer has a line of its own there.
 */
export function KeyFigures({ figures, isBeside }: { figures: readonly KeyFigure[]; isBeside?: boolean }) {
	const others = figures.filter(({ isMain }) => !isMain)
	const ordered = [...figures.filter(({ isMain }) => isMain), ...others]
	const isThree = others.length === 3 && !others.some(({ note }) => note)
	// A rate that moves below its gain must not push the label up.
	const side = figures.some(({ text }) => text.includes('(')) ? 'max-sm:items-start' : 'max-sm:items-end'
	const { look, text: size } = isThree ? THIRD : HALF
	return (
		<dl
			className={`mt-1 mb-3 flex max-sm:grow flex-wrap gap-x-4 gap-y-1 ${side} sm:gap-x-8 ${isBeside ? 'xl:flex-1' : ''} ${isBeside && others.length > 1 && others.length < figures.length ? 'xl:[&>:first-child]:basis-full' : ''} ${isThree ? 'max-sm:justify-between max-sm:gap-x-2' : ''}`}
		>
			{ordered.map(({ label, text, tone, note, isMain, form, href }) => (
				<div key={label} className={(isMain && (others.length > 1 || label.length > HALF_LABEL)) || note ? 'max-sm:basis-full' : look}>
					<dt className={`text-xs text-muted ${isThree && label.length < LONG_LABEL ? 'whitespace-nowrap' : ''}`}>{label}</dt>
					<dd
						className={`figure font-semibold ${isMain ? 'text-[1.75rem]/8' : `${others.length > 1 ? 'sm:leading-8' : 'leading-8'} ${size}`} ${text.includes('(') ? 'max-sm:whitespace-normal' : ''} ${tone ? TONES[tone] : isZero(text) && !isMain ? TONES.zero : ''}`}
					>
						{form ? (
							<output form={form}>{text}</output>
						) : href ? (
							<a href={href}>{text}</a>
						) : text.includes('(') ? (
							<Unbroken text={text} />
						) : (
							text
						)}
					</dd>
					{note && (
						<dd className="text-xs text-muted sm:mt-1">
							<Unbroken text={note} />
						</dd>
					)}
				</div>
			))}
		</dl>
	)
}
