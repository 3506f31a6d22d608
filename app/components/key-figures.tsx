import { type Tone, TONES } from './tones'
import { Unbroken } from './unbroken'

export type KeyFigure = { label: string; text: string; tone?: Tone; note?: string }

/** The main figures of a table or chart, shown above it. On a phone a rate moves below its gain when both do not fit on one line. */
export function KeyFigures({ figures }: { figures: readonly KeyFigure[] }) {
	return (
		<dl className="mt-1 mb-3 grid grid-cols-2 gap-x-4 gap-y-1 sm:flex sm:flex-wrap sm:gap-x-8">
			{figures.map(({ label, text, tone, note }) => (
				<div key={label} className={note && 'max-sm:col-span-2'}>
					<dt className="text-xs text-muted">{label}</dt>
					<dd
						className={`figure text-[1.0625rem] font-semibold ${text.includes('(') ? 'max-sm:whitespace-normal' : ''} ${tone ? TONES[tone] : ''}`}
					>
						{text.includes('(') ? <Unbroken text={text} /> : text}
					</dd>
					{note && (
						<dd className="text-xs text-muted">
							<Unbroken text={note} />
						</dd>
					)}
				</div>
			))}
		</dl>
	)
}
