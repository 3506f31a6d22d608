import { type Tone, TONES } from './tones'
import { Unbroken } from './unbroken'

/** `isMain`: the answer that a client looks for first. `form`: the id of the form from whose fields the figure is computed. */
export type KeyFigure = { label: string; text: string; tone?: Tone; note?: string; isMain?: boolean; form?: string }

type Props = {
	figures: readonly KeyFigure[]
	/** On a phone each figure stands beside its label, because the labels are long or have notes. */
	isRows?: boolean
}

const ROW = 'max-sm:w-full max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:items-baseline max-sm:gap-x-4 max-sm:py-1.5'

/** Two in a row on a phone; a larger figure takes a row of its own. */
const HALF = 'max-sm:basis-[calc(50%-0.5rem)]'
const FIRST = 'max-sm:order-first max-sm:basis-full'

/** The main figures of a table or chart, shown above it. On a phone a rate moves below its gain when both do not fit on one line. */
export function KeyFigures({ figures, isRows = false }: Props) {
	return (
		<dl className={`mt-1 mb-3 flex flex-wrap gap-x-4 sm:gap-x-8 ${isRows ? 'max-sm:divide-line max-sm:divide-y' : 'gap-y-1'}`}>
			{figures.map(({ label, text, tone, note, isMain, form }) => (
				<div key={label} className={isRows ? ROW : isMain ? FIRST : note ? 'max-sm:basis-full' : HALF}>
					<dt className="text-xs text-muted">{label}</dt>
					<dd
						className={`figure font-semibold ${isMain ? 'text-[1.75rem]/9' : 'text-[1.0625rem]'} ${text.includes('(') ? 'max-sm:whitespace-normal' : ''} ${tone ? TONES[tone] : ''}`}
					>
						{form ? <output form={form}>{text}</output> : text.includes('(') ? <Unbroken text={text} /> : text}
					</dd>
					{note && (
						<dd className={`text-xs text-muted ${isRows ? 'max-sm:col-span-2' : ''}`}>
							<Unbroken text={note} />
						</dd>
					)}
				</div>
			))}
		</dl>
	)
}
