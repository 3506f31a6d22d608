import { Fragment } from 'react'
import { WIDE_OPEN } from '~/components/folded'

/** `link`: a short name, so that the links to all parts fit one line. */
export const PARTS = {
	windows: { title: 'Advance tax: gains by window', anchor: 'advance-tax', link: 'Advance tax' },
	setOff: { title: 'Set-off of losses', anchor: 'set-off', link: 'Set-off' },
	losses: { title: 'Losses carried forward', anchor: 'losses', link: 'Losses' },
	exemption: { title: 'Exemption and taxes paid', anchor: 'exemption', link: 'Exemption' },
	lots: { title: 'Lots sold', anchor: 'lots', link: 'Lots sold' },
	dividends: { title: 'Dividends', anchor: 'dividends', link: 'Dividends' },
	turnover: { title: 'Turnover', anchor: 'turnover', link: 'Turnover' },
} as const

type Part = keyof typeof PARTS

/** Links to the parts of the page that a year has. The page is several screens long. A phone folds them, because they fill four lines. */
export function PartLinks({ has }: { has: Partial<Record<Part, unknown>> }) {
	return (
		<nav aria-label="On this page" className="mb-3 text-sm print:hidden">
			<details className={WIDE_OPEN}>
				<summary className="text-primary w-fit py-2.5">On this page</summary>
				<p className="flex flex-wrap gap-x-4 max-sm:flex-col max-sm:pl-4">
					{Object.entries(PARTS).map(([part, { anchor, link }]) =>
						has[part as Part] ? (
							<Fragment key={part}>
								<a href={`#${anchor}`} className="py-2 max-sm:w-fit max-sm:py-2.5">
									{link}
								</a>{' '}
							</Fragment>
						) : null,
					)}
				</p>
			</details>
		</nav>
	)
}
